"""Splits a bibliography into entries: by labels, hanging indents, the space between them, and their first words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from novum.literature.pdf.hyphenation import Vocabulary
from novum.literature.pdf.lines import TextLine, line_gap

_BRACKETED = re.compile(r"\[(\d{1,4})\]")
_DOTTED = re.compile(r"(\d{1,4})\.?\s+(?=\W*[^\W\d_])")
_LABELLED = re.compile(r"\[[^\W\d_][\w+*&.,’' -]{1,40}\]")
_NEW_ENTRY = re.compile(r"[^\W\d_][\w'’-]+(?:,| [^\W\d_])")
_YEAR = re.compile(r"\b(?:19|20)\d\d")
_INDENT = (3.0, 45.0)
"""Points."""
_SOME = 0.15
_MOST_LINES = 60
_LONGEST_ENTRY = 3000


def split_entries(lines: Sequence[TextLine], vocabulary: Vocabulary) -> list[str]:
    """The raw text of each entry, in order."""
    if not lines:
        return []
    starts = _numbered(lines) or _labelled(lines) or _hanging(lines) or _apart(lines) or _by_words(lines)
    bounds = sorted(starts | {0})
    groups = [lines[start:end] for start, end in zip(bounds, [*bounds[1:], len(lines)], strict=True)]
    texts = (vocabulary.join(line.text for line in group[:_MOST_LINES])[:_LONGEST_ENTRY] for group in groups)
    return [text for text in texts if len(text) > 10 and any(map(str.isalpha, text))]


def _numbered(lines: Sequence[TextLine]) -> set[int]:
    """Lines with labels that count up by one. A volume number at the beginning of a line does not."""
    for pattern in (_BRACKETED, _DOTTED):
        starts: set[int] = set()
        expected = None
        for at, line in enumerate(lines):
            match = pattern.match(line.text)
            number = int(match[1]) if match else None
            if number is not None and (number == expected or (expected is None and number == 1)):
                starts.add(at)
                expected = number + 1
        if len(starts) >= 3 and len(lines) / len(starts) < 12:
            return starts
    return set()


def _labelled(lines: Sequence[TextLine]) -> set[int]:
    """`[ABC+19]`, `[Smith et al., 2019]`."""
    starts = {at for at, line in enumerate(lines) if _LABELLED.match(line.text)}
    return starts if lines and len(starts) > _SOME * len(lines) and _LABELLED.match(lines[0].text) else set()


def _hanging(lines: Sequence[TextLine]) -> set[int]:
    """Entries whose first lines are at the edge of their column, with the other lines indented."""
    edges = _edges(lines)
    inside = [line.left - edges[line.page, line.column] for line in lines]
    indented = [_INDENT[0] < by < _INDENT[1] for by in inside]
    if sum(indented) < _SOME * len(lines):
        return set()
    return {at for at, by in enumerate(inside) if by <= _INDENT[0]}


def _edges(lines: Sequence[TextLine]) -> dict[tuple[int, int], float]:
    """The left edge of each column of each page. A column that holds only the rest of one entry takes the edge
    of the others."""
    lefts: dict[tuple[int, int], list[float]] = {}
    for line in lines:
        lefts.setdefault((line.page, line.column), []).append(line.left)
    edges = {where: min(found) for where, found in lefts.items()}
    for where, found in lefts.items():
        same = [edges[other] for other in lefts if other[1] == where[1] and other != where]
        if max(found) - min(found) < _INDENT[0] and same:
            nearest = min(same, key=lambda edge: abs(edge - min(found)))
            edges[where] = nearest if _INDENT[0] < min(found) - nearest < _INDENT[1] else min(found)
    return edges


def _apart(lines: Sequence[TextLine]) -> set[int]:
    """Entries with more space between them than between their lines."""
    usual = line_gap(lines)
    starts = {
        at
        for at, (last, line) in enumerate(pairwise(lines), start=1)
        if (last.page, last.column) == (line.page, line.column)
        and last.base - line.base > max(1.12 * usual, usual + 1.0)
    }
    breaks = {
        at
        for at, (last, line) in enumerate(pairwise(lines), start=1)
        if (last.page, last.column) != (line.page, line.column) and _could_begin(last, line)
    }
    return starts | breaks if usual and len(starts) > _SOME / 2 * len(lines) else set()


def _by_words(lines: Sequence[TextLine]) -> set[int]:
    """A line that begins like a name, after a full stop, with a year within three lines."""
    return {
        at
        for at, (last, line) in enumerate(pairwise(lines), start=1)
        if _could_begin(last, line) and _YEAR.search(" ".join(one.text for one in lines[at : at + 3]))
    }


def _could_begin(last: TextLine, line: TextLine) -> bool:
    return last.text.endswith((".", "]", ")")) and line.text[0].isupper() and _NEW_ENTRY.match(line.text) is not None
