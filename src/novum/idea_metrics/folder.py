"""A fitted model on disk: a card, and plain arrays, facts and files of each metric. Nothing in it can be executed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from novum.errors import BadInput
from novum.files.arrays import ModelState, load_json, load_state, save_state
from novum.files.atomic import replace_folder, temporary_beside
from novum.files.private import make_private_folder
from novum.idea_metrics.card import FORM, ModelCard
from novum.idea_metrics.known_titles import KnownTitles
from novum.statistics.quantile_table import QuantileTable

CARD = "card.json"
_SCALES, _KNOWN = "scales", "known"


def write_model(
    folder: Path,
    card: ModelCard,
    states: Mapping[str, ModelState],
    scales: Mapping[str, QuantileTable],
    known: KnownTitles,
) -> None:
    """Writes the model to the folder, completely or not at all, in place of an older one. Other files in the folder
    (the plot of the elbow) are kept. Raises BadInput where it cannot be written."""
    new = temporary_beside(folder)
    try:
        _check_free(folder)
        make_private_folder(folder.parent)
        new.mkdir()
        (new / CARD).write_text(card.model_dump_json(indent=1), "utf-8")
        save_state(new, _SCALES, ModelState({name: table.array for name, table in scales.items()}))
        save_state(new, _KNOWN, ModelState(known.arrays()))
        for name, state in states.items():
            save_state(new, name, state)
        _put_in_place(new, folder, {_SCALES, _KNOWN, *states})
    except OSError as error:
        raise _unwritten(folder, error) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def check_place(folder: Path) -> None:
    """Checks, before a long fit, that a model can be written there. Raises BadInput where it cannot."""
    try:
        _check_free(folder)
        above = next(each for each in folder.absolute().parents if each.exists())
        with tempfile.TemporaryDirectory(dir=above, prefix="."):
            pass
    except OSError as error:
        raise _unwritten(folder, error) from error


def _check_free(folder: Path) -> None:
    if folder.exists() and not (folder / CARD).is_file() and any(folder.iterdir()):
        raise BadInput(f"{folder} has other files than a fitted model: name another folder.")


def _unwritten(folder: Path, error: OSError) -> BadInput:
    return BadInput(
        f"The model cannot be written to {folder}: {error.strerror or error}. Free disk space, or name another home "
        "(NOVUM_HOME) that you may write to."
    )


def _put_in_place(new: Path, folder: Path, parts: Collection[str]) -> None:
    """Replaces the older model, and copies the other files of its folder."""
    if folder.exists():
        for extra in folder.iterdir():
            if not _of_a_model(extra, parts) and not (new / extra.name).exists():
                (shutil.copytree if extra.is_dir() else shutil.copy2)(extra, new / extra.name)
    replace_folder(new, folder)


def _of_a_model(file: Path, parts: Collection[str]) -> bool:
    """Whether a file is part of the older model, which must not become part of the new one."""
    return file.suffix in {".safetensors", ".json"} or file.name in parts


def read_card(folder: Path) -> ModelCard:
    """The card of a model. Raises BadInput where it is missing, damaged or of another form."""
    file = folder / CARD
    if not file.is_file():
        raise BadInput(f"There is no fitted model in {folder}: fit one to your library with `novum metrics fit`.")
    try:
        values = load_json(file, dict)
        form = values.get("form")
        if form != FORM:
            raise BadInput(
                f"The model in {folder} is of form {form}, and this version of Novum reads form {FORM}: "
                "fit it again with `novum metrics fit`."
            )
        return ModelCard.model_validate(values)
    except (OSError, ValueError, ValidationError, RecursionError) as error:
        raise damaged(folder, error) from error


def read_state(folder: Path, name: str) -> ModelState:
    """The stored state of one metric. Raises BadInput where it is damaged."""
    try:
        return load_state(folder, name)
    except (OSError, ValueError) as error:
        raise damaged(folder, error) from error


def read_scales(folder: Path) -> dict[str, QuantileTable]:
    """The distributions of raw values by metric. Raises BadInput where they are damaged."""
    try:
        arrays = read_state(folder, _SCALES).arrays
        return {name: QuantileTable(array.astype(np.float64)) for name, array in arrays.items()}
    except ValueError as error:
        raise damaged(folder, error) from error


def read_known(folder: Path) -> KnownTitles:
    """The hashes of the titles of the training papers. Raises BadInput where they are damaged."""
    try:
        return KnownTitles.from_arrays(read_state(folder, _KNOWN).arrays)
    except (KeyError, ValueError) as error:
        raise damaged(folder, error) from error


def damaged(folder: Path, error: Exception) -> BadInput:
    """The error for a model that cannot be read."""
    what = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    return BadInput(f"The model in {folder} is damaged ({what}): fit it again with `novum metrics fit`.")
