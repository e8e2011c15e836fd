"""What the long runs of the house have in common: what they are about is read back, and what there is counts.

A benchmark whose budget ends has an outcome all the same. It is handed back and told as unfinished, and the run can be
resumed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import ValidationError

from novum.core.record import Value
from novum.errors import BadInput, BudgetSpent
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.ledger.run import Listener
from novum.runs.engine import CarryOut, run_session

Outcome = TypeVar("Outcome", bound=Value)
Task = TypeVar("Task", bound=Value)


@dataclass(frozen=True)
class SessionResult(Generic[Outcome]):
    """What came of one session of work."""

    outcome: Outcome
    kept: Outcome
    """What of it is kept with the finished run: not what the ledger has already, piece by piece."""
    stopped: str
    """Why it could not be finished; empty when it is."""


def task_of(record: RunRecord, kind: str, form: type[Task], under: str, what: str) -> Task:
    """What a run of this kind is about, from its parameter `under`. Raises BadInput where it is no `what`, or was
    written in another form."""
    check_kind(record, kind, what)
    with of_this_novum(record):
        return form.model_validate(record.params.get(under))


def check_kind(record: RunRecord, kind: str, what: str) -> None:
    """Raises BadInput for a run of another kind."""
    if record.kind != kind:
        raise BadInput(f"Run {record.id} is no {what} (it is of kind {record.kind}).")


@contextmanager
def of_this_novum(record: RunRecord) -> Iterator[None]:
    """What is read inside was written in our form, or else BadInput is raised."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]["msg"]
        raise BadInput(
            f"Run {record.id} was written by another Novum, and cannot be read: {first}. Begin a new one: what was "
            "answered is used again."
        ) from error


@dataclass(frozen=True)
class Resumable(Generic[Task, Outcome]):
    """A kind of run whose outcome is kept whole with it: what it is called, is about, and comes to."""

    kind: str
    what: str
    task: type[Task]
    outcome: type[Outcome]
    work_of: Callable[[Task], CarryOut[Outcome]]

    async def resume(
        self, workplace: Workplace, run_id: str, listeners: Sequence[Listener] = (), *, anyway: bool = False
    ) -> Outcome:
        """Takes a run up again; a finished one is handed back as it was. The workplace must be opened with the run's
        own settings. `anyway`: also when another process seems to be at it."""
        record = workplace.ledger.run(run_id)
        check_kind(record, self.kind, self.what)
        if record.status == "finished":
            with of_this_novum(record):
                return self.outcome.model_validate_json(record.result)
        task = task_of(record, self.kind, self.task, "task", self.what)
        reopened = workplace.ledger.reopen_run(record.id, anyway=anyway)
        return await run_session(workplace, reopened, listeners, self.work_of(task))


async def run_until_budget(
    workplace: Workplace,
    record: RunRecord,
    listeners: Sequence[Listener],
    carry_out: Callable[[Lab, RunRecord, float], Awaitable[SessionResult[Outcome]]],
) -> Outcome:
    """One session of work on a run, as `work_on`; the outcome also where the budget ended: the run is then stopped.

    Raises what `carry_out` raises.
    """
    outcome: list[Outcome] = []

    async def kept(lab: Lab, record: RunRecord, began: float) -> Outcome:
        done = await carry_out(lab, record, began)
        outcome.append(done.outcome)
        if done.stopped:
            raise BudgetSpent(done.stopped)
        return done.kept

    try:
        await run_session(workplace, record, listeners, kept)
    except BudgetSpent:
        if not outcome:
            raise
    return outcome[0]
