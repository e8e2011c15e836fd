"""How `novum runs resume` goes on with a run of each kind. A kind is one entry of the table at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from novum.lab import Workplace
    from novum.ledger import RunRecord
    from novum.ledger.run import Listener
    from novum.runs.engine import RunReport
    from novum.settings import LoadedSettings


@dataclass(frozen=True)
class Wishes:
    """What the command line asks of the outcome."""

    out: Path | None
    as_json: bool
    quiet: bool
    anyway: bool


def go_on(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    """Carries the run on and shows what came of it."""
    _RESUMED.get(record.kind, _ideas)(record, settings, wishes)


def _ideas(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.shell.session import Manner, work
    from novum.runs import engine as runs

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> RunReport:
        return await runs.resume(workplace, record.id, listeners, anyway=wishes.anyway)

    manner = Manner(wishes.out, wishes.as_json, wishes.quiet, record.kind)
    work(settings, job, manner, why="as when the run began", run_id=record.id)


def _measurement(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.liveidea.commands import resume_measurement
    from novum.cli.liveidea.session import Manner

    manner = Manner(wishes.out, wishes.as_json, wishes.quiet)
    resume_measurement(record.id, settings, manner, anyway=wishes.anyway)


def _arena(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.arena.commands import resume_arena
    from novum.cli.arena.session import Manner

    resume_arena(record.id, settings, Manner(wishes.out, wishes.as_json, wishes.quiet), anyway=wishes.anyway)


def _foresight(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.foresight.commands import resume_foresight
    from novum.cli.foresight.session import Manner

    resume_foresight(record.id, settings, Manner(wishes.out, wishes.as_json, wishes.quiet), anyway=wishes.anyway)


def _judging(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.judge.commands import resume_judging

    resume_judging(record.id, settings, as_json=wishes.as_json, quiet=wishes.quiet, anyway=wishes.anyway)


def _judge_data(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.data.judge import resume_judge_data

    resume_judge_data(record.id, settings, as_json=wishes.as_json, quiet=wishes.quiet, anyway=wishes.anyway)


def _judge_evaluation(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.judge.evaluate import resume_evaluation
    from novum.cli.judge.evaluate_session import Manner

    resume_evaluation(record.id, settings, Manner(wishes.out, wishes.as_json, wishes.quiet), anyway=wishes.anyway)


def _review(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.ideas.review import resume_review

    resume_review(record.id, settings, wishes)


def _filter(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.ideas.filter import resume_filter

    resume_filter(record.id, settings, wishes)


def _bulk(record: RunRecord, settings: LoadedSettings, wishes: Wishes) -> None:
    from novum.cli.ideas.bulk import resume_bulk

    resume_bulk(record.id, settings, wishes)


_RESUMED: Mapping[str, Callable[[RunRecord, LoadedSettings, Wishes], None]] = {
    "liveidea": _measurement,
    "arena": _arena,
    "foresight": _foresight,
    "judge": _judging,
    "judge-data": _judge_data,
    "judge-evaluation": _judge_evaluation,
    "review": _review,
    "filter": _filter,
    "bulk": _bulk,
}
"""By the kind that the run's record tells; all others had ideas or explored."""
