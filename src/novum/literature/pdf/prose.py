"""Joins lines of prose to paragraphs, across figures, footnotes and the ends of columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from novum.literature.pdf.floats import Floats
from novum.literature.pdf.hyphenation import Vocabulary
from novum.literature.pdf.layout import PageLayout
from novum.literature.pdf.lines import TextLine

_SENTENCE_END = re.compile(r"[.?!:][\"”’')\]]*$")
_ITEM = re.compile(r"([•◦▪–—*-]|\(?\d{1,2}[.)]|\([a-z]\)|[IVX]{1,4}\.)\s")
_ROOM = 1.35
"""In distances of lines: after a larger distance a paragraph begins."""
_INDENT = 0.6
_SHORT = 0.12


@dataclass
class _Reader:
    """Collects the paragraphs of one section; captions wait until the paragraph they interrupt has ended."""

    vocabulary: Vocabulary
    done: list[str] = field(default_factory=list)
    held: list[TextLine] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)

    def end(self) -> None:
        if self.held:
            self.done.append(self.vocabulary.join(line.text for line in self.held))
        self.done += self.captions
        self.held, self.captions = [], []


def paragraphs(layout: PageLayout, first: int, after: int, floats: Floats, vocabulary: Vocabulary) -> list[str]:
    """The paragraphs of the lines from `first` up to `after`. A caption follows the paragraph that it interrupts."""
    reader = _Reader(vocabulary)
    frames = _frames([layout.lines[at] for at in range(first, after) if at not in floats.lines])
    for at in range(first, after):
        line = layout.lines[at]
        if at in floats.captions:
            caption = layout.lines[at : min(floats.captions[at], after)]
            reader.captions.append(vocabulary.join(part.text for part in caption))
        elif at not in floats.lines:
            if reader.held and _begins(line, reader.held[-1], layout, frames):
                reader.end()
            reader.held.append(line)
    reader.end()
    return [text for text in reader.done if text]


Frames = dict[tuple[int, int], tuple[float, float]]


def _frames(lines: Sequence[TextLine]) -> Frames:
    frames: Frames = {}
    for line in lines:
        left, right = frames.get((line.page, line.column), (line.left, line.right))
        frames[line.page, line.column] = (min(left, line.left), max(right, line.right))
    return frames


def _begins(line: TextLine, last: TextLine, layout: PageLayout, frames: Frames) -> bool:
    """Whether a paragraph begins with `line`, after `last`."""
    left, _ = frames[line.page, line.column]
    last_left, last_right = frames[last.page, last.column]
    ended = _SENTENCE_END.search(last.text) is not None
    short = last.right < last_right - _SHORT * (last_right - last_left)
    indented = line.left - left > _INDENT * line.size
    if _ITEM.match(line.text) and ended:
        return True
    if (line.page, line.column) != (last.page, last.column):
        return ended and (indented or short)
    step = last.base - line.base
    roomy = step > _ROOM * (layout.gap or line.size * 1.2)
    was_indented = last.left - last_left > _INDENT * last.size
    if indented:
        return not was_indented and (ended or short)
    return ended and (roomy or short)
