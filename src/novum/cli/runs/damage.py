"""`novum runs check` and `salvage`: the ledger's file, its damage, and what can be saved of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.terminal import one_line, print_json, print_line, print_table
from novum.errors import BadInput, LedgerError
from novum.files.inputs import check_input
from novum.ledger.damaged import LedgerCheck, check_file
from novum.ledger.salvage import salvage
from novum.reports.phrases import count
from novum.settings import load_settings

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@examples("novum runs check")
def check_ledger(as_json: AsJson = False) -> None:
    """Check the file of the ledger: whether it is damaged, and how many rows of each table can be read.

    The file is not changed. The exit code is 2 where something is damaged.
    """
    file = _ledger_file()
    try:
        found = check_file(file)
    except OSError as error:
        raise LedgerError(f"{file} cannot be read: {error.strerror}. Check its permissions.") from error
    if as_json:
        print_json(_as_json(file, found))
    else:
        _print_check(file, found)
    if found.is_foreign:
        raise LedgerError(
            f"{file} holds nothing of a ledger. Give another place by NOVUM_LEDGER, or move this file away."
        )
    if not found.is_fine:
        raise LedgerError(f"{file} is damaged. Save what can be read: novum runs salvage")


@examples("novum runs salvage")
def salvage_ledger() -> None:
    """Copy every row that can be read into a new ledger, and keep the damaged file under another name.

    End all other commands first. No file is overwritten.
    """
    result = salvage(_ledger_file())
    rows = [(name, f"{number:,}") for name, number in result.saved.items()]
    print_table(("table", "rows saved"), rows)
    print_line(f"The ledger is {result.ledger} again. The damaged file is now {result.damaged}.")


def _ledger_file() -> Path:
    place = load_settings().ledger_place
    if not isinstance(place, Path):
        raise BadInput("The ledger is in a database server: check it with the tools of that server.")
    check_input(place)
    if not place.is_file():
        raise BadInput(f"There is no ledger at {place} yet: the first run makes it.")
    return place


def _print_check(file: Path, found: LedgerCheck) -> None:
    rows = [
        (
            each.table.name,
            "missing" if each.missing else f"{each.rows:,}",
            f"{each.unreadable:,}",
            f"{found.orphans.get(each.table.name, 0):,}",
            one_line(each.problem, 120),
        )
        for each in found.tables
    ]
    print_table(("table", "readable rows", "unreadable", "without their run", "first problem"), rows)
    for problem in found.integrity:
        print_line(f"SQLite: {one_line(problem, 200)}")
    for problem in found.losses:
        print_line(f"Lost: {one_line(problem, 200)}")
    if found.is_fine:
        runs = next(each.rows for each in found.tables if each.table.name == "runs")
        print_line(f"{file} is fine: {count(runs, 'run')}.")


def _as_json(file: Path, found: LedgerCheck) -> dict[str, object]:
    tables = {
        each.table.name: {
            "readable": each.rows,
            "unreadable": each.unreadable,
            "missing": each.missing,
            "without_run": found.orphans.get(each.table.name, 0),
            "problem": each.problem,
        }
        for each in found.tables
    }
    return {
        "file": str(file),
        "fine": found.is_fine,
        "integrity": found.integrity,
        "losses": found.losses,
        "tables": tables,
    }
