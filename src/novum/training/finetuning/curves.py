"""The curves of a training on disk: one line a measurement, appended as they are made."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from novum.core.trained import CurvePoint, best_point
from novum.files.atomic import write_atomic
from novum.training.finetuning.job import CURVES


def read_curve(folder: Path, upto: int | None = None) -> tuple[CurvePoint, ...]:
    """Points by step, not beyond step `upto`. A line that was cut off is none; of two of one step the later counts."""
    try:
        lines = (folder / CURVES).read_bytes().splitlines()
    except FileNotFoundError:
        return ()
    found: dict[int, CurvePoint] = {}
    for line in lines:
        try:
            point = CurvePoint.model_validate_json(line)
        except ValidationError:
            continue
        if upto is None or point.step <= upto:
            found[point.step] = point
    return tuple(found[step] for step in sorted(found))


def write_curve(folder: Path, points: Sequence[CurvePoint]) -> None:
    """All points anew: after a training went back to a checkpoint. Raises OSError."""
    write_atomic(folder / CURVES, "".join(f"{point.model_dump_json()}\n" for point in points))


def append_point(folder: Path, point: CurvePoint) -> None:
    """One more, safe on disk when this returns. Raises OSError."""
    with (folder / CURVES).open("ab") as file:
        file.write(point.model_dump_json().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def best_step(points: Sequence[CurvePoint]) -> int | None:
    """After which step the adapter that is kept was measured; None where nothing was."""
    kept = best_point(points)
    return kept.step if kept else None
