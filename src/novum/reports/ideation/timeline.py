"""The positions of the papers of a chain on a timeline, in SVG units.

Papers of one year would cover each other, so each stands at its year or as little to the side as fits, and a thin
line leads from it to its year on the axis. Labels fly like flags to the right of their poles; a flag that would run
into one at its right goes a row higher.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from novum.core import Chain
from novum.reports.sanitizing import clean_line, paper_label, paper_url

MARGIN = 22.0
GAP = 38.0
ROW = 24
CHAR = 7.4
"""Width of a character at the label's size, on the generous side: fonts differ between machines."""


@dataclass(frozen=True)
class YearRange:
    """From `left` to `right`."""

    left: float
    right: float


@dataclass(frozen=True)
class TimeScale:
    """Where a year stands: `offset + per_year * year`."""

    offset: float
    per_year: float


@dataclass(frozen=True)
class Node:
    """One paper on the line. `year_x` is its year on the axis, None when the year is unknown; `row` 0 is lowest."""

    number: int
    x: float
    year_x: float | None
    row: int
    label: str
    title: str
    url: str | None
    direction: str


@dataclass(frozen=True)
class Tick:
    """A year on the axis."""

    x: float
    year: int


@dataclass(frozen=True)
class Timeline:
    """`rail` and `axis` are the heights of the papers' line and of the line of years."""

    width: float
    height: float
    rail: float
    axis: float
    nodes: tuple[Node, ...]
    ticks: tuple[Tick, ...]
    labelled: bool

    def label_y(self, node: Node) -> float:
        """The base line of a label."""
        return self.rail - 26 - ROW * node.row


def timeline(chain: Chain, width: float = 960, labelled: bool = True) -> Timeline:
    """Lay a chain out in the given width; one with more papers than fit gets wider."""
    labels = [paper_label(link.paper) if labelled else "" for link in chain.links]
    years = [link.paper.year for link in chain.links]
    right_margin = max([MARGIN, *_overhangs(labels)])
    width = max(width, MARGIN + right_margin + GAP * max(len(labels) - 1, 0))
    span = YearRange(MARGIN, width - right_margin)
    axis_span, xs = _fitted(years, span)
    targets = _targets(years, axis_span)
    rows = _rows(xs, labels)
    nodes = tuple(
        Node(
            number=number,
            x=round(x, 1),
            year_x=year_x,
            row=row,
            label=text,
            title=clean_line(link.paper.title, 300),
            url=paper_url(link.paper),
            direction=link.direction,
        )
        for number, (link, x, (_, year_x), row, text) in enumerate(
            zip(chain.links, xs, targets, rows, labels, strict=True), 1
        )
    )
    rail = 34.0 + (ROW * max(rows, default=0) + 16 if labelled else -4)
    ticks = _ticks(years, axis_span)
    axis = rail + 40
    return Timeline(width, axis + (26 if ticks else -14), rail, axis, nodes, ticks, labelled)


def _text_width(text: str) -> float:
    return sum(CHAR * (1.8 if unicodedata.east_asian_width(char) in "WF" else 1) for char in text)


def _overhangs(labels: Sequence[str]) -> list[float]:
    """How far each flag reaches beyond the last paper when all stand as far right as they can."""
    return [_text_width(text) + 14 - GAP * behind for behind, text in enumerate(reversed(labels)) if text]


def _fitted(years: Sequence[int | None], span: YearRange) -> tuple[YearRange, list[float]]:
    """The part of the span that the axis takes, and where the papers stand.

    Papers that make room for each other spread beyond the first and last year, so the axis gives way on both sides.
    """
    axis = span
    for _ in range(4):
        xs = _apart([at for at, _ in _targets(years, axis)])
        over_left, over_right = max(span.left - min(xs, default=span.left), 0), max(max(xs, default=0) - span.right, 0)
        if not over_left and not over_right:
            return axis, xs
        middle = (axis.left + axis.right) / 2
        axis = YearRange(min(axis.left + over_left, middle), max(axis.right - over_right, middle))
    return axis, _within(xs, span)


def _targets(years: Sequence[int | None], axis: YearRange) -> list[tuple[float, float | None]]:
    """(where a paper would like to stand, its year on the axis). One without a year keeps its place in the order."""
    scale = _scale([year for year in years if year is not None], axis)
    even = (axis.right - axis.left) / max(len(years) - 1, 1)
    wanted: list[tuple[float, float | None]] = []
    for at, year in enumerate(years):
        if year is not None and scale is not None:
            x = round(scale.offset + scale.per_year * year, 1)
            wanted.append((x, x))
        else:
            wanted.append((wanted[-1][0] if scale and wanted else axis.left + (0 if scale else even * at), None))
    return wanted


def _scale(years: Sequence[int], axis: YearRange) -> TimeScale | None:
    """None without years. A single year stands at the left."""
    if not years:
        return None
    first, last = min(years), max(years)
    per_year = (axis.right - axis.left) / (last - first) if last > first else 0.0
    return TimeScale(axis.left - per_year * first, per_year)


def _apart(wanted: Sequence[float]) -> list[float]:
    """Places `GAP` apart in the chain's order, as near to the wanted ones as can be (least squares).

    Less their due gaps, the places only have to rise: neighbours that fall are pooled at their mean until none does.
    """
    pools: list[list[float]] = []
    for at, x in enumerate(wanted):
        pools.append([x - GAP * at])
        while len(pools) > 1 and fmean(pools[-2]) > fmean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    levels = [fmean(pool) for pool in pools for _ in pool]
    return [level + GAP * at for at, level in enumerate(levels)]


def _within(xs: Sequence[float], span: YearRange) -> list[float]:
    """Pushed inside the span, first from the left and then from the right; it is wide enough for all."""
    pushed: list[float] = []
    for x in xs:
        pushed.append(max(x, pushed[-1] + GAP if pushed else span.left))
    limit = span.right
    for at in reversed(range(len(pushed))):
        pushed[at] = min(pushed[at], limit)
        limit = pushed[at] - GAP
    return pushed


def _rows(xs: Sequence[float], labels: Sequence[str]) -> list[int]:
    """From the right: the lowest row where neither a flag nor a pole on its way up stands in this one's way."""
    starts: list[float] = []
    rows: list[int] = []
    for x, text in zip(reversed(xs), reversed(labels), strict=True):
        end = x + _text_width(text) + 12
        row = next((row for row in range(len(starts)) if end <= min(starts[row:])), len(starts))
        starts[row : row + 1] = [x]
        rows.append(row if text else 0)
    return rows[::-1]


def _ticks(years: Sequence[int | None], axis: YearRange) -> tuple[Tick, ...]:
    known = [year for year in years if year is not None]
    scale = _scale(known, axis)
    if scale is None:
        return ()
    most = max(2, int((axis.right - axis.left) // 60))
    first, last = min(known), max(known)
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100) if (last - first) / step <= most), last - first)
    # The last year is always named; a round one too close before it is not.
    inner = [year for year in range(first, last, step) if last - year >= step]
    return tuple(Tick(round(scale.offset + scale.per_year * year, 1), year) for year in (*inner, last))
