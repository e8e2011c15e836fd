"""A layout of boxes in which linked ones are close, none overlap, and all fit a width.

Forces find the rough places, from a few starts; then what overlaps is pushed apart, and the arrangement with the fewest
lines through foreign boxes and the shortest lines is taken. The same input gives the same places everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

_LEAST, _STARTS = 3, 14
"""How many arrangements are tried: more than the least only while an opportunity runs through a foreign box."""
_STEPS = 160
_PUSHES = 160
_PAD = 9.0
"""Least distance of two boxes."""
_ROOM = 2.3
"""How much larger than all boxes together the drawing should be."""
_PULL = 7.0
"""Towards the middle, against boxes that repel each other: at 8 they would just fill the frame."""
_HIT = 60.0
"""What a line through a foreign box costs, in units of length."""


@dataclass(frozen=True)
class BoxLink:
    """A line between two boxes by their numbers; `weight` 1 pulls fully."""

    one: int
    other: int
    weight: float = 1.0


def layout_boxes(
    sizes: Floats, ties: Sequence[BoxLink], width: float, between: Sequence[tuple[int, int]], mark: float
) -> Floats:
    """Middles of boxes and then of square marks, one `between` each pair of boxes; the top of the highest is at 0.

    `sizes`: widths and heights of the boxes, (n, 2), none wider than `width`; `mark`: the side of a mark. Returns
    (n + m, 2). No two overlap, and none leaves the width; the height is what it takes.
    """
    if not len(sizes):
        return np.zeros((0, 2))
    everything = np.vstack([sizes, np.full((len(between), 2), mark)])
    area = float((everything + _PAD).prod(axis=1).sum())
    frame = np.array([width, max(float(sizes[:, 1].max()), _ROOM * area / width)])
    halves = [BoxLink(end, len(sizes) + at) for at, pair in enumerate(between) for end in pair]
    lines = [*halves, *(tie for tie in ties if (tie.one, tie.other) not in set(between))]
    best = _best(sizes, everything, ties, between, frame, lines, len(halves))
    best[:, 1] -= (best[:, 1] - everything[:, 1] / 2).min()
    return best


def _best(
    sizes: Floats,
    everything: Floats,
    ties: Sequence[BoxLink],
    between: Sequence[tuple[int, int]],
    frame: Floats,
    lines: Sequence[BoxLink],
    bold: int,
) -> Floats:
    """The arrangement in which the fewest of the first `bold` lines hit a foreign box, and which then costs least."""
    tried: list[tuple[tuple[int, float], int, Floats]] = []
    for seed in range(_STARTS):
        middles = _arranged(sizes, everything, ties, between, frame, seed)
        tried.append((_cost(middles, everything, lines, bold), seed, middles))
        if seed + 1 >= _LEAST and min(tried)[0][0] == 0:
            break
    return min(tried)[2]


def _arranged(
    sizes: Floats,
    everything: Floats,
    ties: Sequence[BoxLink],
    between: Sequence[tuple[int, int]],
    frame: Floats,
    seed: int,
) -> Floats:
    lot = np.random.default_rng(seed)
    boxes = _by_forces(lot.random((len(sizes), 2)) * frame, sizes, ties, frame)
    marks = _marks(boxes, between)
    width = float(frame[0])
    return _settled(_pushed_apart(np.vstack([boxes, marks]), everything, width), everything, width)


def _marks(boxes: Floats, between: Sequence[tuple[int, int]]) -> Floats:
    """Each on the line between its two boxes, farther from the one with more marks: there it is crowded."""
    busy = np.bincount([end for pair in between for end in pair], minlength=len(boxes))
    places = []
    for one, other in between:
        away = 0.5 + 0.14 * np.sign(busy[one] - busy[other])
        places.append(boxes[one] * (1 - away) + boxes[other] * away)
    return np.array(places).reshape(-1, 2)


def _by_forces(middles: Floats, sizes: Floats, ties: Sequence[BoxLink], frame: Floats) -> Floats:
    """Fruchterman and Reingold's: all repel, tied ones attract, and the steps grow smaller."""
    pull = np.zeros((len(sizes), len(sizes)))
    for tie in ties:
        pull[tie.one, tie.other] = pull[tie.other, tie.one] = tie.weight
    ideal = float(np.sqrt(frame.prod() / len(sizes)))
    inward = _PULL * frame[::-1] / frame.sum()
    half = sizes / 2
    for step in range(_STEPS):
        apart = middles[:, None] - middles[None]
        distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 1e-3)
        force = ideal**2 / distance**2 - pull * distance / ideal
        moved = np.einsum("ijk,ij->ik", apart, force) - inward * (middles - frame / 2)
        length = np.maximum(np.hypot(moved[:, 0], moved[:, 1]), 1e-9)[:, None]
        most = 0.12 * frame.max() * (1 - step / _STEPS) ** 1.5
        middles = np.clip(middles + moved / length * np.minimum(length, most), half, np.maximum(frame - half, half))
    return middles


def _pushed_apart(middles: Floats, sizes: Floats, width: float) -> Floats:
    """Overlapping boxes give way to each other along the shorter way out."""
    half = sizes / 2
    need = half[:, None] + half[None] + _PAD
    others = ~np.eye(len(sizes), dtype=bool)
    order = np.sign(np.subtract.outer(np.arange(len(sizes)), np.arange(len(sizes))))[..., None]
    for _ in range(_PUSHES):
        apart = middles[:, None] - middles[None]
        over = need - np.abs(apart)
        hit = (over[..., 0] > 1e-6) & (over[..., 1] > 1e-6) & others
        if not hit.any():
            break
        side = np.where(apart == 0, order, np.sign(apart))
        across = over[..., 0] < over[..., 1]
        push = np.zeros_like(apart)
        push[..., 0] = np.where(hit & across, side[..., 0] * over[..., 0], 0)
        push[..., 1] = np.where(hit & ~across, side[..., 1] * over[..., 1], 0)
        middles = middles + 0.5 * push.sum(axis=1) / np.maximum(hit.sum(axis=1, keepdims=True), 1)
        middles[:, 0] = np.clip(middles[:, 0], half[:, 0], width - half[:, 0])
    return middles


def _settled(middles: Floats, sizes: Floats, width: float) -> Floats:
    """What still overlaps goes down until it does not: rarely anything, and then certainly nothing."""
    half = sizes / 2
    placed = middles.copy()
    placed[:, 0] = np.clip(placed[:, 0], half[:, 0], np.maximum(width - half[:, 0], half[:, 0]))
    done: list[int] = []
    for at in np.argsort(middles[:, 1] - half[:, 1], kind="stable").tolist():
        while done:
            need = half[done] + half[at] + _PAD / 3
            hit = (np.abs(placed[done] - placed[at]) < need - 1e-6).all(axis=1)
            if not hit.any():
                break
            placed[at, 1] = float((placed[done, 1] + need[:, 1])[hit].max())
        done.append(at)
    return placed


def _cost(middles: Floats, sizes: Floats, ties: Sequence[BoxLink], bold: int) -> tuple[int, float]:
    """Foreign boxes that the bold lines run through; then all lines' lengths and hits, and the height it all takes."""
    tall = float(np.ptp(middles[:, 1])) if len(middles) else 0.0
    if not ties:
        return 0, tall
    ends = np.array([(tie.one, tie.other) for tie in ties])
    weight = np.array([tie.weight for tie in ties])
    one, other = middles[ends[:, 0]], middles[ends[:, 1]]
    length = np.sqrt(((one - other) ** 2).sum(axis=1))
    along = np.linspace(0.05, 0.95, 15)[:, None, None]
    points = one * (1 - along) + other * along
    inside = (np.abs(points[:, :, None] - middles) < sizes / 2).all(axis=3).any(axis=0)
    rows = np.arange(len(ties))
    inside[rows, ends[:, 0]] = inside[rows, ends[:, 1]] = False
    hits = inside.sum(axis=1)
    return int(hits[:bold].sum()), float((weight * length).sum() + _HIT * (weight * hits).sum() + 2 * tall)
