"""Tables in files: JSONL, CSV and Parquet, read row by row in bounded memory and written atomically.

Input is not trusted: a row that is malformed or too long is reported with its number and the rest is read.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import IO, Any

from novum.core.record import Value
from novum.credentials.redaction import redact
from novum.errors import BadInput
from novum.extras import missing_extra
from novum.files.atomic import atomic_path
from novum.files.inputs import check_input, open_text_input

LONGEST_ROW = 8 * 2**20
"""Characters of a line or a cell: an idea with its experiment has about ten thousand."""
SUFFIXES = (".jsonl", ".ndjson", ".csv")
_ROWS_AT_ONCE = 10_000
"""Rows of a Parquet file that are written at once."""
_ROWS_READ = 32
"""And read at once: a value that is repeated takes no place in the file, and its full length in memory."""
_MOST_TIMES, _ALWAYS_READ = 50, 256 * 2**20
"""A Parquet file may unpack to so many times its size, and to so many bytes in any case."""
_UNPACKS = "{file} unpacks to over fifty times its size, as no table of texts does. Write it again as JSONL or CSV."
_MOST_LISTED = 100
"""Rows that cannot be used and are listed one by one."""
_SURPLUS = "\0surplus"
"""Key of the cells beyond those that the header names."""
_FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a cell begins that spreadsheets read as a formula, some of them in wide characters too; and the same behind
apostrophes, so that each text can be told from those that got one."""
_NUMBER = re.compile(r"[+-]?(\d+(,\d{3})*(\.\d*)?|\.\d+)(e[+-]?\d+)?%?", re.IGNORECASE)
_CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

Row = Mapping[str, Any]
NumberedRows = Iterator[tuple[int, "Row | str"]]
"""Each row with its number in the file; instead of a row that cannot be used, what is wrong with it."""


def read_rows(file: Path) -> NumberedRows:
    """The rows of a JSONL or CSV file. Raises BadInput when it cannot be read or has another ending."""
    readers = {".jsonl": jsonl_rows, ".ndjson": jsonl_rows, ".csv": csv_rows}
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise BadInput(f"{file} is none of {', '.join(SUFFIXES)}: save it as one of these.")
    try:
        yield from reader(file)
    except (OSError, csv.Error) as error:
        raise BadInput(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def write_rows(rows: Iterable[Row], columns: Sequence[str], file: Path) -> None:
    """Writes a table atomically, as CSV or JSONL according to the ending of `file`.

    Of each row only `columns` are written; JSONL leaves out empty values. Raises OSError.
    """
    with atomic_path(file) as draft:
        if file.suffix == ".csv":
            write_csv(rows, columns, draft)
        else:
            write_jsonl(
                ({name: row[name] for name in columns if row.get(name) not in (None, "", [], {})} for row in rows),
                draft,
            )


def write_jsonl(rows: Iterable[Row], file: Path) -> None:
    """Writes one JSON object per line (not atomically). Raises OSError."""
    with file.open("w", encoding="utf-8", errors="replace") as opened:
        for row in rows:
            opened.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_csv(rows: Iterable[Row], columns: Sequence[str], file: Path) -> None:
    """Writes a CSV with a header (not atomically); lists and objects become JSON. Raises OSError."""
    with file.open("w", encoding="utf-8", errors="replace", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(map(csv_cell, columns))
        writer.writerows([csv_cell(_flat(row.get(name))) for name in columns] for row in rows)


def csv_text(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Header and rows as the text of a CSV with Unix line ends."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(csv_cell, header))
    writer.writerows(map(csv_cell, row) for row in rows)
    return out.getvalue()


def csv_cell(value: object) -> object:
    """A value as a cell that no spreadsheet takes for a formula.

    Text that begins like a formula gets an apostrophe in front, unless it is a number; `csv_rows` takes it off again.
    Control characters are left out, and line ends are those of Unix: Python's writer does not quote all others.
    """
    if not isinstance(value, str):
        return value
    text = _CONTROL.sub("", value.replace("\r\n", "\n").replace("\r", "\n"))
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def text_of_cell(text: str) -> str:
    """The text that `csv_cell` was given."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text) else text


@contextmanager
def csv_from_text(
    text: str, what: str, *, delimiters: str = ",;\t", strict: bool = False, longest: int = 2**17
) -> Iterator[csv.DictReader[str]]:
    """A reader of the CSV in `text`, with the one of `delimiters` that its first line has most of.

    `what` names the table in messages ("The ranking"); `longest`: characters of a cell. Raises BadInput, with the line,
    for text that is not valid CSV.
    """
    text = text.removeprefix("\ufeff")
    delimiter = max(delimiters, key=text.partition("\n")[0].count)
    reader = _CsvReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
    before = csv.field_size_limit(longest)
    try:
        yield reader
    except csv.Error as error:
        raise BadInput(f"{what} is no CSV (line {reader.line_num}: {error}): save it as CSV and try again.") from None
    finally:
        csv.field_size_limit(before)


def jsonl_rows(file: Path) -> NumberedRows:
    """The objects of a JSONL file, numbered by line. Raises OSError."""
    with open_text_input(file) as opened:
        for number, line in _lines(opened):
            if line is None:
                yield number, f"longer than {LONGEST_ROW:,} characters"
            elif line.strip():
                yield number, json_row(line)


def json_row(line: str) -> Row | str:
    """The JSON object in a line, or what is wrong with it."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"no JSON ({str(error)[:100]})"
    return row if isinstance(row, dict) else "no JSON object"


def csv_rows(file: Path) -> NumberedRows:
    """The rows of a CSV file by column name, numbered by the line on which they end. A row with more cells than the
    header is reported. Raises OSError and csv.Error."""
    before = csv.field_size_limit(LONGEST_ROW)
    try:
        with open_text_input(file, newline="") as opened:
            rows = _CsvReader(opened, restkey=_SURPLUS)
            for row in rows:
                cells = {str(name).strip(): value for name, value in row.items() if value is not None}
                yield rows.line_num, "more cells than the heading names" if _SURPLUS in cells else cells
    finally:
        csv.field_size_limit(before)


class _CsvReader(csv.DictReader):  # type: ignore[type-arg]  # takes none before Python 3.12
    """Reads what `csv_cell` wrote."""

    def __next__(self) -> dict[str | Any, str | Any]:
        row = super().__next__()
        return {name: text_of_cell(value) if isinstance(value, str) else value for name, value in row.items()}


def parquet_rows(file: Path, use: Callable[[str], bool] = lambda name: True) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, with the columns whose names `use` accepts, a few of them in memory. Raises
    OSError; BadInput without pyarrow, when the file is not valid Parquet, and when it unpacks to fifty times its size.
    """
    arrow, parquet = pyarrow(), import_module("pyarrow.parquet")
    check_input(file)
    try:
        with parquet.ParquetFile(file) as opened:
            columns = [name for name in opened.schema_arrow.names if use(name)]
            left = max(_MOST_TIMES * file.stat().st_size, _ALWAYS_READ)
            if _announced_bytes(opened.metadata) > left:
                raise BadInput(_UNPACKS.format(file=file))
            for batch in opened.iter_batches(batch_size=_ROWS_READ, columns=columns):
                rows = batch.to_pylist()
                left -= max(
                    batch.nbytes, sum(len(text) for row in rows for text in row.values() if isinstance(text, str))
                )
                if left < 0:
                    raise BadInput(_UNPACKS.format(file=file))
                yield from rows
    except (arrow.ArrowException, OverflowError, ValueError) as error:  # such as a date after the year 9999
        raise BadInput(f"{file} is no Parquet file that can be read: {str(error)[:200]}.") from error


def _announced_bytes(metadata: Any) -> int:
    """What the columns of a Parquet file take unpacked, as it says itself; a value that is repeated counts once."""
    return sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))


def write_parquet(rows: Iterable[Row], schema: Any, file: Path) -> None:
    """Writes a Parquet file (not atomically) with the pyarrow `schema`, a column of it that a row lacks as null; text
    has lone surrogates as question marks. Raises OSError; BadInput without pyarrow."""
    arrow, parquet = pyarrow(), import_module("pyarrow.parquet")
    waiting = iter(rows)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while chunk := list(islice(waiting, _ROWS_AT_ONCE)):
            columns = {name: [_encodable(row.get(name)) for row in chunk] for name in schema.names}
            writer.write_table(arrow.table(columns, schema=schema))


def pyarrow() -> Any:
    """The module pyarrow, which is optional. Raises BadInput when it is not installed."""
    try:
        return import_module("pyarrow")
    except ImportError:
        raise BadInput(f"{missing_extra('data', 'pyarrow', what='Parquet')} JSONL and CSV do not.") from None


class SkippedRow(Value):
    """A row, line or item of a list that could not be used."""

    where: str
    """Such as `line 3`."""
    why: str


@dataclass
class ImportLog:
    """Counts the rows of tables as they are read, and lists the first of those that cannot be used."""

    rows: int = 0
    refused: int = 0
    why: list[str] = field(default_factory=list)

    def each(self, rows: NumberedRows, name: str) -> Iterator[tuple[int, Row]]:
        """The rows that are well formed, with their numbers. `name`: of the table."""
        for number, row in rows:
            self.rows += 1
            if isinstance(row, str):
                self.refuse(f"{name}, row {number}", row)
            else:
                yield number, row

    def refuse(self, where: str, why: str) -> None:
        """Counts a row that cannot be used."""
        self.refused += 1
        if len(self.why) < _MOST_LISTED:
            self.why.append(f"{where}: {why}")


def columns_by_name(header: Iterable[str | None], spellings: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each name in `spellings` the first column of `header` that is spelled in one of these ways; names without a
    column are left out. Case, underscores and surrounding blanks do not count."""
    columns = {name.strip().casefold().replace("_", " "): name for name in reversed([*filter(None, header)])}
    found = {name: next((columns[each] for each in ways if each in columns), "") for name, ways in spellings.items()}
    return {name: column for name, column in found.items() if column}


def words_of(row: Row, column: str) -> str:
    """The text of a cell, unchanged; lists and objects as JSON; empty when there is none."""
    value = row.get(column)
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def text_of(row: Row, *columns: str) -> str:
    """The text of the first of these columns that is not blank, stripped; empty when all are."""
    return next((text for column in columns if (text := words_of(row, column).strip())), "")


def _flat(value: object) -> object:
    """Lists and objects as JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _encodable(value: Any) -> Any:
    """Text that UTF-8 can hold, without keys and passwords."""
    return redact(value.encode("utf-8", "replace").decode()) if isinstance(value, str) else value


def _lines(file: IO[str]) -> Iterator[tuple[int, str | None]]:
    """Numbered lines; None for a line that is too long, which is skipped without being held in memory."""
    number = 0
    while line := file.readline(LONGEST_ROW):
        number += 1
        if len(line) < LONGEST_ROW or line.endswith("\n"):
            yield number, line
            continue
        while (rest := file.readline(LONGEST_ROW)) and not rest.endswith("\n"):
            pass
        yield number, None
