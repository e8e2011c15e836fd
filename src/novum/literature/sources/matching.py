"""Searching where a service cannot: whether a paper answers a search by its words and its day."""

from __future__ import annotations

import re

from novum.core import Paper, normal_title
from novum.literature.sources.source import Search

ALL_OF_THESE = 6
"""Up to this number of words, all must occur; of a longer text, half of them."""
_SHORTEST_STEM = 4
_MOST_WORDS = 40
_LITTLE = frozenset(
    """
    a about an and any are as at be been between by can do does for from has have how in into is it its of on or
    our such than that the their them there these this those to using via was we were what when where which who
    why will with within without
    """.split()  # noqa: SIM905 - words are read more easily than a list of them
)


def content_words(text: str) -> list[str]:
    """The content words of a text in normal form, once each; all its words if there are none."""
    words = list(dict.fromkeys(normal_title(text).split()))
    return ([word for word in words if word not in _LITTLE] or words)[:_MOST_WORDS]


def matches_search(paper: Paper, search: Search) -> bool:
    """Whether title, abstract, summary or fields contain the words of `search`, and the day fits.

    `network` finds `networks`, and the other way round. A paper of unknown day does not fit a search with days.
    """
    return matches_dates(paper, search) and _holds(paper, content_words(search.text))


def matches_dates(paper: Paper, search: Search) -> bool:
    """Whether a paper was certainly public before `search.before`, and not before `search.since`."""
    if search.before and not paper.is_before(search.before):
        return False
    return not search.since or (paper.public_by is not None and paper.public_by >= search.since)


def _holds(paper: Paper, words: list[str]) -> bool:
    text = f" {normal_title(' '.join((paper.title, paper.abstract, paper.summary, *paper.fields)))} "
    found = sum(_pattern(word).search(text) is not None for word in words)
    return found == len(words) if len(words) <= ALL_OF_THESE else 2 * found >= len(words)


def _pattern(word: str) -> re.Pattern[str]:
    """Without a plural's s: long words by their beginning, short ones whole or in the plural."""
    stem = word[:-1] if word.endswith("s") and len(word) >= _SHORTEST_STEM else word
    return re.compile(f" {re.escape(stem)}" if len(stem) >= _SHORTEST_STEM else f" {re.escape(stem)}s? ")
