"""A pilot: a few keywords measured for real, so that a plan can reckon with what calls take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from novum.benchmarks.liveidea.durable import LIVEIDEA
from novum.benchmarks.liveidea.keywords import sample_keywords
from novum.benchmarks.liveidea.task import LiveIdeaTask
from novum.cli.shell.durable import run_durable as carry_out_run
from novum.errors import BadInput
from novum.ledger import Share
from novum.reports.phrases import count
from novum.runs.engine import start

if TYPE_CHECKING:
    from novum.benchmarks.liveidea.records import LiveIdeaRun
    from novum.lab import Workplace
    from novum.ledger.run import Listener
    from novum.settings import LoadedSettings


def carried_out(
    settings: LoadedSettings, assignment: LiveIdeaTask, keywords: int, *, quiet: bool
) -> tuple[Sequence[Share], str]:
    """What the calls of a pilot took, and the words for it. The real run finds its answers in the ledger.

    Raises BadInput where no call was answered.
    """
    few = sample_keywords(assignment.keywords, keywords, settings.values.seed)
    pilot = assignment.model_copy(update={"keywords": few, "anchors": None})  # judging them is as judging ideas
    shares: list[Share] = []

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> LiveIdeaRun:
        run = await start(LIVEIDEA, workplace, pilot, listeners)
        shares.extend(await workplace.ledger.shares(run.name))
        return run

    run = carry_out_run(settings, job, quiet=quiet, shown_by="novum liveidea score")
    if not shares:
        raise BadInput(f"The pilot {run.name} got no answer: `novum runs show {run.name}` tells why.")
    return shares, f"a pilot on {count(len(few), 'keyword')} ({run.name})"
