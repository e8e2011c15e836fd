"""A run as files that others can check: the table of ideas and critiques as JSONL, CSV or Parquet, side tables for what
the published layout has no place for, `run.json`, and a data card.

Reading takes one of the tables, or the folder; side tables and `run.json` beside a table of this layout are read too.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from novum.benchmarks.liveidea.card import card
from novum.benchmarks.liveidea.dataset import COLUMNS, FLAGS, NUMBERS, WHOLE, rows_of
from novum.benchmarks.liveidea.importing import ImportedRun, run_of
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.benchmarks.liveidea.side_tables import SIDE_TABLES, SideTable
from novum.core.record import first_error
from novum.errors import BadInput
from novum.files.atomic import atomic_path
from novum.files.inputs import read_plain
from novum.files.tables import (
    NumberedRows,
    csv_rows,
    jsonl_rows,
    parquet_rows,
    pyarrow,
    write_csv,
    write_jsonl,
    write_parquet,
)

FORMATS = ("jsonl", "csv", "parquet")
HEADER, CARD, STEM = "run.json", "README.md", "ideas"
LARGEST_HEADER = 64 * 2**20
"""Bytes of `run.json`."""
_LONGEST_HEAD = 10_000
"""Characters of a table's first line that are read to recognise it."""


def write_dataset(run: LiveIdeaRun, folder: Path, formats: Iterable[str] = ("jsonl", "csv")) -> list[Path]:
    """Writes the table in each of `formats`, side tables that have rows, `run.json` and the card; returns the files.

    Each file is written atomically. Raises BadInput when the folder cannot be written or holds another file under one
    of these names, and for a format that is unknown or whose package is not installed.
    """
    names = list(dict.fromkeys(formats))
    check_formats(names)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        side_tables = [table for table in SIDE_TABLES if next(table.rows(run), None) is not None]
        _check_names_are_free(side_tables, folder)
        for name in names:
            _write_table(run, name, folder / f"{STEM}.{name}")
        for table in SIDE_TABLES:
            _write_side_table(run, table, folder / table.file, empty=table not in side_tables)
        tables = [*(f"{STEM}.{name}" for name in names), *(table.file for table in side_tables)]
        texts = {HEADER: _without_records(run).model_dump_json(indent=1), CARD: card(run, tables)}
        for name, text in texts.items():
            with atomic_path(folder / name) as draft:
                draft.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInput(f"The data set cannot be written to {folder}: {why}. Name another folder by --out.") from error
    return [folder / name for name in (*tables, *texts)]


def check_formats(names: Iterable[str]) -> None:
    """Raises BadInput for a format that is unknown, or whose package is not installed."""
    for name in names:
        if name not in FORMATS:
            raise BadInput(f"There is no format {name!r}: choose of {', '.join(FORMATS)}.")
        if name == "parquet":
            pyarrow()


def read_dataset(place: Path) -> ImportedRun:
    """The run in a table, or in a folder with one; a table named `ideas` is read with the `run.json` beside it.

    Raises BadInput when it cannot be read or has no ideas.
    """
    file = _table_in(place) if place.is_dir() else place
    readers = {".jsonl": jsonl_rows, ".ndjson": jsonl_rows, ".csv": _csv_rows, ".parquet": _parquet_rows}
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise BadInput(f"{file} is none of {', '.join(readers)}: give a table of ideas and critiques.")
    with _readable(file):
        header = _header(file.parent / HEADER) if file.stem == STEM else None  # another table is not of that run
        imported = run_of(reader(file), file.name, header)
    for table in SIDE_TABLES if header is not None or place.is_dir() else ():
        beside = file.with_name(table.file)
        with _readable(beside):
            if _is_side_table(beside, table):
                table.take(imported, _csv_rows(beside))
    return imported


# -- writing ----------------------------------------------------------------------------------------------------------


def _write_table(run: LiveIdeaRun, form: str, file: Path) -> None:
    rows = rows_of(run)
    with atomic_path(file) as draft:
        if form == "csv":
            write_csv(rows, COLUMNS, draft)
        elif form == "parquet":
            write_parquet(rows, _schema(), draft)
        else:
            write_jsonl(({name: value for name, value in row.items() if value is not None} for row in rows), draft)


def _schema() -> Any:
    """Scores are floats, since models give 7.5 too."""
    arrow = pyarrow()
    types = {name: arrow.large_string() for name in COLUMNS}
    types |= dict.fromkeys(FLAGS, arrow.bool_()) | dict.fromkeys(NUMBERS, arrow.float64())
    types |= dict.fromkeys(WHOLE, arrow.int64())
    return arrow.schema([(name, types[name]) for name in COLUMNS])


def _write_side_table(run: LiveIdeaRun, table: SideTable, file: Path, *, empty: bool) -> None:
    """An empty table is not written, and one that an earlier export left there is removed."""
    if not empty:
        with atomic_path(file) as draft:
            write_csv(table.rows(run), table.columns, draft)
    elif _is_side_table(file, table):
        file.unlink()


def _check_names_are_free(tables: Iterable[SideTable], folder: Path) -> None:
    """Raises BadInput rather than overwrite a file of the user, such as the anchors that a run was given."""
    for table in tables:
        file = folder / table.file
        if file.exists() and not _is_side_table(file, table):
            raise BadInput(
                f"{file} is there already and is another file: nothing was written. Name another "
                "folder by --out: `novum liveidea score` writes it too, and calls no model."
            )


def _is_side_table(file: Path, table: SideTable) -> bool:
    """Whether the file exists and has the columns of such a table in its first line."""
    if not file.is_file():
        return False
    with file.open(encoding="utf-8-sig", errors="replace") as opened:
        return table.is_headed([name.strip(' "\n') for name in opened.readline(_LONGEST_HEAD).split(",")])


# -- reading ----------------------------------------------------------------------------------------------------------


@contextmanager
def _readable(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, csv.Error) as error:
        raise BadInput(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def _table_in(folder: Path) -> Path:
    for suffix in ("jsonl", "parquet", "csv"):
        if (file := folder / f"{STEM}.{suffix}").is_file():
            return file
    raise BadInput(f"The folder {folder} holds no {STEM}.jsonl, .parquet or .csv: name the file itself.")


def _csv_rows(file: Path) -> NumberedRows:
    """An empty cell is a missing value."""
    for number, row in csv_rows(file):
        yield number, row if isinstance(row, str) else {name: value or None for name, value in row.items()}


def _parquet_rows(file: Path) -> NumberedRows:
    yield from enumerate(parquet_rows(file, {*COLUMNS, "keyword"}.__contains__), 1)


def _header(file: Path) -> LiveIdeaRun | None:
    if not file.is_file():
        return None
    if file.stat().st_size > LARGEST_HEADER:
        raise BadInput(f"{file} is far too large to describe a run. Remove it, or fix it, and try again.")
    try:
        return _without_records(LiveIdeaRun.model_validate_json(read_plain(file)))
    except ValidationError as error:
        raise BadInput(
            f"{file} does not describe a run of Novum ({first_error(error)}). Move it away to read the table alone."
        ) from error


def _without_records(run: LiveIdeaRun) -> LiveIdeaRun:
    return run.model_copy(update={"ideas": (), "judgements": (), "anchor_judgements": (), "informed": ()})
