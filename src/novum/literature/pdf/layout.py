"""From text with positions to lines in reading order."""

from __future__ import annotations

from dataclasses import dataclass

from novum.literature.pdf.columns import gutters, in_order
from novum.literature.pdf.lines import TextLine, body_size, line_gap, segments
from novum.literature.pdf.margins import trim
from novum.literature.pdf.spans import PdfText


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
    parted = gutters(trimmed.pages, [page.width for page in text.pages])
    lines = [
        line
        for number, (page, gutter) in enumerate(zip(trimmed.pages, parted, strict=True))
        for line in in_order(page, gutter, number)
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
