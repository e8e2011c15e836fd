"""Figures, tables, their captions, and footnotes: what is not part of the prose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from novum.literature.pdf.layout import PageLayout
from novum.literature.pdf.lines import TextLine, body_size

_CAPTION = re.compile(
    r"(Figure|Fig\.|FIGURE|FIG\.|Table|TABLE|Algorithm|Listing|Scheme)\s*(\d+|[A-Z]\.?\d+|[IVX]+)\s*([.:|]|$|[A-Z—–-])"
)
_SMALL = 0.93
"""Share of the font size of prose: smaller text is not prose."""
_LARGE = 1.07
_CELL = 25
"""Characters. Shorter texts side by side are cells of a table."""


@dataclass(frozen=True, slots=True)
class Floats:
    """Figures, tables and footnotes, by the numbers of their lines."""

    captions: dict[int, int]
    """The first line of each caption, with the line after its last."""
    lines: frozenset[int]
    """All lines that are not prose, including captions."""


def find_floats(layout: PageLayout) -> Floats:
    """The lines of figures, tables and footnotes, found by their size and position."""
    lines = layout.lines
    sizes = _prose_sizes(layout)
    frames = _frames(lines, sizes)
    odd = {at for at, line in enumerate(lines) if _is_odd(line, sizes[line.page]) or _is_row(lines, at)}
    captions = {at: _caption_end(lines, at, layout.gap) for at, line in enumerate(lines) if _CAPTION.match(line.text)}
    inside = {number for at, after in captions.items() for number in range(at, after)}
    for at, after in captions.items():
        odd |= set(_beside(lines, range(at - 1, -1, -1), at, odd, inside, frames, layout.size))
        odd |= set(_beside(lines, range(after, len(lines)), after - 1, odd, inside, frames, layout.size))
    return Floats(captions, frozenset(odd | inside))


def _prose_sizes(layout: PageLayout) -> dict[int, float]:
    """The font size of the prose of each page, as an appendix may be smaller throughout."""
    pages: dict[int, list[TextLine]] = {}
    for line in layout.lines:
        pages.setdefault(line.page, []).append(line)
    sizes: dict[int, float] = {}
    for page, lines in pages.items():
        own = body_size(lines)
        share = sum(len(line.text) for line in lines if abs(line.size - own) < 0.3)
        filled = share > 0.7 * sum(len(line.text) for line in lines)
        sizes[page] = min(own, layout.size) if filled else layout.size
    return sizes


def _is_odd(line: TextLine, size: float) -> bool:
    """Whether a line is too small for prose, or has no words."""
    return line.size < _SMALL * size or len(line.text) < 2


def _is_row(lines: Sequence[TextLine], at: int) -> bool:
    """Whether a line is a row of cells next to another. One row alone may be a formula in a sentence."""
    cells = lines[at].gaps + 1
    near = (*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2])
    return cells > 2 and len(lines[at].text) < _CELL * cells and any(line.gaps for line in near)


@dataclass(frozen=True, slots=True)
class _Frame:
    left: float
    right: float


def _frames(lines: Sequence[TextLine], sizes: dict[int, float]) -> dict[tuple[int, int], _Frame]:
    """Where most lines of prose begin and end, for each column of each page."""
    columns: dict[tuple[int, int], list[TextLine]] = {}
    for line in lines:
        if line.size >= _SMALL * sizes[line.page]:
            columns.setdefault((line.page, line.column), []).append(line)
    return {
        where: _Frame(
            left=_usual([round(line.left) for line in found]), right=_usual([round(line.right) for line in found])
        )
        for where, found in columns.items()
    }


def _usual(values: Sequence[int]) -> float:
    return float(Counter(values).most_common(1)[0][0])


def _beside(
    lines: Sequence[TextLine],
    numbers: range,
    start: int,
    odd: set[int],
    inside: set[int],
    frames: dict[tuple[int, int], _Frame],
    size: float,
) -> Iterator[int]:
    """The lines next to a caption, up or down its column, until one looks like prose or a heading."""
    for number in numbers:
        line = lines[number]
        same = line.page == lines[start].page and line.column == lines[start].column
        large = line.size > _LARGE * size
        if not same or number in inside or (number not in odd and (large or _is_prose(line, frames))):
            return
        yield number


def _is_prose(line: TextLine, frames: dict[tuple[int, int], _Frame]) -> bool:
    """Whether a line begins or ends where the lines of prose in its column do."""
    frame = frames.get((line.page, line.column))
    if frame is None:
        return False
    return abs(line.left - frame.left) < 3 or abs(line.right - frame.right) < 3


def _caption_end(lines: Sequence[TextLine], at: int, gap: float) -> int:
    """The line after the last one of a caption: up to there, font and spacing stay the same."""
    after = at + 1
    while after < len(lines):
        line, last = lines[after], lines[after - 1]
        step = last.base - line.base
        close = (line.page, line.column) == (last.page, last.column) and 0 < step < 1.25 * max(gap, line.size)
        if not close or abs(line.size - lines[at].size) > 0.3 or line.gaps > 1 or _CAPTION.match(line.text):
            return after
        after += 1
    return after
