"""What a call cost in money, energy and CO2; None where the tables do not know it."""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from novum.errors import BadInput
from novum.llm.providers import ModelName

ELECTRICITY = "WOR"
"""World average mix: providers rarely say where a call was computed."""


@dataclass(frozen=True)
class Price:
    """The user's own price for a model, US dollars per million tokens."""

    input_per_million: float
    output_per_million: float


@dataclass(frozen=True)
class Footprint:
    """Middle of the estimated range."""

    energy_kwh: float
    co2_kg: float


class PriceTable:
    """Prices and footprints of calls; `own_prices` by model name come before the table."""

    def __init__(self, own_prices: Mapping[str, Price] | None = None) -> None:
        self._own = dict(own_prices or {})

    def usd(self, model: ModelName, prompt_tokens: int | None, completion_tokens: int | None) -> float | None:
        """US dollars, 0 for what runs on the user's machine, None when unknown."""
        if model.provider.local:
            return 0.0
        if prompt_tokens is None or completion_tokens is None:
            return None
        if own := self._own.get(model.short):
            return (prompt_tokens * own.input_per_million + completion_tokens * own.output_per_million) / 1e6
        if not model.provider.prices_as or model.base_url or not _is_priced(model.provider.prices_as, model.model):
            return None
        return _listed_price(model.provider.prices_as, model.model, prompt_tokens, completion_tokens)

    def footprint(self, model: ModelName, completion_tokens: int | None, seconds: float) -> Footprint | None:
        """Energy and CO2 by EcoLogits from the tokens measured, None when the model is unknown to it."""
        if completion_tokens is None or not model.provider.footprint_as or model.base_url:
            return None
        if not _has_footprint(model.provider.footprint_as, model.model):
            return None
        return _estimate(model.provider.footprint_as, model.model, completion_tokens, seconds)


def unknown_price(model: ModelName) -> BadInput:
    """The error for a budget in dollars with this model."""
    return BadInput(
        f"The price of {model.short} is not known, so a budget in dollars cannot be kept. "
        "State it under [prices] in novum.toml, or use --budget-tokens or --budget-calls."
    )


@functools.cache
def _is_priced(provider: str, model: str) -> bool:
    """Asked once per model: the table's own search costs more than a call should."""
    return _listed_price(provider, model, 1, 1) is not None


def _listed_price(provider: str, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    from genai_prices import Usage, calc_price  # 0.2 s of import that only priced calls need

    try:
        usage = Usage(input_tokens=prompt_tokens, output_tokens=completion_tokens)
        return float(calc_price(usage, model_ref=model, provider_id=provider).total_price)
    except Exception:  # whatever a table stumbles over, the answer is paid for and must not be lost: price unknown
        return None


@functools.cache
def _has_footprint(provider: str, model: str) -> bool:
    return _estimate(provider, model, 1, 1.0) is not None


def _estimate(provider: str, model: str, completion_tokens: int, seconds: float) -> Footprint | None:
    from ecologits.tracers.utils import llm_impacts  # 0.1 s of import that only known models need

    logging.getLogger("ecologits").setLevel(logging.ERROR)  # after the import: it brings a kind of logger of its own
    try:
        impacts = llm_impacts(provider, model, completion_tokens, seconds, electricity_mix_zone=ELECTRICITY)
    except Exception:  # as for prices: unknown, and the answer is kept
        return None
    if impacts.energy is None or impacts.gwp is None:
        return None
    return Footprint(_middle(impacts.energy.value), _middle(impacts.gwp.value))


def _middle(value: object) -> float:
    low, high = getattr(value, "min", value), getattr(value, "max", value)
    return (float(low) + float(high)) / 2  # type: ignore[arg-type]  # a plain number or a range of numbers
