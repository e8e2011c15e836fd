"""Headings, recognised by number, font and position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from novum.literature.pdf.hyphenation import Vocabulary
from novum.literature.pdf.layout import PageLayout
from novum.literature.pdf.lines import TextLine

_NUMBERED = re.compile(
    r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,3}|[IVX]{1,5}|Appendix [A-Z])(?P<dot>\.|:)?\s+"
    r"(?P<words>[^\W\d_].*|\d\D.*)"
)
_KNOWN = frozenset(
    (
        "abstract", "summary", "introduction", "background", "related work", "preliminaries", "method", "methods",
        "methodology", "materials and methods", "experiments", "results", "results and discussion", "discussion",
        "conclusion", "conclusions", "conclusion and future work", "conclusions and future work", "limitations",
        "ethics statement", "ethical considerations", "broader impact", "acknowledgements", "acknowledgments",
        "acknowledgement", "acknowledgment", "references", "bibliography", "literature cited", "works cited",
        "appendix", "appendices", "supplementary material", "keywords", "author contributions", "data availability",
        "funding",
        "reproducibility statement", "conflict of interest", "competing interests",
    )
)  # fmt: skip
REFERENCES = frozenset({"references", "bibliography", "literature cited", "works cited", "references and notes"})
ABSTRACT = frozenset({"abstract", "summary"})
_SENTENCES = re.compile(r"[a-z][.?!] [A-Z]")
_LONGEST = 150
_MOST_LINES = 3
_FEWEST_LETTERS = 3
_MANY = 3


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading, which may be several lines."""

    text: str
    number: str
    first: int
    """Its first line, counted from 0 in the document."""
    after: int
    """The line after its last."""

    @property
    def level(self) -> int:
        """1 for a section, 2 for a subsection, …"""
        return self.number.count(".") + 1

    @property
    def name(self) -> str:
        """The text in lower case, without punctuation at its ends."""
        return self.text.lower().strip(" .:—–-")


def headings(layout: PageLayout, floats: frozenset[int], vocabulary: Vocabulary) -> list[Heading]:
    """The headings in order. `floats`: lines of figures and tables, where bold text is no heading.

    Where headings are numbered, one without a number must be known by name or look like one that has a number.
    """
    lines = layout.lines
    numbered = {at for at, line in enumerate(lines) if at not in floats and _is_numbered(line, layout)}
    styles = {style for style, count in Counter(_style(lines[at]) for at in numbered).items()}
    found: list[Heading] = []
    at = 0
    while at < len(lines):
        free = len(numbered) < _MANY and _stands_out(lines, at, layout)
        like = _style(lines[at]) in styles and _stands_out(lines, at, layout)
        if at not in floats and (at in numbered or _is_known(lines[at], layout) or like or free):
            found.append(_heading(layout, at, floats, vocabulary))
            at = found[-1].after
        else:
            at += 1
    return found


def _style(line: TextLine) -> tuple[float, bool, bool]:
    return round(line.size * 2) / 2, line.bold, line.text.isupper()


def emphatic(line: TextLine, size: float) -> bool:
    """Whether the font of a line differs from that of prose."""
    return (line.bold or line.size > 1.07 * size or line.text.isupper()) and line.size > 0.93 * size


def _is_numbered(line: TextLine, layout: PageLayout) -> bool:
    match = _NUMBERED.fullmatch(line.text)
    if not match or len(line.text) > _LONGEST or not emphatic(line, layout.size) or line.gaps > 1:
        return False
    words = match["words"]
    if sum(map(str.isalpha, words)) < _FEWEST_LETTERS:
        return False
    roman_or_letter = not match["number"][0].isdigit()
    if roman_or_letter and not (match["dot"] or line.gaps or line.bold or line.size > 1.07 * layout.size):
        return False
    return words[0].isupper() or words[0].isdigit() or line.bold


def _is_known(line: TextLine, layout: PageLayout) -> bool:
    """Whether a line is a common heading. In plain type only a few are clear enough."""
    name = line.text.lower().strip(" .:—–-")
    if name not in _KNOWN or line.gaps > 1:
        return False
    return emphatic(line, layout.size) or (name in REFERENCES | ABSTRACT and line.text[0].isupper())


def _stands_out(lines: Sequence[TextLine], at: int, layout: PageLayout) -> bool:
    """A short line in larger or bold type, that does not end as a sentence does and has room above and below it."""
    line = lines[at]
    if not emphatic(line, layout.size) or not 3 <= len(line.text) <= _LONGEST or line.gaps > 1:
        return False
    if line.text[-1] in ".,;:" or not line.text[0].isupper() or _SENTENCES.search(line.text):
        return False
    if sum(map(str.isalpha, line.text)) < 0.6 * len(line.text):
        return False
    return _has_room(lines, at - 1, at, layout) and _has_room(lines, at, at + 1, layout)


def _has_room(lines: Sequence[TextLine], upper: int, lower: int, layout: PageLayout) -> bool:
    """Whether two lines stand further apart than lines of prose do. Bold words that begin a paragraph have no room
    below them, and a second line of the same heading needs none."""
    if upper < 0 or lower >= len(lines):
        return True
    above, below = lines[upper], lines[lower]
    if (above.page, above.column) != (below.page, below.column):
        return True
    if _style(above) == _style(below) and emphatic(below, layout.size):
        return not _is_text(above, layout)
    return above.base - below.base > 1.12 * (layout.gap or above.size * 1.2)


def _is_text(line: TextLine, layout: PageLayout) -> bool:
    return not emphatic(line, layout.size)


def _heading(layout: PageLayout, at: int, floats: frozenset[int], vocabulary: Vocabulary) -> Heading:
    """The heading at a line, with the lines that continue it: close below, in the same font, without a number."""
    lines = layout.lines
    after = at + 1
    while after < min(len(lines), at + _MOST_LINES) and after not in floats:
        line, last = lines[after], lines[after - 1]
        close = (line.page, line.column) == (last.page, last.column) and 0 < last.base - line.base < 1.5 * line.size
        alike = line.bold == last.bold and abs(line.size - last.size) < 0.3 and emphatic(line, layout.size)
        if not close or not alike or _NUMBERED.fullmatch(line.text) or lines[at].text.lower() in _KNOWN:
            break
        after += 1
    text = vocabulary.join(line.text for line in lines[at:after])
    match = _NUMBERED.fullmatch(text)
    number = match["number"] if match else ""
    return Heading(match["words"] if match else text, number, at, after)
