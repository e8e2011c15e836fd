"""Tables in files, read row by row and written whole: JSONL and CSV. Nothing in them is believed, and no row is longer
than it may be.
"""

from __future__ import annotations

import csv
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from novum.errors import BadInput

LONGEST = 8 * 2**20
"""Characters of a line or a cell: an idea with its experiment has some ten thousand."""
SUFFIXES = (".jsonl", ".ndjson", ".csv")

Row = Mapping[str, Any]
Numbered = Iterator[tuple[int, "Row | str"]]
"""Each row with its number in the file, or with what is wrong with it."""


def read_rows(file: Path) -> Numbered:
    """The rows of a JSONL or CSV file. Raises BadInput where it cannot be read, or is of another kind."""
    ways = {".jsonl": jsonl_rows, ".ndjson": jsonl_rows, ".csv": csv_rows}
    way = ways.get(file.suffix.lower())
    if way is None:
        raise BadInput(f"{file} is none of {', '.join(SUFFIXES)}: save it as one of these.")
    try:
        yield from way(file)
    except (OSError, csv.Error) as error:
        raise BadInput(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def write_rows(rows: Iterable[Row], columns: Sequence[str], file: Path) -> None:
    """Writes a table in the form that the file's name tells; cells without a value are left out of JSONL. The file
    appears whole or not at all. Raises OSError.
    """
    with whole(file) as place:
        if file.suffix == ".csv":
            with place.open("w", encoding="utf-8", errors="replace", newline="") as opened:
                writer = csv.DictWriter(opened, columns, extrasaction="ignore")
                writer.writeheader()
                writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
            return
        with place.open("w", encoding="utf-8", errors="replace") as opened:
            for row in rows:
                told = {name: row[name] for name in columns if row.get(name) not in (None, "", [], {})}
                opened.write(json.dumps(told, ensure_ascii=False) + "\n")


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """A place beside `file` to write to, which takes its name at the end."""
    place = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        yield place
        place.replace(file)
    finally:
        place.unlink(missing_ok=True)


def words_of(row: Row, column: str) -> str:
    """What a column says, to the last blank; empty where there is nothing."""
    value = row.get(column)
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def text_of(row: Row, *columns: str) -> str:
    """The first of these columns with anything in it, without blanks around it; empty where there is none."""
    return next((text for column in columns if (text := words_of(row, column).strip())), "")


def _cell(value: object) -> object:
    """Lists and objects of a CSV as JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def jsonl_rows(place: Path) -> Numbered:
    """Raises OSError."""
    with place.open(encoding="utf-8-sig", errors="replace") as file:
        for number, line in _lines(file):
            if line is None:
                yield number, f"longer than {LONGEST:,} characters"
            elif line.strip():
                yield number, _object(line)


def _lines(file: IO[str]) -> Iterator[tuple[int, str | None]]:
    """Numbered lines; None for one that is too long, which is read over without being kept."""
    number = 0
    while line := file.readline(LONGEST):
        number += 1
        if len(line) < LONGEST or line.endswith("\n"):
            yield number, line
            continue
        while (rest := file.readline(LONGEST)) and not rest.endswith("\n"):
            pass
        yield number, None


def _object(line: str) -> Row | str:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"no JSON ({str(error)[:100]})"
    return row if isinstance(row, dict) else "no JSON object"


def csv_rows(place: Path) -> Numbered:
    """Numbered by the line that a row ends on. A row with more cells than the heading names is told. Raises OSError and
    csv.Error."""
    before = csv.field_size_limit(LONGEST)
    try:
        with place.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            rows = csv.DictReader(file, restkey=_BEYOND)
            for row in rows:
                cells = {str(name).strip(): value for name, value in row.items() if value is not None}
                yield rows.line_num, "more cells than the heading names" if _BEYOND in cells else cells
    finally:
        csv.field_size_limit(before)


_BEYOND = "\0beyond"
