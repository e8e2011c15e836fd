"""The learning curves of a training on disk: one JSON line for each evaluation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from novum.core.trained import CurvePoint, best_point
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain
from novum.training.finetuning.job import CURVES


def read_curve(folder: Path, upto: int | None = None) -> tuple[CurvePoint, ...]:
    """Read the points in order of their steps, up to step `upto`.

    Incomplete lines are ignored; if a step occurs twice, the later line counts.
    """
    try:
        lines = read_plain(folder / CURVES).splitlines()
    except FileNotFoundError:
        return ()
    by_step: dict[int, CurvePoint] = {}
    for line in lines:
        try:
            point = CurvePoint.model_validate_json(line)
        except ValidationError:
            continue
        if upto is None or point.step <= upto:
            by_step[point.step] = point
    return tuple(by_step[step] for step in sorted(by_step))


def write_curve(folder: Path, points: Sequence[CurvePoint]) -> None:
    """Replace all points, after training went back to a checkpoint. Raises OSError."""
    write_atomic(folder / CURVES, "".join(f"{point.model_dump_json()}\n" for point in points))


def append_point(folder: Path, point: CurvePoint) -> None:
    """Append one point and flush it to disk. Raises OSError."""
    with (folder / CURVES).open("ab") as file:
        file.write(point.model_dump_json().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def best_step(points: Sequence[CurvePoint]) -> int | None:
    """The step with the best evaluation, whose adapter is used; None without an evaluation."""
    best = best_point(points)
    return best.step if best else None
