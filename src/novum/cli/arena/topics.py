"""Topics looked for in papers: one session of work, and the list that it leaves."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from novum.benchmarks.arena.durable import find_topics
from novum.benchmarks.arena.topics import COLUMNS, TopicList
from novum.cli.arena.options import tell_refused
from novum.cli.shell.interrupt import run_stoppable, say_last_words
from novum.cli.shell.progress import Progress
from novum.cli.shell.watch import watching
from novum.errors import BadInput
from novum.files.tables import write_rows
from novum.lab import Workplace
from novum.settings import LoadedSettings

_STOPPED = "Stopped. Every answer so far is kept: ask for the same again, and the work goes on from here."


def found_topics(settings: LoadedSettings, since: dt.date, number: int, *, quiet: bool, fresh: bool) -> TopicList:
    """Topics of papers, watched; those that gave none are told."""
    with watching(Progress(), quiet=quiet) as watcher:

        async def work() -> TopicList:
            async with Workplace(settings) as place:
                return await find_topics(place, since, number, [watcher], fresh=fresh)

        found = run_stoppable(work(), lambda: _STOPPED, lambda: say_last_words(_STOPPED))
    tell_refused(found, "paper")
    return found


def write_topics(found: TopicList, out: Path) -> None:
    """The list as a file, all of it or nothing. Raises BadInput where it cannot be written."""
    try:
        write_rows((each.model_dump() for each in found.topics), COLUMNS, out)
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror or error}. Name another file by --out.") from error
