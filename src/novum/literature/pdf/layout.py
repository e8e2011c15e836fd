"""From text with positions to lines in reading order: across a page, or down one column and then the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from novum.literature.pdf.lines import TextLine, body_size, join_parts, line_gap, segments
from novum.literature.pdf.margins import trim
from novum.literature.pdf.spans import PdfText

_STEP = 3.0
_MIDDLE = (0.3, 0.7)
"""Where a gutter may be, as shares of the page's width."""
_MOST_ACROSS = 0.35
_FEWEST_BESIDE = 0.2
"""Shares of a page's lines: at most so many cross a gutter, and at least so many are on each side of it."""
_MAY_BE_ACROSS = 0.6
_LEVEL = 0.4
"""In font sizes: segments with a smaller difference in height are one line."""


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A document as lines."""

    lines: tuple[TextLine, ...]
    """Of all pages, in reading order, without running heads, page numbers and footers."""
    first_page: tuple[TextLine, ...]
    """The segments of the first page from top to bottom, columns or not: where title and authors are."""
    around: tuple[str, ...]
    """Text in the margins and sideways text: running heads, footers, stamps."""
    size: float
    """Font size of the prose, in points."""
    gap: float
    """Distance between the lines of the prose, in points."""


def lay_out(text: PdfText) -> PageLayout:
    """The lines of a document. More than two columns are read as two."""
    trimmed = trim([segments(page.spans) for page in text.pages], [page.height for page in text.pages])
    gutters = _gutters(trimmed.pages, [page.width for page in text.pages])
    lines = [
        line
        for number, (page, gutter) in enumerate(zip(trimmed.pages, gutters, strict=True))
        for line in _in_order(page, gutter, number)
    ]
    first = sorted(trimmed.pages[0], key=lambda line: (-round(line.base), line.left)) if trimmed.pages else []
    sideways = [stamp for page in text.pages[:1] for stamp in page.sideways]
    size = body_size(lines)
    return PageLayout(
        lines=tuple(lines),
        first_page=tuple(first),
        around=(*sideways, *(line.text for line in trimmed.around)),
        size=size,
        gap=line_gap([line for line in lines if abs(line.size - size) < 0.3]),
    )


def _gutters(pages: Sequence[Sequence[TextLine]], widths: Sequence[float]) -> list[float | None]:
    """The x between the two columns of each page; None for one column. A page that is unclear follows the others."""
    own = [_gutter(lines, width) for lines, width in zip(pages, widths, strict=True)]
    known = [x for x in own if x is not None]
    if len(known) * 4 < len(pages):
        return own
    usual = median(known)
    return [usual if x is None and _could_have(page, usual) else x for x, page in zip(own, pages, strict=True)]


def _could_have(lines: Sequence[TextLine], gutter: float) -> bool:
    """A page with lines across and none beside them has one column, even among pages of two."""
    across = _share_across(lines, gutter)
    return across == 0 or (across < _MAY_BE_ACROSS and any(line.left >= gutter for line in lines))


def _gutter(lines: Sequence[TextLine], width: float) -> float | None:
    """The x that the fewest lines cross, in the middle of the widest such range."""
    if len(lines) < 8:
        return None
    low, high = (share * width for share in _MIDDLE)
    places = [low + step * _STEP for step in range(int((high - low) / _STEP) + 1)]
    shares = [_share_across(lines, x) for x in places]
    if not shares or min(shares) > _MOST_ACROSS:
        return None
    x = _widest(places, [share <= min(shares) + 0.01 for share in shares])
    beside = min(sum(line.right <= x for line in lines), sum(line.left >= x for line in lines))
    return x if beside >= _FEWEST_BESIDE * len(lines) else None


def _share_across(lines: Sequence[TextLine], x: float) -> float:
    return sum(line.left < x < line.right for line in lines) / max(len(lines), 1)


def _widest(places: Sequence[float], good: Sequence[bool]) -> float:
    best: list[float] = []
    held: list[float] = []
    for place, fits in zip(places, good, strict=True):
        held = [*held, place] if fits else []
        best = max(best, held, key=len)
    return best[len(best) // 2]


def _in_order(segments: Iterable[TextLine], gutter: float | None, page: int) -> list[TextLine]:
    """The lines of a page in reading order. A line across both columns separates
    what is above it from what is below."""
    found = sorted(segments, key=lambda line: -line.base)
    if gutter is None:
        return [replace(line, page=page) for line in _rows(found)]
    ordered: list[TextLine] = []
    band: list[TextLine] = []
    for line in found:
        if line.left < gutter - _STEP < gutter + _STEP < line.right:
            ordered += [*_band(band, gutter), replace(line, column=-1)]
            band = []
        else:
            band.append(line)
    ordered += _band(band, gutter)
    return [replace(line, page=page) for line in ordered]


def _band(lines: Sequence[TextLine], gutter: float) -> list[TextLine]:
    sides = [(line, int((line.left + line.right) / 2 > gutter)) for line in lines]
    return [
        replace(row, column=column) for column in (0, 1) for row in _rows([line for line, at in sides if at == column])
    ]


def _rows(lines: Sequence[TextLine]) -> list[TextLine]:
    """Segments at one height as one line; `lines` from top to bottom."""
    rows: list[list[TextLine]] = []
    for line in lines:
        if rows and rows[-1][0].base - line.base <= _LEVEL * min(line.size, rows[-1][0].size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [join_parts(row) for row in rows]
