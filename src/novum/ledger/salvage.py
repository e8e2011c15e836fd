"""Copying what is readable in a damaged ledger into a new one."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Table, func, select

from novum.errors import BadInput, LedgerError
from novum.files.sqlite import beside
from novum.ledger import schema
from novum.ledger.damaged import LedgerCheck, Row, check_file
from novum.ledger.opening import opened
from novum.ledger.rows import stored_row
from novum.ledger.writer import insert_ignoring_existing


@dataclass(frozen=True)
class SalvageResult:
    """What was saved."""

    ledger: Path
    """The new ledger, in the place of the damaged one."""
    damaged: Path
    """The damaged file under its new name."""
    found: LedgerCheck
    saved: dict[str, int]
    """Rows of each table in the new ledger."""


def salvage(file: Path) -> SalvageResult:
    """Copies every readable row of a ledger file into a new one, which takes its place; the old file is kept under
    another name. No file is ever overwritten. Raises BadInput where nothing is damaged, LedgerError where the files
    cannot be written.
    """
    stamp = time.strftime("%Y%m%d-%H%M%S")
    new, kept = (_unused(file.with_name(f"{file.stem}.{what}-{stamp}{file.suffix}")) for what in ("new", "damaged"))
    try:
        try:
            found, saved = _copied(file, new)
        except Exception:  # of any kind: the half file goes, and the error goes on
            _remove(new)
            raise
        if found.is_foreign:
            _remove(new)
            raise BadInput(
                f"{file} holds nothing of a ledger, so nothing was changed. Move it away, and the next run makes a "
                "ledger, or give another place by NOVUM_LEDGER."
            )
        if found.is_fine:
            _remove(new)
            raise BadInput(f"Nothing in {file} is damaged, so nothing was changed.")
        for part, name in zip((file, *beside(file)), (kept, *beside(kept)), strict=True):
            if part.exists():
                part.rename(name)
        new.rename(file)
    except OSError as error:
        raise LedgerError(f"{file} cannot be salvaged: {error}. Free some disk space, or check the folder.") from error
    return SalvageResult(file, kept, found, saved)


def _copied(file: Path, new: Path) -> tuple[LedgerCheck, dict[str, int]]:
    engine = opened(new)
    try:
        with engine.begin() as connection:
            found = check_file(file, lambda table, row: _insert(connection, table, row))
            saved = {
                name: connection.execute(select(func.count()).select_from(table)).scalar_one()
                for name, table in schema.metadata.tables.items()
            }
    finally:
        engine.dispose()
    return found, saved


def _insert(connection: Connection, table: Table, row: Row) -> None:
    stored = stored_row(table, row)
    connection.exec_driver_sql(insert_ignoring_existing(table, tuple(stored), 1), tuple(stored.values()))


def _unused(file: Path) -> Path:
    if file.exists():
        raise LedgerError(f"{file} exists already and is not overwritten. Try again in a second.")
    return file


def _remove(file: Path) -> None:
    for part in (file, *beside(file)):
        with suppress(FileNotFoundError):
            part.unlink()
