"""What is no part of the sentences: figures, tables and their captions, footnotes."""

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
"""Of the size of prose: what is smaller is none."""
_LARGE = 1.07
_CELL = 25
"""Characters: shorter ones, side by side, are cells of a table."""


@dataclass(frozen=True, slots=True)
class Floats:
    """By numbers of lines."""

    captions: dict[int, int]
    """Of each caption, its first line and the line after its last."""
    lines: frozenset[int]
    """All that is no prose, captions included."""


def find_floats(layout: PageLayout) -> Floats:
    """Tell what is in figures, tables and footnotes by size and place."""
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
    """Of each page: an appendix may be set smaller as a whole."""
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
    """Too small for prose, or no words at all."""
    return line.size < _SMALL * size or len(line.text) < 2


def _is_row(lines: Sequence[TextLine], at: int) -> bool:
    """A row of cells, with another above or below: a formula in the middle of a sentence has gaps too."""
    cells = lines[at].gaps + 1
    near = (*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2])
    return cells > 2 and len(lines[at].text) < _CELL * cells and any(line.gaps for line in near)


@dataclass(frozen=True, slots=True)
class _Frame:
    left: float
    right: float


def _frames(lines: Sequence[TextLine], sizes: dict[int, float]) -> dict[tuple[int, int], _Frame]:
    """Where most lines of prose begin and end, of each column of each page."""
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
    """From a caption on, up or down its column, all that does not look like prose or a heading."""
    for number in numbers:
        line = lines[number]
        same = line.page == lines[start].page and line.column == lines[start].column
        large = line.size > _LARGE * size
        if not same or number in inside or (number not in odd and (large or _is_prose(line, frames))):
            return
        yield number


def _is_prose(line: TextLine, frames: dict[tuple[int, int], _Frame]) -> bool:
    """Begins where lines begin, or reaches to where they end."""
    frame = frames.get((line.page, line.column))
    if frame is None:
        return False
    return abs(line.left - frame.left) < 3 or abs(line.right - frame.right) < 3


def _caption_end(lines: Sequence[TextLine], at: int, gap: float) -> int:
    """A caption goes on as long as its type and its spacing do."""
    after = at + 1
    while after < len(lines):
        line, last = lines[after], lines[after - 1]
        step = last.base - line.base
        close = (line.page, line.column) == (last.page, last.column) and 0 < step < 1.25 * max(gap, line.size)
        if not close or abs(line.size - lines[at].size) > 0.3 or line.gaps > 1 or _CAPTION.match(line.text):
            return after
        after += 1
    return after
