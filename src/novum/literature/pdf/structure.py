"""From lines to the parts of a paper: title, authors, abstract, sections, bibliography."""

from __future__ import annotations

import re
from dataclasses import dataclass

from novum.core import Value
from novum.literature.pdf.floats import Floats, find_floats
from novum.literature.pdf.front import Front, read_front
from novum.literature.pdf.headings import ABSTRACT, REFERENCES, Heading, headings
from novum.literature.pdf.hyphenation import Vocabulary
from novum.literature.pdf.layout import PageLayout
from novum.literature.pdf.lines import TextLine
from novum.literature.pdf.prose import paragraphs

_RUN_IN = re.compile(r"(abstract|summary)\s*(?:[.:—–-]+\s*)", re.IGNORECASE)
_AFTER_ABSTRACT = re.compile(
    r"(key ?words|index terms|ccs concepts|categories and subject|acm reference|general terms)\b", re.IGNORECASE
)


class PdfSection(Value):
    """One section, without the subsections under it."""

    heading: str
    """Empty for text before the first heading."""
    number: str = ""
    """`2.1`, `A`; empty without one."""
    level: int = 1
    """1 for a section, 2 for a subsection, …"""
    text: str
    """Paragraphs and captions, separated by blank lines."""


@dataclass(frozen=True, slots=True)
class Structure:
    """The parts of a paper."""

    front: Front
    abstract: str
    sections: tuple[PdfSection, ...]
    bibliography: tuple[TextLine, ...]


def structure_of(layout: PageLayout, vocabulary: Vocabulary) -> Structure:
    """The parts of a document. What is not found is empty."""
    floats = find_floats(layout)
    found = headings(layout, floats.lines, vocabulary)
    begin, abstract = _abstract(layout, found, floats, vocabulary)
    front = read_front(layout.first_page, layout.size, _top_of_text(layout, begin), vocabulary)
    sections: list[PdfSection] = []
    bibliography: list[TextLine] = []
    body = [heading for heading in found if heading.first >= begin]
    if not body or body[0].first > begin:
        body.insert(0, Heading("", "", begin, begin))
    for heading, end in zip(body, [*(following.first for following in body[1:]), len(layout.lines)], strict=True):
        if heading.name in REFERENCES:
            bibliography += _entries(layout, heading.after, end, floats)
            continue
        text = "\n\n".join(paragraphs(layout, heading.after, end, floats, vocabulary))
        if text or heading.text:
            sections.append(PdfSection(heading=heading.text, number=heading.number, level=heading.level, text=text))
    return Structure(front, abstract, tuple(sections), tuple(bibliography))


def _abstract(layout: PageLayout, found: list[Heading], floats: Floats, vocabulary: Vocabulary) -> tuple[int, str]:
    """Where the body begins, and the abstract before it."""
    start = next((heading for heading in found if heading.name in ABSTRACT), None)
    run_in = next((at for at, line in enumerate(layout.lines[:150]) if _RUN_IN.match(line.text)), None)
    if start is None and run_in is None:
        first = next((heading.first for heading in found if heading.number or heading.name == "introduction"), 0)
        return first, ""
    at = start.after if start else run_in or 0
    end = next((heading.first for heading in found if heading.first > at), len(layout.lines))
    end = next((n for n in range(at, end) if _AFTER_ABSTRACT.match(layout.lines[n].text)), end)
    size = layout.lines[at].size if at < len(layout.lines) else 0.0
    captions = {n for first, after in floats.captions.items() for n in range(first, after)}
    lines = [layout.lines[n] for n in range(at, end) if n not in captions and abs(layout.lines[n].size - size) < 0.3]
    text = vocabulary.join(line.text for line in lines)
    return end, _RUN_IN.sub("", text, count=1) if start is None else text


def _top_of_text(layout: PageLayout, begin: int) -> float:
    """On the first page, the height at which the abstract or, without one, the text begins."""
    for line in layout.first_page:
        if line.text.lower().strip(" .:") in ABSTRACT or _RUN_IN.match(line.text):
            return line.base
    if begin < len(layout.lines) and layout.lines[begin].page == 0:
        return layout.lines[begin].base
    return 0.0


def _entries(layout: PageLayout, first: int, end: int, floats: Floats) -> list[TextLine]:
    """The lines of a bibliography, which may be smaller than prose, but all have one size."""
    captions = {n for start, after in floats.captions.items() for n in range(start, after)}
    lines = [layout.lines[n] for n in range(first, end) if n not in captions]
    if not lines:
        return []
    letters: dict[float, int] = {}
    for line in lines:
        letters[line.size] = letters.get(line.size, 0) + len(line.text)
    size = max(letters, key=lambda one: letters[one])
    return [line for line in lines if abs(line.size - size) < 0.6]
