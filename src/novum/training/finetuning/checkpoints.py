"""Checkpoints that can be trusted after a kill at any moment: one counts only once a note, written last, says so."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import orjson

from novum.files.atomic import write_atomic
from novum.training.finetuning.job import ADAPTER, CHECKPOINTS

NOTE = "whole.json"
_PREFIX, _BEST = "checkpoint-", "best-"


def finish_checkpoint(folder: Path, step: int, seconds: float) -> None:
    """Says that the trainer has written everything of the checkpoint at `step`. Raises OSError."""
    place = folder / CHECKPOINTS / f"{_PREFIX}{step}"
    write_atomic(place / NOTE, orjson.dumps({"step": step, "seconds": seconds}))


class Checkpoint(NamedTuple):
    """A whole one: after how many steps, and the seconds spent until then."""

    place: Path
    step: int
    seconds: float


def last_checkpoint(folder: Path) -> Checkpoint | None:
    """The newest whole one. None where there is none."""
    found = []
    for place in (folder / CHECKPOINTS).glob(f"{_PREFIX}*"):
        try:
            note = orjson.loads((place / NOTE).read_bytes())
            found.append(Checkpoint(place, int(note["step"]), float(note["seconds"])))
        except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            continue
    return max(found, key=lambda each: each.step, default=None)


def remove_other_checkpoints(folder: Path, keep: Path | None) -> None:
    """Removes checkpoints that are not whole, or newer than what is gone on from."""
    for place in (folder / CHECKPOINTS).glob(f"{_PREFIX}*"):
        if place != keep:
            shutil.rmtree(place, ignore_errors=True)


def best_adapter_folder(folder: Path, step: int) -> Path:
    """Where the adapter as it was after `step` is kept, while it is the best."""
    return folder / CHECKPOINTS / f"{_BEST}{step}"


def keep_only_best(folder: Path, step: int | None) -> None:
    """Removes the adapters that were best before; where none is known to be the best, none."""
    if step is None:
        return
    for place in (folder / CHECKPOINTS).glob(f"{_BEST}*"):
        if place != best_adapter_folder(folder, step):
            shutil.rmtree(place, ignore_errors=True)


def save_adapter(folder: Path, source: Path) -> None:
    """`source` becomes the adapter of the trained model. Raises OSError."""
    draft, place = folder / f".{ADAPTER}", folder / ADAPTER
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    for file in sorted(source.iterdir()):
        if file.name.startswith(("adapter_", "tokenizer", "special_tokens", "chat_template")):
            shutil.copyfile(file, draft / file.name)
    shutil.rmtree(place, ignore_errors=True)
    draft.replace(place)


def remove_checkpoints(folder: Path) -> None:
    """Removes all checkpoints: the training is done."""
    shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)
