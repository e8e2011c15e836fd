"""Where sentences end: for texts that are not cut within one, answers that are checked one by one, and reports that say
nothing twice."""

from __future__ import annotations

import re
from dataclasses import dataclass

_END = re.compile(r"[.!?…][*_\"'”’)\]]{0,3}(?=\s)|[。！？]|\n\s*\n|\n(?=#{1,6} )")
"""A mark with the emphasis, brackets and quotes that close after it, an empty line, or a heading below."""
_SHORT_FORM = re.compile(
    r"(?:\b(?i:al|cf|e\.g|i\.e|etc|vs|viz|resp|ca|approx|no|vol|pp?|eqs?|figs?|refs?|secs?|tabs?|app|dr|prof|st|mr|mrs|ms"
    r"|eds?|jr|inc|dept|univ|proc|conf)|\b[A-Z])\.$"
)
"""Words that end with a full stop and no sentence."""


@dataclass(frozen=True)
class SentenceSpan:
    """A stretch of a text, from `start` to before `end`, in characters."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def sentences(text: str) -> list[SentenceSpan]:
    """The sentences of `text` in order, without the white space between them."""
    spans: list[SentenceSpan] = []
    start = 0
    for mark in _END.finditer(text):
        if _ends_a_word_only(text, start, mark):
            continue
        spans.append(SentenceSpan(start, mark.end()))
        start = mark.end()
    spans.append(SentenceSpan(start, len(text)))
    return [trimmed for span in spans if (trimmed := _trimmed(text, span)).start < trimmed.end]


def _ends_a_word_only(text: str, start: int, mark: re.Match[str]) -> bool:
    """Whether the full stop belongs to an abbreviation or an initial."""
    return (
        mark[0].startswith(".")
        and _SHORT_FORM.search(text, max(start, mark.start() - 12), mark.start() + 1) is not None
    )


def _trimmed(text: str, span: SentenceSpan) -> SentenceSpan:
    words = span.of(text)
    start = span.start + len(words) - len(words.lstrip())
    return SentenceSpan(start, max(start, span.start + len(words.rstrip())))


def sentences_of(text: str) -> list[str]:
    """The sentences of `text` in order, as texts."""
    return [span.of(text) for span in sentences(text)]
