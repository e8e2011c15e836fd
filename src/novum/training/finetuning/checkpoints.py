"""Checkpoints that stay consistent when the process is killed or the disk is full: one counts only if its note, written
last, exists, and all files have the sizes that are noted there."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import orjson

from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain
from novum.training.finetuning.job import CHECKPOINTS

NOTE = "whole.json"
_PREFIX, _BEST = "checkpoint-", "best-"
_KEPT = frozenset({".safetensors", ".json", ".jinja", ".model", ".txt"})
"""Endings of the files of an adapter, a model, and a tokenizer."""


def finish_checkpoint(folder: Path, step: int, seconds: float) -> None:
    """Mark the checkpoint at `step` as complete; `seconds` is the training time until then. Raises OSError."""
    place = folder / CHECKPOINTS / f"{_PREFIX}{step}"
    write_atomic(place / NOTE, orjson.dumps({"step": step, "seconds": seconds, "bytes": _sizes(place)}))


def _sizes(place: Path) -> dict[str, int]:
    """Bytes of each file of a checkpoint."""
    files = (file for file in sorted(place.rglob("*")) if file.is_file() and file.name != NOTE)
    return {file.relative_to(place).as_posix(): file.stat().st_size for file in files}


class Checkpoint(NamedTuple):
    """A complete checkpoint: its folder, its step, and the training time until then in seconds."""

    place: Path
    step: int
    seconds: float


def last_checkpoint(folder: Path) -> Checkpoint | None:
    """The newest complete checkpoint, or None if there is none."""
    complete = []
    for place in (folder / CHECKPOINTS).glob(f"{_PREFIX}*"):
        try:
            note = orjson.loads(read_plain(place / NOTE))
            if not note["bytes"].items() <= _sizes(place).items():
                continue  # a file was cut off, as when a checkpoint is copied to a full disk
            complete.append(Checkpoint(place, int(note["step"]), float(note["seconds"])))
        except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
            continue
    return max(complete, key=lambda each: each.step, default=None)


def remove_other_checkpoints(folder: Path, keep: Path | None) -> None:
    """Remove all checkpoints but `keep`: those that are incomplete or newer than the one that is resumed."""
    for place in (folder / CHECKPOINTS).glob(f"{_PREFIX}*"):
        if place != keep:
            shutil.rmtree(place, ignore_errors=True)


def best_adapter_folder(folder: Path, step: int) -> Path:
    """The folder of the adapter after `step`, which exists while that adapter is the best."""
    return folder / CHECKPOINTS / f"{_BEST}{step}"


def keep_only_best(folder: Path, step: int | None) -> None:
    """Remove the adapters of all steps but `step`, the best one. With None, remove nothing."""
    if step is None:
        return
    for place in (folder / CHECKPOINTS).glob(f"{_BEST}*"):
        if place != best_adapter_folder(folder, step):
            shutil.rmtree(place, ignore_errors=True)


def save_result(source: Path, place: Path) -> None:
    """Copy the adapter or model in `source`, without the files of the trainer, to `place`. Raises OSError."""
    draft = place.with_name(f".{place.name}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    for file in sorted(source.iterdir()):
        if file.suffix in _KEPT and file.name != "trainer_state.json":
            shutil.copyfile(file, draft / file.name)
    shutil.rmtree(place, ignore_errors=True)
    draft.replace(place)


def remove_checkpoints(folder: Path) -> None:
    """Remove all checkpoints, after the end of the training."""
    shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)
