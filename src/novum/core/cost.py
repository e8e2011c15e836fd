"""What calls of models cost."""

from __future__ import annotations

from collections.abc import Iterable

from novum.core.record import Value


class Cost(Value):
    """Tokens, US dollars, energy and CO₂ of some calls. An unknown price or footprint is counted as unknown, never as
    zero."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    usd_unknown: int = 0
    """Paid calls whose price is unknown."""
    energy_kwh: float = 0.0
    co2_kg: float = 0.0
    footprint_unknown: int = 0


def sum_costs(costs: Iterable[Cost]) -> Cost:
    """The total of several costs; the numbers of unknown prices and footprints are summed too."""
    every = list(costs)
    return Cost(**{name: sum(getattr(each, name) for each in every) for name in Cost.model_fields})
