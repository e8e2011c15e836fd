"""The map of concepts as shapes with places: circles for concepts, grey lines for what is joined, dashed curves with
numbered marks for opportunities. A template makes SVG of it."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from novum.core import shorten
from novum.core.opportunity import ConceptLink, Opportunity, OpportunityList, OpportunitySide
from novum.reports.opportunities.concepts import concept_sides, papers_of
from novum.reports.opportunities.layout import BoxLink, Floats, layout_boxes
from novum.reports.opportunities.links import drawable_links, strongest_links
from novum.reports.opportunities.phrases import KINDS, Kind, percent
from novum.reports.phrases import count
from novum.reports.sanitizing import clean_line

MOST_DRAWN = 24
"""Opportunities on a map: more could not be told apart."""
WIDE, NARROW = 912.0, 340.0
_LINE, _CHAR, _LABEL = 15.0, 7.3, 19
"""Of a label: height of a line, width of a character on the generous side (fonts differ), characters of a line."""
_MARK = 30.0
"""Side of an opportunity's mark."""
_LEAST, _MOST = 6.0, 20.0
"""Radius of a concept."""
_THIN, _THICK = 2.0, 4.5
_EDGE = 6.0
_GREY_PULL = 0.15
"""What an opportunity pulls is 1; less where a concept has many, which need room around it."""


@dataclass(frozen=True)
class Circle:
    """A concept. `lines`: its label, from `label_y` down; `near`: the topic was understood to be about it; `anchor`:
    where the page tells of it, if it does."""

    name: str
    title: str
    x: float
    y: float
    radius: float
    lines: tuple[str, ...]
    label_y: float
    near: bool
    anchor: str


@dataclass(frozen=True)
class LinkLine:
    """What is joined already; the width grows with the papers."""

    title: str
    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True)
class Curve:
    """An opportunity: `path` from circle to circle through the mark at (x, y). `number` leads to its card."""

    number: int
    kind: Kind
    title: str
    path: str
    width: float
    x: float
    y: float


@dataclass(frozen=True)
class MapDrawing:
    """Everything, within `width` times `height` units."""

    width: float
    height: float
    greys: tuple[LinkLine, ...]
    curves: tuple[Curve, ...]
    circles: tuple[Circle, ...]


@dataclass(frozen=True)
class _Node:
    """A concept before it has its place: its box is the circle with the label above or below."""

    name: str
    side: OpportunitySide
    radius: float
    lines: tuple[str, ...]

    @property
    def size(self) -> tuple[float, float]:
        text = max(map(_text_width, self.lines), default=0.0)
        return max(2 * self.radius, text), 2 * self.radius + _LINE * len(self.lines) + 3


def draw_map(openings: OpportunityList, width: float = WIDE, anchors: Mapping[str, str] | None = None) -> MapDrawing:
    """The first opportunities in the given width. `anchors`: of concepts on the page."""
    shown = openings.openings[:MOST_DRAWN]
    concepts = concept_sides(shown)
    joined = strongest_links(
        drawable_links(openings, shown), {name: papers_of(side) for name, side in concepts.items()}
    )
    nodes = _nodes(concepts)
    place = {node.name: at for at, node in enumerate(nodes)}
    between = [(place[each.pair[0]], place[each.pair[1]]) for each in shown]
    busy = Counter(end for pair in between for end in pair)
    ties = [BoxLink(place[link.one], place[link.other], _GREY_PULL) for link in joined]
    ties += [BoxLink(*pair, 1 / math.sqrt(max(busy[end] for end in pair))) for pair in between]
    sizes = np.array([node.size for node in nodes]).reshape(-1, 2)
    middles = layout_boxes(sizes, ties, width - 2 * _EDGE, between, _MARK) + _EDGE
    circles = _circles(nodes, middles, shown, frozenset(map(clean_line, openings.near)), anchors or {})
    halves = np.concatenate([sizes[:, 1], np.full(len(shown), _MARK)]) / 2
    height = float((middles[:, 1] + halves).max(initial=_EDGE)) + _EDGE
    by_name = dict(zip(place, circles, strict=True))
    return MapDrawing(
        width=width,
        height=round(height, 1),
        greys=tuple(_grey(link, by_name) for link in joined),
        curves=_curves(shown, by_name, middles[len(nodes) :]),
        circles=tuple(circles),
    )


def _nodes(concepts: Mapping[str, OpportunitySide]) -> list[_Node]:
    most = max((papers_of(side) for side in concepts.values()), default=0) or 1
    return [
        _Node(name, side, _LEAST + (_MOST - _LEAST) * math.sqrt(papers_of(side) / most), _wrapped(name))
        for name, side in concepts.items()
    ]


def _wrapped(name: str) -> tuple[str, ...]:
    """A label in at most two lines."""
    first, rest = "", shorten(clean_line(name), 2 * _LABEL) or "(unnamed)"
    while rest and len(first) < _LABEL:
        word, _, after = rest.partition(" ")
        if len(first) + len(word) + 1 > _LABEL:
            break
        first, rest = f"{first} {word}".strip(), after
    if not first:
        end = rest.rfind("-", 0, _LABEL) + 1 or _LABEL
        first, rest = rest[:end], rest[end:]
    return tuple(filter(None, (first, shorten(rest, _LABEL))))


def _text_width(text: str) -> float:
    return sum(_CHAR * (1.8 if unicodedata.east_asian_width(char) in "WF" else 1) for char in text)


def _circles(
    nodes: Sequence[_Node],
    middles: Floats,
    shown: Sequence[Opportunity],
    near: frozenset[str],
    anchors: Mapping[str, str],
) -> list[Circle]:
    made = []
    for node, (x, y) in zip(nodes, middles.tolist(), strict=False):
        marks = [middles[len(nodes) + number, 1] for number, each in enumerate(shown) if node.name in each.pair]
        above = bool(marks) and float(np.mean(marks)) > y  # the label on the side from which no line comes
        top, text = y - node.size[1] / 2, _LINE * len(node.lines)
        told = f"{count(papers_of(node.side), 'paper')}, since {node.side.first_year}"
        made.append(
            Circle(
                name=node.name,
                title=f"{clean_line(node.name, 200)}: {told}",
                x=round(x, 1),
                y=round(top + node.radius + (text + 3 if above else 0), 1),
                radius=round(node.radius, 1),
                lines=node.lines,
                label_y=round(top + 11 if above else top + 2 * node.radius + 14, 1),
                near=clean_line(node.name) in near,
                anchor=anchors.get(node.name, ""),
            )
        )
    return made


def _grey(link: ConceptLink, circles: Mapping[str, Circle]) -> LinkLine:
    one, other = circles[link.one], circles[link.other]
    names = " and ".join(clean_line(name, 200) for name in (link.one, link.other))
    width = min(1.0 + 0.5 * math.log2(max(link.papers, 1)), 4.0)
    return LinkLine(f"{names}: {count(link.papers, 'paper')}", one.x, one.y, other.x, other.y, round(width, 1))


def _curves(shown: Sequence[Opportunity], circles: Mapping[str, Circle], marks: Floats) -> tuple[Curve, ...]:
    most = max((each.probability for each in shown), default=0.0) or 1.0
    made = []
    for number, (opening, (x, y)) in enumerate(zip(shown, marks.tolist(), strict=True), 1):
        kind = KINDS[opening.kind]
        name = " + ".join(clean_line(each, 200) for each in opening.pair)
        made.append(
            Curve(
                number=number,
                kind=kind,
                title=f"{number}. {name}: {kind.name.lower()}, {percent(opening.probability)} in this library",
                path=_through(circles[opening.pair[0]], (x, y), circles[opening.pair[1]]),
                width=round(_THIN + (_THICK - _THIN) * math.sqrt(opening.probability / most), 1),
                x=round(x, 1),
                y=round(y, 1),
            )
        )
    return tuple(made)


def _through(one: Circle, mark: tuple[float, float], other: Circle) -> str:
    """A parabola that passes the mark halfway."""
    x, y = (2 * at - (start + end) / 2 for at, start, end in zip(mark, (one.x, one.y), (other.x, other.y), strict=True))
    return f"M{one.x} {one.y}Q{x:.1f} {y:.1f} {other.x} {other.y}"
