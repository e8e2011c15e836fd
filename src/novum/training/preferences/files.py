"""A set of preferences as a folder: it appears whole under its name, or not at all."""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from novum.core.preferences import SPLITS, PreferenceCard
from novum.errors import BadInput
from novum.prompts import Prompt
from novum.training.preferences.building import Preferences
from novum.training.preferences.rows import as_json, conversations, records

DATA, ABOUT, CARD, README = "data", "about", "card.json", "README.md"
_AT_ONCE = 500
"""Rows between two moments at which Ctrl-C is heard."""


def names_of_files(*, parquet: bool) -> list[str]:
    """The tables of a set, by their names inside its folder."""
    kinds = ["jsonl", *(["parquet"] if parquet else [])]
    tables = [f"{DATA}/{split}.{kind}" for split in SPLITS for kind in kinds]
    return tables + [f"{ABOUT}/{split}.jsonl" for split in SPLITS]


def check_place(folder: Path, *, force: bool, parquet: bool = False) -> None:
    """Found out before anything is computed. Raises BadInput where a set cannot be written to `folder`."""
    if parquet:
        _arrow()
    try:
        _check_free(folder, force=force)
        _try(folder)
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise _unwritable(folder, error) from error


def _check_free(folder: Path, *, force: bool) -> None:
    if folder.resolve() in {Path.cwd(), *Path.cwd().parents}:
        raise BadInput(f"{folder} is where you are, or around it: name a folder that is not there yet.")
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir():
        raise BadInput(f"{folder} is a file: name a folder that is not there yet.")
    if not _is_ours(folder):
        raise BadInput(f"{folder} holds other things than a set of preferences: name a folder that is not there yet.")
    if not force:
        raise BadInput(f"{folder} holds a set of preferences already. Name another folder, or replace it: --force")


def _try(folder: Path) -> None:
    """Makes a folder where the set would be begun, and takes it away. Raises OSError."""
    place = _beside(folder.resolve(), "new")
    while not place.parent.exists():
        place = _beside(place.parent, "new")
    place.mkdir()
    place.rmdir()


def _beside(folder: Path, kind: str) -> Path:
    return folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.{kind}")


def _unwritable(folder: Path, error: Exception) -> BadInput:
    why = (error.strerror if isinstance(error, OSError) else None) or error
    return BadInput(f"The set cannot be written to {folder}: {why}. Free some space or name another folder.")


def _is_ours(folder: Path) -> bool:
    try:
        PreferenceCard.model_validate_json((folder / CARD).read_bytes())
    except (OSError, ValidationError):
        return False
    return True


async def write_preferences(
    made: Preferences, prompt: Prompt, card: PreferenceCard, pages: Mapping[str, str | bytes], folder: Path, *,
    force: bool = False,
) -> None:  # fmt: skip
    """Writes the tables that `card` names, the card, and `pages` by their names. When it is cancelled, or anything
    fails, nothing is left. Raises BadInput where it cannot be written."""
    check_place(folder, force=force)
    try:
        with _whole(folder) as place:
            for number, split in enumerate(SPLITS):
                rows = list(conversations(made, number, prompt))
                await _write_jsonl(rows, place / DATA / f"{split}.jsonl")
                if f"{DATA}/{split}.parquet" in card.files:
                    await _write_parquet(rows, place / DATA / f"{split}.parquet")
                await _write_jsonl(map(as_json, records(made, number)), place / ABOUT / f"{split}.jsonl")
            told = json.dumps(card.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
            for name, content in {**pages, CARD: told}.items():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_bytes(
                    content if isinstance(content, bytes) else content.encode("utf-8", "replace")
                )
            await asyncio.sleep(0)  # a Ctrl-C that came meanwhile counts before the set takes its name
    except OSError as error:
        raise _unwritable(folder, error) from error


@contextmanager
def _whole(folder: Path) -> Iterator[Path]:
    """A folder beside `folder` to write to, which takes its name at the end; what was there goes then. Where `folder`
    is a link, so is what it leads to."""
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    place, old = (_beside(folder, kind) for kind in ("new", "old"))
    try:
        for inside in (place / DATA, place / ABOUT):
            inside.mkdir(parents=True)
        yield place
        if folder.exists():
            folder.replace(old)
        place.replace(folder)
    except BaseException:  # Ctrl-C too: what was there before comes back
        if old.exists() and not folder.exists():
            old.replace(folder)
        raise
    finally:
        for each in (place, old):
            shutil.rmtree(each, ignore_errors=True)


async def _write_jsonl(rows: Iterable[Mapping[str, Any]], file: Path) -> None:
    with file.open("w", encoding="utf-8", errors="replace") as opened:
        for number, row in enumerate(rows):
            opened.write(json.dumps(row, ensure_ascii=False) + "\n")
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)


async def _write_parquet(rows: Sequence[Mapping[str, Any]], file: Path) -> None:
    arrow, parquet = _arrow(), import_module("pyarrow.parquet")
    turns = arrow.list_(arrow.struct([("role", arrow.string()), ("content", arrow.string())]))
    schema = arrow.schema([(name, turns) for name in ("prompt", "chosen", "rejected")])
    left = iter(rows)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while chunk := list(islice(left, _AT_ONCE)):
            writer.write_table(arrow.Table.from_pylist(chunk, schema=schema))
            await asyncio.sleep(0)


def _arrow() -> Any:
    """An extra, loaded when it is needed."""
    try:
        return import_module("pyarrow")
    except ImportError:
        raise BadInput("Parquet needs the package pyarrow: pip install 'novum[data]'. JSONL does not.") from None
