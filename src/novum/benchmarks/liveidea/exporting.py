"""A run as files that others can check: the table as JSONL and CSV (and Parquet, with pyarrow), what was judged beside
the published layout, what it was made by, and a card that tells what it is.

Reading takes any one of the tables, or the folder; what stands beside a table of ours is read with it. Files are read
line by line; what is too long is refused.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from novum.benchmarks.liveidea.card import card
from novum.benchmarks.liveidea.dataset import COLUMNS, FLAGS, NUMBERS, WHOLE, Row, rows_of
from novum.benchmarks.liveidea.importing import ReadBack, run_of
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.benchmarks.liveidea.side_tables import SIDES, Side
from novum.errors import BadInput
from novum.files.tables import Numbered, csv_rows, jsonl_rows, whole

HEADER, CARD = "run.json", "README.md"
STEM = "ideas"
LARGEST_HEADER = 64 * 2**20
_LONGEST_HEAD = 10_000
_CHUNK = 20_000


def write_dataset(run: LiveIdeaRun, folder: Path, formats: Iterable[str] = ("jsonl", "csv")) -> list[Path]:
    """Writes the table in each of `formats` (jsonl, csv, parquet), what was judged beside it, `run.json` and the card;
    returns the files.

    Each appears whole under its name or not at all. Raises BadInput when the folder cannot be written or holds another
    file under one of these names, or a format is not known or lacks its package.
    """
    ways = [(f"{STEM}.{name}", _way(name)) for name in dict.fromkeys(formats)]
    header = _without_records(run)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _spare_others(run, folder)
        written = []
        for name, write in ways:
            with whole(folder / name) as place:
                write(rows_of(run), place)
            written.append(folder / name)
        for side in SIDES:
            written += _write_side(run, side, folder)
        texts = {HEADER: header.model_dump_json(indent=1), CARD: card(run, [file.name for file in written])}
        for name, text in texts.items():
            with whole(folder / name) as place:
                place.write_text(text, encoding="utf-8", errors="replace")
            written.append(folder / name)
    except OSError as error:
        told = error.strerror or str(error)
        raise BadInput(f"The data set cannot be written to {folder}: {told}. Name another folder by --out.") from error
    return written


def read_dataset(place: Path) -> ReadBack:
    """The run in a table, or in the folder that holds one; with the `run.json` beside a table of our name, if that is
    there.

    Raises BadInput where it cannot be read or holds no ideas.
    """
    file = _table_in(place) if place.is_dir() else place
    readers = {".jsonl": jsonl_rows, ".ndjson": jsonl_rows, ".csv": _csv, ".parquet": _parquet}
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise BadInput(f"{file} is none of {', '.join(readers)}: give a table of ideas and critiques.")
    with _readable(file):
        header = _header(file.parent / HEADER) if file.stem == STEM else None  # another table is not of that run
        found = run_of(reader(file), file.name, header)
    for side in SIDES if header is not None or place.is_dir() else ():
        beside = file.with_name(side.file)
        with _readable(beside):
            if _is_ours(beside, side):
                side.take(found, _csv(beside))
    return found


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


def _header(file: Path) -> LiveIdeaRun | None:
    if not file.is_file():
        return None
    if file.stat().st_size > LARGEST_HEADER:
        raise BadInput(f"{file} is far too large to describe a run. Remove it, or mend it, and try again.")
    try:
        header = LiveIdeaRun.model_validate_json(file.read_bytes())
    except ValidationError as error:
        told = error.errors()[0]
        raise BadInput(
            f"{file} does not describe a run of ours ({'.'.join(map(str, told['loc']))}: {told['msg']}). Move it away "
            "to read the table alone."
        ) from error
    return _without_records(header)


def _without_records(run: LiveIdeaRun) -> LiveIdeaRun:
    return run.model_copy(update={"ideas": (), "judgements": (), "anchor_judgements": (), "informed": ()})


# -- writing ----------------------------------------------------------------------------------------------------------


def check_formats(names: Iterable[str]) -> None:
    """Found out before anything is spent. Raises BadInput for a format that is not known, or lacks its package."""
    for name in names:
        _way(name)


def _way(name: str) -> Callable[[Iterator[Row], Path], None]:
    ways = {"jsonl": _write_jsonl, "csv": _write_csv, "parquet": _write_parquet}
    if name not in ways:
        raise BadInput(f"There is no format {name!r}: choose of {', '.join(ways)}.")
    if name == "parquet":
        _arrow()
    return ways[name]


def _write_jsonl(rows: Iterator[Row], place: Path) -> None:
    with place.open("w", encoding="utf-8", errors="replace") as file:
        for row in rows:
            told = {name: value for name, value in row.items() if value is not None}
            file.write(json.dumps(told, ensure_ascii=False) + "\n")


def _write_csv(rows: Iterable[Row], place: Path, columns: Sequence[str] = COLUMNS) -> None:
    with place.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


def _write_side(run: LiveIdeaRun, side: Side, folder: Path) -> list[Path]:
    """The file, where there is anything for it; else what an earlier run left under its name goes."""
    file = folder / side.file
    if _is_empty(run, side):
        if _is_ours(file, side):
            file.unlink()
        return []
    with whole(file) as place:
        _write_csv(side.rows(run), place, side.columns)
    return [file]


def _spare_others(run: LiveIdeaRun, folder: Path) -> None:
    """A file of the user's own, such as the anchors that a run was given, is not written over."""
    for side in SIDES:
        file = folder / side.file
        if file.exists() and not _is_ours(file, side) and not _is_empty(run, side):
            raise BadInput(
                f"{file} is there already and is another file: nothing was written. Name another "
                "folder by --out: `novum liveidea score` writes it too, and asks nobody."
            )


def _is_ours(file: Path, side: Side) -> bool:
    """Whether it is there, and such a file by its first line."""
    if not file.is_file():
        return False
    with file.open(encoding="utf-8-sig", errors="replace") as opened:
        return side.is_headed([name.strip(' "\n') for name in opened.readline(_LONGEST_HEAD).split(",")])


def _is_empty(run: LiveIdeaRun, side: Side) -> bool:
    return next(side.rows(run), None) is None


def _write_parquet(rows: Iterator[Row], place: Path) -> None:
    arrow, parquet = _arrow(), import_module("pyarrow.parquet")
    schema = arrow.schema([(name, _arrow_type(arrow, name)) for name in COLUMNS])
    with parquet.ParquetWriter(place, schema, compression="zstd") as writer:
        while chunk := list(islice(rows, _CHUNK)):
            columns = {name: [_mended(row[name]) for row in chunk] for name in COLUMNS}
            writer.write_table(arrow.table(columns, schema=schema))


def _arrow_type(arrow: Any, name: str) -> Any:
    """Scores are floats: models do give 7.5."""
    if name in FLAGS:
        return arrow.bool_()
    if name in NUMBERS:
        return arrow.float64()
    return arrow.int64() if name in WHOLE else arrow.large_string()


def _mended(value: object) -> object:
    """Half surrogate pairs, which UTF-8 cannot hold, become question marks."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _arrow() -> Any:
    """An extra, loaded when it is needed."""
    try:
        return import_module("pyarrow")
    except ImportError:
        raise BadInput("Parquet needs the package pyarrow: pip install 'novum[data]'. JSONL and CSV do not.") from None


# -- reading ----------------------------------------------------------------------------------------------------------


def _csv(place: Path) -> Numbered:
    """An empty cell says nothing."""
    for number, row in csv_rows(place):
        yield number, row if isinstance(row, str) else {name: value or None for name, value in row.items()}


def _parquet(place: Path) -> Numbered:
    arrow, parquet = _arrow(), import_module("pyarrow.parquet")
    try:
        with parquet.ParquetFile(place) as file:
            known = [name for name in file.schema_arrow.names if name in {*COLUMNS, "keyword"}]
            number = 0
            for batch in file.iter_batches(batch_size=_CHUNK, columns=known):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except arrow.ArrowException as error:
        raise BadInput(f"{place} is no Parquet file that can be read: {error}.") from error
