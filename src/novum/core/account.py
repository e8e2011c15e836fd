"""The account of a run: when, with which models, and at what cost."""

from __future__ import annotations

from novum.core.cost import Cost
from novum.core.record import Value


class Spend(Cost):
    """What a run used; `calls` counts the responses."""

    reused: int = 0
    """Calls whose response came from the ledger at no cost."""
    failed: int = 0


class Account(Value):
    """The circumstances of a result: time, models and cost."""

    run_id: str
    novum_version: str
    started: str
    """ISO 8601, UTC."""
    seconds: float
    models: dict[str, str]
    """Role to model name."""
    spend: Spend = Spend()
    demonstration: bool = False
    """Whether the writer was the small offline model, whose ideas demonstrate the process only."""
