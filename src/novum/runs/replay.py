"""Runs of the past looked at without asking anybody: what is in the ledger answers, and nothing is written to it."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import JsonValue

from novum.errors import BudgetSpent
from novum.lab import Workplace
from novum.ledger import Run, RunRecord
from novum.llm import Budget, BudgetGuard, Connections, ModelName, Models
from novum.llm.endpoint import Endpoint


class ReadOnlyRun(Run):
    """A run that is only looked at: nothing happens in it."""

    def emit(self, kind: str, **data: JsonValue) -> None:
        """Says and writes nothing."""


class ReplayConnections(Connections):
    """Whoever is asked here has not answered yet."""

    async def endpoint(self, model: ModelName) -> Endpoint:
        raise BudgetSpent(f"{model.short} has not been asked yet.")


def open_for_replay(workplace: Workplace, record: RunRecord) -> tuple[Run, Models]:
    """The run, and models that answer what they have answered before. Asked for anything else they raise
    BudgetSpent.
    """
    run = ReadOnlyRun(workplace.ledger, record, fresh=bool(record.params.get("fresh")))
    settings = workplace.model_settings
    nobody = ReplayConnections(settings, workplace.settings.models_folder)
    return run, Models(settings, workplace.prompts, nobody, run, BudgetGuard(Budget()))


def iso(seconds: float) -> str:
    """Seconds since the epoch as ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
