"""Runs and data sets of LiveIdeaBench as the commands name them: one run, or one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from novum.benchmarks.liveidea.importing import ImportedRun
    from novum.benchmarks.liveidea.records import LiveIdeaRun
    from novum.ledger import RunRecord

_TOLD = 20


def run_named(name: str) -> LiveIdeaRun:
    """The run that a user names: by its id, its beginning or `last`, or by a data set's file or folder.

    Asks no model. Rows of a file that could not be read are told. Raises BadInput where there is no such thing.
    """
    from novum.cli.shell.terminal import one_line
    from novum.errors import BadInput

    if _is_there(name):
        return read_file(Path(name)).run
    if _means_a_file(name):
        raise BadInput(
            f"{one_line(name, 300)}: no such file or folder. Name a data set (.jsonl, .csv, .parquet, or its folder), "
            "or a run by its id, its beginning or `last`; `novum runs list` shows the runs."
        )
    return recalled(record_named(name))


def _is_there(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:  # far too long for a name
        return False


def _means_a_file(name: str) -> bool:
    """No id of a run has a suffix or a slash."""
    return bool(Path(name).suffix) or any(sign in name for sign in "/\\")


def read_file(place: Path) -> ImportedRun:
    """A data set, ours or one that others made; what could not be read of it is told."""
    from novum.benchmarks.liveidea.exporting import read_dataset
    from novum.cli.shell.terminal import one_line, print_message

    found = read_dataset(place)
    for why in found.why[:_TOLD]:
        print_message(one_line(f"Left out: {why}", 300))
    if found.refused:
        print_message(f"{found.refused:,} of {found.rows:,} rows could not be read and were left out.")
    return found


def record_named(name: str) -> RunRecord:
    """A measurement in the ledger; `last` is the newest one. Raises BadInput where there is none."""
    from novum.benchmarks.liveidea.durable import LIVEIDEA
    from novum.cli.shell import durable

    return durable.record_named(
        name, LIVEIDEA.name, "No models were measured yet. Begin: novum liveidea run --model PROVIDER:MODEL"
    )


def recalled(record: RunRecord) -> LiveIdeaRun:
    """The records of a run as far as it came, from the ledger."""
    from novum.benchmarks.liveidea.durable import LIVEIDEA
    from novum.cli.shell import durable

    return durable.replay_run(LIVEIDEA, record)
