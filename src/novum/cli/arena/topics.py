"""Topics looked for in papers: one session of work, and the list that it leaves."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from novum.benchmarks.arena.durable import ARENA_TOPICS, TopicSearchTask
from novum.benchmarks.arena.topics import COLUMNS, TopicList
from novum.cli.arena.options import tell_refused
from novum.cli.shell.durable import start_run
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.terminal import print_json
from novum.errors import BadInput
from novum.files.tables import write_rows
from novum.reports.phrases import count
from novum.settings import LoadedSettings


def found_topics(settings: LoadedSettings, since: dt.date, number: int, *, quiet: bool, fresh: bool) -> TopicList:
    """Topics of papers; those that gave none are printed."""
    found = start_run(ARENA_TOPICS, settings, TopicSearchTask(since=since, papers=number), quiet=quiet, fresh=fresh)
    tell_refused(found, "paper")
    return found


def show_stored(found: TopicList, output: OutputOptions) -> None:
    """Writes the topics of a stored run; `out`: a file, or a folder for it."""
    tell_refused(found, "paper")
    if output.as_json:
        print_json(found.model_dump(mode="json"))
    file = output.table("", "topics.jsonl")
    write_topics(found, file)
    output.note(f"{file}: {count(len(found.topics), 'topic')}")


def write_topics(found: TopicList, out: Path) -> None:
    """The list as a file, all of it or nothing. Raises BadInput where it cannot be written."""
    try:
        write_rows((each.model_dump() for each in found.topics), COLUMNS, out)
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror or error}. Name another file by --out.") from error
