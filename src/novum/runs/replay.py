"""Runs opened for replay: models give the answers that the ledger holds, no request is sent, and nothing is written."""

from __future__ import annotations

from pydantic import JsonValue

from novum.errors import BudgetSpent
from novum.lab import Workplace
from novum.ledger import Call, Run, RunRecord
from novum.llm import Budget, BudgetGuard, Connections, ModelName, Models
from novum.llm.endpoint import Endpoint


class ReadOnlyRun(Run):
    """A run that writes nothing: what was recorded when it was carried out stays as it was."""

    def emit(self, kind: str, **data: JsonValue) -> None:
        """Neither writes the event nor calls listeners."""

    def reuse(self, call: Call) -> None:
        """Is not noted again."""


class ReplayConnections(Connections):
    """Connections that refuse every request."""

    async def endpoint(self, model: ModelName) -> Endpoint:
        raise BudgetSpent(f"{model.short} has not answered yet.")


def open_for_replay(workplace: Workplace, record: RunRecord) -> tuple[Run, Models]:
    """The run, and models that repeat their recorded answers. For anything else they raise BudgetSpent."""
    run = ReadOnlyRun(workplace.ledger, record, fresh=bool(record.params.get("fresh")))
    settings = workplace.model_settings
    connections = ReplayConnections(settings, workplace.settings.models_folder)
    budget = BudgetGuard(Budget(), workplace.ledger.account(record.id))
    return run, Models(settings, workplace.prompts, connections, run, budget)
