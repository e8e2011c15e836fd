"""Text in the margins of a page: running heads, page numbers, footers, line numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from novum.literature.pdf.lines import TextLine, body_size

_EDGE = 0.1
"""Share of the height of a page, above and below, in which running heads are looked for."""
_FOOT = 0.13
"""Share of the height below which a footer of the first page is."""
_PLACE = 4.0
_PAGE_NUMBER = re.compile(r"[-–—\s]*(\d{1,5}|[ivxlc]{1,6}|(page )?\d{1,4} ?(/|of) ?\d{1,4})[-–—\s]*", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_LINE_NUMBERS = 12
"""At least so many increasing numbers below each other are the line numbers of a manuscript."""


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The pages of a document without the text in their margins."""

    pages: list[list[TextLine]]
    around: list[TextLine]
    """The text in the margins, in the order of the pages."""


def trim(pages: Sequence[Sequence[TextLine]], heights: Sequence[float]) -> Trimmed:
    """`pages`: their segments in any order. What is repeated at one place on
    several pages, apart from the text, is a running head."""
    repeated = Counter(
        key
        for lines, height in zip(pages, heights, strict=True)
        for key in {_key(line) for line in lines if _at_edge(line, height)}
    )
    enough = max(2, len(pages) // 4)
    kept: list[list[TextLine]] = []
    around: list[TextLine] = []
    for lines, height in zip(pages, heights, strict=True):
        numbers = _line_numbers(lines)
        outside = {
            line
            for line in lines
            if line in numbers
            or (_at_edge(line, height) and (repeated[_key(line)] >= enough or _PAGE_NUMBER.fullmatch(line.text)))
        }
        outside = {line for line in outside if line in numbers or not _adjoins(line, lines, outside)}
        outside |= _beyond(lines, outside, height)
        around += [line for line in lines if line in outside]
        kept.append([line for line in lines if line not in outside])
    return _first_footer(kept, around, heights)


def _key(line: TextLine) -> tuple[str, int]:
    return _DIGITS.sub("#", line.text), round(line.base / _PLACE)


def _at_edge(line: TextLine, height: float) -> bool:
    return not _EDGE * height < line.base < (1 - _EDGE) * height


def _adjoins(line: TextLine, lines: Iterable[TextLine], outside: set[TextLine]) -> bool:
    """Whether text is next to it at the distance of a line: two pages may end with the same word by chance."""
    return any(
        0 < abs(other.base - line.base) < 1.4 * line.size and other.left < line.right and line.left < other.right
        for other in lines
        if other not in outside
    )


def _beyond(lines: Iterable[TextLine], outside: set[TextLine], height: float) -> set[TextLine]:
    """The lines below the page number at the foot of a page."""
    feet = [line.base for line in outside if line.base < _EDGE * height and _PAGE_NUMBER.fullmatch(line.text)]
    return {line for line in lines if feet and line.base < max(feet)}


def _line_numbers(lines: Iterable[TextLine]) -> set[TextLine]:
    stacks: dict[int, list[TextLine]] = {}
    for line in lines:
        if line.text.isdecimal() and len(line.text) <= 4:
            stacks.setdefault(round(line.right), []).append(line)
    found: set[TextLine] = set()
    for stack in stacks.values():
        stack.sort(key=lambda line: -line.base)
        if len(stack) >= _LINE_NUMBERS and all(int(up.text) < int(down.text) for up, down in pairwise(stack)):
            found |= set(stack)
    return found


def _first_footer(pages: list[list[TextLine]], around: list[TextLine], heights: Sequence[float]) -> Trimmed:
    """The first page may say at its foot where it was published, below where the text of all others ends."""
    if len(pages) > 2:
        size = body_size(line for page in pages for line in page)
        feet = [min((line.base for line in page), default=0.0) for page in pages[1:]]
        foot = min([base for base in feet if base] + [_FOOT * heights[0]]) - size
        below = [line for line in pages[0] if line.base < foot]
        pages = [[line for line in pages[0] if line.base >= foot], *pages[1:]]
        around = [*below, *around]
    return Trimmed(pages, around)
