"""The account of a run: when, with which models, and at what cost."""

from __future__ import annotations

from novum.core.cost import Cost
from novum.core.record import Value


class Spend(Cost):
    """What a run used: `calls` were answered in it."""

    reused: int = 0
    """Of these, how many came from the ledger for free."""
    failed: int = 0


class Account(Value):
    """The circumstances of a result: when, by which models, at what cost."""

    run_id: str
    novum_version: str
    started: str
    """ISO 8601, UTC."""
    seconds: float
    models: dict[str, str]
    """Role to model name."""
    spend: Spend = Spend()
    demonstration: bool = False
    """The writer was the small offline model: the ideas show the working, not the quality."""
