"""Durable runs for a user: watched, stoppable with Ctrl-C, and always with a hint how to resume; or found by name and
replayed without calling a model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from novum.cli.shell.interrupt import print_last_words, run_stoppable
from novum.cli.shell.watch import watching
from novum.errors import BadInput, BudgetSpent, NovumError
from novum.garbage import keep_what_is_loaded
from novum.lab import Workplace
from novum.ledger import Ledger, RunRecord
from novum.ledger.run import Listener
from novum.runs.engine import OutcomeType, RunKind, TaskType, replay, resume, settings_of, start, task_of
from novum.runs.kinds import command_for
from novum.runs.progress import RunProgress
from novum.settings import LoadedSettings, load_settings

REPLAYING = "Stopped. No model was called, and nothing is lost."
Returned = TypeVar("Returned")
Job = Callable[[Workplace, Sequence[Listener]], Awaitable[Returned]]


def start_run(
    kind: RunKind[TaskType, OutcomeType], settings: LoadedSettings, task: TaskType, *, quiet: bool, fresh: bool = False
) -> OutcomeType:
    """Starts a run and returns its outcome."""

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> OutcomeType:
        return await start(kind, workplace, task, listeners, fresh=fresh)

    return run_durable(settings, job, quiet=quiet, shown_by=command_for(kind.name))


def resume_run(
    kind: RunKind[Any, OutcomeType], record: RunRecord, settings: LoadedSettings, *, quiet: bool, force: bool = False
) -> OutcomeType:
    """Resumes a stored run and returns its outcome."""
    task_of(kind, record)

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> OutcomeType:
        return await resume(kind, workplace, record.id, listeners, force=force)

    return run_durable(settings, job, quiet=quiet, run_id=record.id, shown_by=command_for(kind.name))


def replay_run(kind: RunKind[Any, OutcomeType], record: RunRecord) -> OutcomeType:
    """The outcome of a stored run as far as it came, from the ledger, under the settings that it was started with."""
    task_of(kind, record)

    async def work() -> OutcomeType:
        async with Workplace(load_settings(settings_of(record))) as workplace:
            return await replay(kind, workplace, record.id)

    return run_stoppable(work(), lambda: REPLAYING, lambda: print_last_words(REPLAYING))


def check_finished(outcome: Any, run_id: str) -> None:
    """Raises BudgetSpent for an outcome that the budget had cut short, with how to continue."""
    if stopped := getattr(outcome, "stopped", ""):
        raise BudgetSpent(f"{stopped} What is shown is incomplete. {resume_hint(run_id)}")


def run_durable(
    settings: LoadedSettings, job: Job[Returned], *, quiet: bool, run_id: str = "", shown_by: str = "",
    drawn: bool = True,
) -> Returned:  # fmt: skip
    """The outcome of `job`, watched and stoppable. Raises what it raises, with a note on how to resume.

    `run_id`: of a run that is resumed. `shown_by`: the command that shows what a stopped run has come to. `drawn`:
    progress as a tree, on a terminal.
    """
    progress = RunProgress(run_id)

    def message() -> str:
        if not progress.run_id:
            return "Stopped before the run began; no model was called."
        shown = f" `{shown_by} {progress.run_id}` shows the results so far." if shown_by else ""
        return f"Stopped. Every answer so far is recorded. {resume_hint(progress.run_id)}.{shown}"

    with watching(progress, quiet=quiet, drawn=drawn) as watcher:

        async def work() -> Returned:
            async with Workplace(settings) as workplace:
                keep_what_is_loaded()
                return await job(workplace, [watcher])

        try:
            return run_stoppable(work(), message, lambda: print_last_words(message()))
        except NovumError as error:
            if progress.run_id and progress.run_id not in str(error):
                error.add_note(resume_hint(progress.run_id))
            raise


def resume_hint(run_id: str) -> str:
    """How to resume a run."""
    return f"Resume it: novum runs resume {run_id}"


def record_named(name: str, kind: str, without: str) -> RunRecord:
    """A run in the ledger; `last` is the newest of this kind. Raises BadInput saying `without` where there is none."""
    with Ledger.open(load_settings().ledger_place) as ledger:
        if name != "last":
            return ledger.run(name)
        newest = next((record for record in ledger.runs() if record.kind == kind), None)
    if newest is None:
        raise BadInput(without)
    return newest
