"""Texts of papers cut into overlapping passages, whole sentences where that can be done."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from novum.core import Paper
from novum.core.evidence import Origin
from novum.core.sentences import SentenceSpan, sentences

LONGEST_TEXT = 200_000
"""Characters of one paper that are looked at: two or three times a long paper with its appendices."""
_HEADING = re.compile(r"^(#{2,6})[ \t]+(\S[^\n]{0,200})$", re.MULTILINE)
_LEAST = 0.25
"""A last passage shorter than this share of the length is given to the one before it."""


Key = tuple[str, Origin, int, int]
"""Paper, text, start and end: what tells a passage from every other."""


@dataclass(frozen=True)
class Passage:
    """A stretch of a paper's text. `start` and `end` count characters of that text."""

    paper: Paper
    origin: Origin
    start: int
    end: int
    section: str
    text: str
    chapter: str = ""
    """Heading of the chapter that the section is a part of, where it is one."""

    @property
    def key(self) -> Key:
        return (self.paper.id, self.origin, self.start, self.end)

    @property
    def embedded(self) -> str:
        """What its vector is made of: passages speak of "the method" and mean that of the title."""
        return f"{self.paper.title}\n{self.text}"


def split_paper(paper: Paper, full_text: str | None, characters: int, overlap: int) -> list[Passage]:
    """The passages of a paper: of its full text where there is one, else of its abstract or summary.

    Each has about `characters` characters at most, and begins with the last sentences of the one before, about
    `overlap` characters of them. No passage crosses a heading. An abstract or summary of up to twice that length
    stays whole: half of one says little. Nothing for a paper without any text.
    """
    text, origin = _text_of(paper, full_text)
    if origin != "full text" and len(text) <= 2 * characters:
        characters = len(text)
    return [
        Passage(paper, origin, span.start, span.end, section.title, span.of(text), section.chapter)
        for section in _sections(text)
        for span in _windows(_pieces(text, section.body, characters), characters, overlap)
    ]


@dataclass(frozen=True)
class _Section:
    title: str
    chapter: str
    body: SentenceSpan


def _text_of(paper: Paper, full_text: str | None) -> tuple[str, Origin]:
    if full_text and full_text.strip():
        return full_text[:LONGEST_TEXT], "full text"
    return (paper.abstract, "abstract") if paper.abstract else (paper.summary, "summary")


def _sections(text: str) -> Iterator[_Section]:
    """Heading, chapter and body of each section; what stands before the first heading has none."""
    title, chapter, above, start = "", "", "", 0
    for heading in _HEADING.finditer(text):
        yield _Section(title, above, SentenceSpan(start, heading.start()))
        title, start = heading[2].strip().strip("#").strip(), heading.end()
        is_chapter = len(heading[1]) == 2
        chapter, above = (title, "") if is_chapter else (chapter, chapter)
    yield _Section(title, above, SentenceSpan(start, len(text)))


def _pieces(text: str, section: SentenceSpan, characters: int) -> list[SentenceSpan]:
    """The sentences of a section; one longer than a passage is cut at blanks, or anywhere."""
    whole = [SentenceSpan(section.start + each.start, section.start + each.end) for each in sentences(section.of(text))]
    return [piece for sentence in whole for piece in _shortened(text, sentence, characters)]


def _shortened(text: str, sentence: SentenceSpan, characters: int) -> Iterator[SentenceSpan]:
    start = sentence.start
    while sentence.end - start > characters:
        blank = text.rfind(" ", start + characters // 2, start + characters)
        end = blank if blank > 0 else start + characters
        yield SentenceSpan(start, end)
        start = end + (blank > 0)
    if start < sentence.end:
        yield SentenceSpan(start, sentence.end)


def _windows(pieces: list[SentenceSpan], characters: int, overlap: int) -> list[SentenceSpan]:
    """As many pieces as fit, then from the piece at which about `overlap` characters are left."""
    spans: list[SentenceSpan] = []
    first = 0
    while first < len(pieces):
        past = _fitting(pieces, first, characters)
        spans.append(SentenceSpan(pieces[first].start, pieces[past - 1].end))
        if past == len(pieces):
            break
        first = max(_shared(pieces, past, overlap), first + 1)
    return _without_crumb(spans, characters)


def _fitting(pieces: list[SentenceSpan], first: int, characters: int) -> int:
    """The piece before which a passage that begins with `first` ends; one piece at least."""
    limit = pieces[first].start + characters
    return max(bisect_right(pieces, limit, lo=first, key=lambda piece: piece.end), first + 1)


def _shared(pieces: list[SentenceSpan], past: int, overlap: int) -> int:
    """Where the next passage begins: the earliest piece within `overlap` characters of the end."""
    reach = pieces[past - 1].end - overlap
    while past > 0 and pieces[past - 1].start >= reach:
        past -= 1
    return past


def _without_crumb(spans: list[SentenceSpan], characters: int) -> list[SentenceSpan]:
    if len(spans) > 1 and spans[-1].end - spans[-2].end < _LEAST * characters:
        return [*spans[:-2], SentenceSpan(spans[-2].start, spans[-1].end)]
    return spans
