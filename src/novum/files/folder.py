"""A data set as a folder: it appears whole under its name, or not at all, and takes the place of nothing else."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from novum.core.record import Value
from novum.errors import BadInput

CARD = "card.json"
"""What a set says of itself, for programs: by it one is known to be ours."""


def check_place(folder: Path, card: type[Value], what: str, *, force: bool) -> None:
    """Found out before anything is computed. Raises BadInput where no set can be written to `folder`, or something else
    stands there than `what`, a set with such a card; a set that does is replaced only by `force`."""
    try:
        _check_free(folder, card, what, force=force)
        _try(folder)
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise unwritable(folder, error) from error


@contextmanager
def whole_folder(folder: Path, inside: Sequence[str]) -> Iterator[Path]:
    """A folder beside `folder` to write to, with folders `inside`, which takes its name at the end; what was there goes
    then. Where `folder` is a link, so is what it leads to. When anything fails, nothing is left. Raises BadInput where
    it cannot be written."""
    try:
        folder = folder.resolve()
        folder.parent.mkdir(parents=True, exist_ok=True)
        place, old = (_beside(folder, kind) for kind in ("new", "old"))
        try:
            for each in inside:
                (place / each).mkdir(parents=True)
            yield place
            if folder.exists():
                folder.replace(old)
            place.replace(folder)
        finally:
            if old.exists() and not folder.exists():
                old.replace(folder)
            for left in (place, old):
                shutil.rmtree(left, ignore_errors=True)
    except OSError as error:
        raise unwritable(folder, error) from error


def unwritable(folder: Path, error: Exception) -> BadInput:
    """What to say of a place that cannot be written."""
    why = (error.strerror if isinstance(error, OSError) else None) or error
    return BadInput(f"The set cannot be written to {folder}: {why}. Free some space or name another folder.")


def _check_free(folder: Path, card: type[Value], what: str, *, force: bool) -> None:
    if folder.resolve() in {Path.cwd(), *Path.cwd().parents}:
        raise BadInput(f"{folder} is where you are, or around it: name a folder that is not there yet.")
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir():
        raise BadInput(f"{folder} is a file: name a folder that is not there yet.")
    if not _is_ours(folder, card):
        raise BadInput(f"{folder} holds other things than {what}: name a folder that is not there yet.")
    if not force:
        raise BadInput(f"{folder} holds {what} already. Name another folder, or replace it: --force")


def _is_ours(folder: Path, card: type[Value]) -> bool:
    try:
        card.model_validate_json((folder / CARD).read_bytes())
    except (OSError, ValidationError):
        return False
    return True


def _try(folder: Path) -> None:
    """Makes a folder where the set would be begun, and takes it away. Raises OSError."""
    place = _beside(folder.resolve(), "new")
    while not place.parent.exists():
        place = _beside(place.parent, "new")
    place.mkdir()
    place.rmdir()


def _beside(folder: Path, kind: str) -> Path:
    return folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.{kind}")
