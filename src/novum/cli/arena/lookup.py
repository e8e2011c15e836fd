"""Arenas as the commands name them: a run, or files of matches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from novum.benchmarks.arena.exporting import ImportedArena, ImportLog
    from novum.benchmarks.arena.records import ArenaRun
    from novum.ledger import RunRecord

_TOLD = 20


def run_named(name: str) -> ArenaRun:
    """The arena that a user names: by a run's id, its beginning or `last`, or by a file or folder of matches.

    Asks no model. Rows of a file that could not be read are told. Raises BadInput where there is no such thing.
    """
    return read_file(Path(name)) if Path(name).exists() else recalled(record_named(name))


def read_file(place: Path) -> ArenaRun:
    """Matches of ours or of others; what could not be read of them is told."""
    from novum.benchmarks.arena.exporting import read_arena
    from novum.errors import BadInput

    if not place.exists():
        raise BadInput(f"{place} does not exist. Name a file of matches, or a folder that holds one (docs: Arena).")
    found = read_arena(place)
    tell_unread(found)
    return found.run


def tell_unread(reading: ImportLog | ImportedArena) -> None:
    """Rows that do not count, on stderr."""
    from novum.cli.shell.terminal import one_line, print_message

    for why in reading.why[:_TOLD]:
        print_message(one_line(f"Left out: {why}", 300))
    if reading.refused:
        print_message(f"{reading.refused:,} of {reading.rows:,} rows could not be read and were left out.")


def record_named(name: str) -> RunRecord:
    """An arena in the ledger; `last` is the newest one. Raises BadInput where there is none."""
    from novum.benchmarks.arena.durable import ARENA
    from novum.cli.shell import durable

    return durable.record_named(
        name, ARENA.name, "There was no arena yet. Begin: novum arena run --topics FILE --method METHOD,METHOD"
    )


def recalled(record: RunRecord) -> ArenaRun:
    """The records of an arena as far as it came, from the ledger."""
    from novum.benchmarks.arena.durable import ARENA
    from novum.cli.shell import durable

    return durable.replay_run(ARENA, record)
