"""Joins text to lines, by position and not by the order in the file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from novum.literature.pdf.spans import TextSpan

_SPACE = 0.16
_REACH = 0.8
"""Gaps in font sizes: a wider one than the first is a space, than the second another column or cell."""
_RAISED = 0.6
"""In font sizes: how far exponents and indices may be above or below their line."""
_MARK = re.compile(r"[\d*†‡§¶∗⋆♠♡♢♣♦♥,\s]{1,6}|[a-z](,[a-z])*")
"""Marks of footnotes and affiliations."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of one column. Lengths are points; y grows upwards."""

    text: str
    left: float
    right: float
    base: float
    size: float
    """Font size of its larger letters, as small capitals do not make a line small."""
    bold: bool = False
    italic: bool = False
    cells: tuple[str, ...] = ()
    """The text between wide gaps and footnote marks: one for most lines, several for authors and rows of tables."""
    page: int = 0
    column: int = 0
    """0: left or only; 1: right; -1: across both."""
    gaps: int = 0
    """Wide gaps between its cells."""


def segments(spans: Iterable[TextSpan]) -> list[TextLine]:
    """Lines without wide gaps, so that text of two columns is never in one."""
    runs: list[list[TextSpan]] = []
    for span in spans:
        if runs and _adjoins(runs[-1], span):
            runs[-1].append(span)
        else:
            runs.append([span])
    return [_line([run]) for run in _join_neighbours(runs)]


def join_parts(parts: Sequence[TextLine]) -> TextLine:
    """One line from its parts."""
    parts = sorted(parts, key=lambda part: part.left)
    main = max(parts, key=lambda part: len(part.text))
    return replace(
        main,
        text=" ".join(part.text for part in parts),
        left=parts[0].left,
        right=max(part.right for part in parts),
        bold=all(part.bold for part in parts),
        italic=all(part.italic for part in parts),
        cells=tuple(cell for part in parts for cell in part.cells),
        gaps=len(parts) - 1,
    )


def body_size(lines: Iterable[TextLine]) -> float:
    """The font size of most letters; 0 without letters."""
    letters: Counter[float] = Counter()
    for line in lines:
        letters[round(line.size, 1)] += len(line.text)
    return letters.most_common(1)[0][0] if letters else 0.0


def _main(run: Sequence[TextSpan]) -> TextSpan:
    """The span whose baseline is that of the line: the longest of the largest size."""
    return max(run, key=lambda span: (span.size, len(span.text)))


def _adjoins(run: Sequence[TextSpan], span: TextSpan) -> bool:
    main = _main(run)
    size = max(main.size, span.size)
    level = abs(span.base - main.base) <= _RAISED * size
    return level and -0.3 * size <= span.left - run[-1].right <= _REACH * size


def _join_neighbours(runs: list[list[TextSpan]]) -> list[list[TextSpan]]:
    """Runs joined that are side by side although the file draws them apart. Only rows at similar
    heights are compared."""
    whole: list[list[TextSpan]] = []
    rows: dict[int, list[int]] = {}
    for run in sorted(runs, key=lambda run: run[0].left):
        row = round(_main(run).base / _ROW)
        near = (number for at in (row - 1, row, row + 1) for number in rows.get(at, ()))
        number = next((number for number in near if _adjoins(whole[number], run[0])), None)
        if number is None:
            rows.setdefault(row, []).append(len(whole))
            whole.append(list(run))
        else:
            whole[number] += run
    return whole


_ROW = 6.0


def _line(runs: Sequence[Sequence[TextSpan]]) -> TextLine:
    spans = [span for run in runs for span in run]
    main = _main(spans)
    cells = _cells(spans, main)
    text = " ".join(cells)
    return TextLine(
        text=text,
        left=spans[0].left,
        right=max(span.right for span in spans),
        base=main.base,
        size=_size(spans),
        bold=_mostly(spans, "bold"),
        italic=_mostly(spans, "italic"),
        cells=tuple(cells),
    )


def _size(spans: Sequence[TextSpan]) -> float:
    """The largest font size that at least a tenth of the letters have."""
    total = sum(len(span.text) for span in spans)
    for size in sorted({span.size for span in spans}, reverse=True):
        if sum(len(span.text) for span in spans if span.size >= size) * 10 >= total:
            return size
    return spans[0].size


def _mostly(spans: Sequence[TextSpan], style: str) -> bool:
    """Whether most of the text is bold or italic. Marks and small capitals do not count."""
    size = max(span.size for span in spans)
    large = [span for span in spans if span.size > 0.85 * size]
    return sum(len(span.text) for span in large if getattr(span, style)) > 0.8 * sum(len(span.text) for span in large)


def _cells(spans: Sequence[TextSpan], main: TextSpan) -> list[str]:
    """The text, split at raised marks, which are left out."""
    parts = [""]
    last: TextSpan | None = None
    for span in spans:
        if _is_mark(span, last, main):
            parts.append("")
            last = span
            continue
        space = last is not None and (span.spaced or span.left - last.right > _SPACE * max(span.size, last.size))
        parts[-1] += f" {span.text}" if space and parts[-1] else span.text
        last = span
    return [" ".join(part.split()) for part in parts if part.strip()] or [" ".join(span.text for span in spans)]


def _is_mark(span: TextSpan, last: TextSpan | None, main: TextSpan) -> bool:
    """Whether a span is a mark: small, raised, and after a word or at the beginning. After an italic letter it is an
    exponent."""
    raised = span.size < 0.85 * main.size and span.base - main.base > 0.2 * main.size
    after_word = last is None or not last.italic or (span.italic and not span.text.strip().isalnum())
    return raised and after_word and _MARK.fullmatch(span.text.strip()) is not None


def line_gap(lines: Sequence[TextLine]) -> float:
    """The usual distance between the bases of two lines that follow each other; 0 when there is none."""
    steps = Counter(
        round(above.base - below.base, 1)
        for above, below in pairwise(lines)
        if (above.page, above.column) == (below.page, below.column) and 0 < above.base - below.base < 4 * above.size
    )
    return steps.most_common(1)[0][0] if steps else 0.0
