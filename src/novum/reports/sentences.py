"""Sentences of model-written Markdown: the first ones of a text, and those that a page has not shown yet."""

from __future__ import annotations

import re

from novum.core import normal_title
from novum.core.sentences import sentences_of

_PARAGRAPHS = re.compile(r"\n\s*\n")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+", re.MULTILINE)
_MARKS = re.compile(r"[*_`#>]+")
_TELLING = 24
"""Letters from which a sentence counts as one that can be repeated: shorter ones may be needed twice."""


def first_sentences(text: str, count: int) -> str:
    """The first `count` sentences of the first paragraph that is not a list; of lists alone, their first lines."""
    paragraphs = [each.strip() for each in _PARAGRAPHS.split(text) if each.strip()]
    plain = next((each for each in paragraphs if not _ITEM.match(each)), "")
    if plain:
        head = plain[: found.start()] if (found := _ITEM.search(plain)) else plain
        return " ".join(sentences_of(" ".join(head.split()))[:count])
    return "\n".join(text.strip().splitlines()[:count])


class SaidOnce:
    """What a page has said already. `new(text)` is the text without the sentences that were shown before."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def say(self, text: str) -> str:
        """The text itself; its sentences count as shown from now on."""
        for line in text.splitlines():
            self._said |= {_key(each) for each in sentences_of(_ITEM.sub("", line))}
        return text

    def new(self, text: str) -> str:
        """The text without sentences that were shown before, each of the others counted as shown."""
        kept = [self._unsaid(line) for line in text.splitlines()]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(line for line in kept if line is not None)).strip()

    def _unsaid(self, line: str) -> str | None:
        """The line without what was said; None where nothing of it is left."""
        item = _ITEM.match(line)
        mark = item[0] if item else line[: len(line) - len(line.lstrip())]
        given = sentences_of(line[len(mark) :])
        left = [each for each in given if not self._is_said(each)]
        return mark + " ".join(left) if left or not given else None

    def _is_said(self, sentence: str) -> bool:
        key = _key(sentence)
        known = len(key) >= _TELLING and key in self._said
        self._said.add(key)
        return known


def _key(sentence: str) -> str:
    """Sentences with the same key say the same: emphasis, case and punctuation do not count."""
    return normal_title(_MARKS.sub("", sentence))
