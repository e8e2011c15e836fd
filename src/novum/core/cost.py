"""What calls of models cost."""

from __future__ import annotations

from novum.core.record import Value


class Cost(Value):
    """Tokens, US dollars, energy and CO₂ of some calls. A price or footprint that nobody could state is counted as
    unknown, never as zero."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    usd_unknown: int = 0
    """Paid calls whose price is unknown."""
    energy_kwh: float = 0.0
    co2_kg: float = 0.0
    footprint_unknown: int = 0
