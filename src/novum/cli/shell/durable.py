"""Durable runs before a user's eyes: carried out, watched, stopped by Ctrl-C and always told how to go on; or found
again by name and read without asking anybody.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from novum.cli.shell.interrupt import run_stoppable, say_last_words
from novum.cli.shell.progress import Progress
from novum.cli.shell.session import resume_hint
from novum.cli.shell.watch import watching
from novum.errors import BadInput, NovumError
from novum.lab import Workplace
from novum.ledger import Ledger, RunRecord
from novum.ledger.run import Listener
from novum.runs.engine import settings_of
from novum.settings import LoadedSettings, load_settings

RECALLING = "Stopped. Nothing was asked, and nothing is lost."
Outcome = TypeVar("Outcome")
Job = Callable[[Workplace, Sequence[Listener]], Awaitable[Outcome]]


def carried_out(
    settings: LoadedSettings, job: Job[Outcome], *, quiet: bool, run_id: str = "", shown_by: str = ""
) -> Outcome:
    """What `job` brings. Raises what it raises, with a note on how to go on.

    `run_id`: of a run taken up again. `shown_by`: the command that shows what a stopped run has come to.
    """
    progress = Progress(run_id)

    def message() -> str:
        if not progress.run_id:
            return "Stopped before the run began; nothing was asked."
        shown = f"; `{shown_by} {progress.run_id}` shows what there is." if shown_by else ""
        return f"Stopped. Every answer so far is kept. {resume_hint(progress.run_id)}{shown}"

    with watching(progress, quiet=quiet) as watcher:

        async def work() -> Outcome:
            async with Workplace(settings) as place:
                return await job(place, [watcher])

        try:
            return run_stoppable(work(), message, lambda: say_last_words(message()))
        except NovumError as error:
            if progress.run_id and progress.run_id not in str(error):
                error.add_note(resume_hint(progress.run_id))
            raise


def record_named(name: str, kind: str, without: str) -> RunRecord:
    """A run in the ledger; `last` is the newest of this kind. Raises BadInput saying `without` where there is none."""
    with Ledger.open(load_settings().ledger_place) as ledger:
        if name != "last":
            return ledger.run(name)
        newest = next((record for record in ledger.runs() if record.kind == kind), None)
    if newest is None:
        raise BadInput(without)
    return newest


def recalled(record: RunRecord, recall: Callable[[Workplace, str], Awaitable[Outcome]]) -> Outcome:
    """What a run has come to, from the ledger, under the settings that it was started with."""
    settings = load_settings(settings_of(record))

    async def work() -> Outcome:
        async with Workplace(settings) as place:
            return await recall(place, record.id)

    return run_stoppable(work(), lambda: RECALLING, lambda: say_last_words(RECALLING))
