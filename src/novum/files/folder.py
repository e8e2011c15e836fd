"""Data sets as folders with a card: written atomically, and never over something that is not such a data set."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from novum.core.record import Value
from novum.errors import BadInput
from novum.files.atomic import replace_folder, temporary_beside
from novum.files.inputs import read_plain

CARD = "card.json"
"""The machine-readable description of a data set, by which Novum recognises its own folders."""


def check_place(folder: Path, card: type[Value], what: str, *, force: bool) -> None:
    """Checks, before anything is computed, that a data set can be written to `folder`.

    `card`: the record that the card of such a data set holds; `what`: its name in messages ("a set of preferences").
    Raises BadInput when the folder is not writable, holds anything else, or holds such a data set and `force` is not
    given.
    """
    try:
        _check_free(folder, card, what, force=force)
        _try_to_create(folder)
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise unwritable(folder, error) from error


@contextmanager
def atomic_folder(folder: Path, inside: Sequence[str]) -> Iterator[Path]:
    """A temporary folder with the subfolders `inside`, renamed to `folder` when the block ends.

    What was there before is removed then; a link is followed. When the block fails, nothing is left. Raises BadInput
    when the folder cannot be written.
    """
    try:
        folder = folder.resolve()
        folder.parent.mkdir(parents=True, exist_ok=True)
        new = temporary_beside(folder, ".new")
        try:
            for each in inside:
                (new / each).mkdir(parents=True)
            yield new
            replace_folder(new, folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise unwritable(folder, error) from error


def unwritable(folder: Path, error: Exception) -> BadInput:
    """The error for a folder that cannot be written."""
    why = (error.strerror if isinstance(error, OSError) else None) or error
    return BadInput(f"The set cannot be written to {folder}: {why}. Free some space or name another folder.")


def _check_free(folder: Path, card: type[Value], what: str, *, force: bool) -> None:
    if folder.resolve() in {Path.cwd(), *Path.cwd().parents}:
        raise BadInput(f"{folder} is the current folder or one above it: name a new folder.")
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir():
        raise BadInput(f"{folder} is a file: name a new folder.")
    if not _is_data_set(folder, card):
        raise BadInput(f"{folder} holds other things than {what}: name a new folder.")
    if not force:
        raise BadInput(f"{folder} holds {what} already. Name another folder, or replace it: --force")


def _is_data_set(folder: Path, card: type[Value]) -> bool:
    try:
        card.model_validate_json(read_plain(folder / CARD))
    except (OSError, ValidationError):
        return False
    return True


def _try_to_create(folder: Path) -> None:
    """Creates a folder in the nearest existing parent and removes it again. Raises OSError."""
    trial = temporary_beside(folder.resolve(), ".new")
    while not trial.parent.exists():
        trial = temporary_beside(trial.parent, ".new")
    trial.mkdir()
    trial.rmdir()
