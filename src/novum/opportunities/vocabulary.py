"""Selects the phrases that are concepts, from the papers up to a year only, so that later papers have no influence.

A concept is a name: it occurs in titles and again in abstracts, usually with no word after it; its words occur together
more often than by chance; it is not merely a part of a longer phrase; and it is neither in too many nor in too few
papers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Bools, Ints, positions_in
from novum.literature.search.ranking.concepts import OF_ANYTHING
from novum.literature.search.ranking.keywords import WEAK
from novum.opportunities.phrases import (
    CLOSED,
    IN_GIST,
    IN_KEYWORDS,
    IN_TITLE,
    WHOLE,
    PhraseTable,
    packed,
    words_of,
)
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.tokens import FIRST

_CLOSED = 0.5
"""Share of the papers of a phrase of several words in which it must occur with no word after it."""
_BY_ITSELF = 0.15
"""Share of the papers of a single word in which it must occur with no word on either side."""
_CONTAINED = 0.7
"""A phrase is dropped if so large a share of its papers contains one longer phrase with it."""
_SURELY = 2.0
"""Standard deviations by which words must occur together more often than by chance."""
_COUNTABLE = 5
"""From so many papers on, the variance is estimated by their number; below, by the number expected by chance."""
_NEVER_COMMON = 4
"""Up to so many times `fewest`, papers are never too many, however small the library."""

_ANY_SUBJECT = """
alternative available baseline baselines better case careful comparable comparative competitive comprehensive crucial
current detailed empirical experimental extensive final further good hybrid initial intensive key main modern new novel
possible preliminary promising publicly qualitative quantitative rapid real real-world realworld recent related rise
significant similar special specific standard strong substantial successful superior systematic theoretical unified
unifying useful various wide
"""
_ANY = frozenset(_ANY_SUBJECT.split()) | OF_ANYTHING | WEAK
"""Words that fit every subject: a phrase of only these (experimental results) is not a concept."""
_OPEN = frozenset(["based", "called", "compared", "given", "related", "trained", "used"])
"""Words that cannot end a name, since a stop word follows: `based on`."""


@dataclass(frozen=True, eq=False)
class SelectedPhrases:
    """The phrases that are concepts, the most frequent first. `keys`: packed; `papers`: number of papers with each."""

    keys: Ints
    papers: Ints


def select_phrases(
    phrases: PhraseTable, papers: int, words: Sequence[str], settings: OpportunitySettings
) -> SelectedPhrases:
    """Selects the concepts by the first `papers` papers. `words`: by number."""
    held = _PaperCounts.of(phrases, papers, settings.fewest)
    parts = words_of(phrases.keys)
    single = parts[:, 1] == 0
    limit = max(settings.general * papers, _NEVER_COMMON * settings.fewest)
    frequent = (held.all >= settings.fewest) & (held.all <= limit)
    named = np.where(single, _subjects(held, parts[:, 0], words, settings.fewest), held.named > 0)
    closed = np.where(single, held.whole >= _BY_ITSELF * held.all, held.closed >= _CLOSED * held.all)
    fit = frequent & named & closed & (single | _together(phrases.keys, parts, held.all, papers, settings.fewest))
    fit &= ~_contained(phrases.keys, parts, held.all, settings.fewest) & _of_something(parts, words)
    places = np.flatnonzero(fit)
    best = places[np.lexsort((phrases.keys[places], -held.all[places]))][: settings.most]
    return SelectedPhrases(phrases.keys[best], held.all[best])


@dataclass(frozen=True, eq=False)
class _PaperCounts:
    """Numbers of papers by phrase, each of shape (phrases,): all; with the phrase in title or keywords; with it there
    and in the abstract, if the paper has one; with no word after it; with no word on either side."""

    all: Ints
    named: Ints
    returned: Ints
    closed: Ints
    whole: Ints

    @classmethod
    def of(cls, phrases: PhraseTable, papers: int, fewest: int) -> _PaperCounts:
        span = phrases.before(papers)
        phrase, marks, paper = phrases.phrase[span], phrases.marks[span], phrases.paper[span]
        in_all = np.bincount(phrase, minlength=len(phrases.keys))
        has_gist = np.zeros(papers, bool)  # by phrases that are frequent in these papers, not only in later ones
        has_gist[paper[((marks & IN_GIST) > 0) & (in_all[phrase] >= fewest)]] = True
        named = (marks & (IN_TITLE | IN_KEYWORDS)) > 0

        def count(those: Bools) -> Ints:
            return np.bincount(phrase[those], minlength=len(phrases.keys))

        return cls(
            all=in_all,
            named=count(named),
            returned=count(named & (((marks & IN_GIST) > 0) | ~has_gist[paper])),
            closed=count((marks & CLOSED) > 0),
            whole=count((marks & WHOLE) > 0),
        )


def _subjects(held: _PaperCounts, first: Ints, words: Sequence[str], fewest: int) -> Bools:
    """Which single words occur in titles and again in abstracts often enough."""
    empty = _marked(words, lambda word: len(word) < 2 or word in _ANY)
    return np.asarray((held.returned >= fewest) & ~empty[first])


def _of_something(parts: Ints, words: Sequence[str]) -> Bools:
    """Which phrases have a word that is not generic, and a last word that can end a name."""
    empty = _marked(words, lambda word: word in _ANY)
    empty[0] = True
    last = np.where(parts[:, 2] > 0, parts[:, 2], np.where(parts[:, 1] > 0, parts[:, 1], parts[:, 0]))
    return np.asarray(~empty[parts].all(axis=1) & ~_marked(words, lambda word: word in _OPEN)[last])


def _marked(words: Sequence[str], which: Callable[[str], bool]) -> Bools:
    """Which words meet a condition, by word number."""
    marks = np.zeros(len(words) + FIRST, bool)
    marks[[number + FIRST for number, word in enumerate(words) if which(word)]] = True
    return marks


def _together(keys: Ints, parts: Ints, counts: Ints, papers: int, fewest: int) -> Bools:
    """Whether the first word and the others occur together more often than by chance. True where one of the two was too
    rare to be counted, since then every occurrence is a surprise."""
    first = _count_of(keys, counts, parts[:, :1])
    others = _count_of(keys, counts, parts[:, 1:])
    chance = first * others / max(papers, 1)
    spread = np.sqrt(counts if fewest >= _COUNTABLE else chance)
    return np.asarray((first == 0) | (others == 0) | (counts - chance >= _SURELY * spread))


def _contained(keys: Ints, parts: Ints, counts: Ints, fewest: int) -> Bools:
    """Which phrases mostly occur as part of one longer phrase."""
    longest = np.zeros(len(keys), np.int64)
    for begin, end, size in ((0, 1, 2), (1, 2, 2), (0, 1, 3), (1, 2, 3), (2, 3, 3), (0, 2, 3), (1, 3, 3)):
        whole = np.flatnonzero((parts[:, size - 1] > 0) & (counts >= fewest))
        place = positions_in(keys, packed(parts[whole, begin:end]))
        known = place >= 0
        np.maximum.at(longest, place[known], counts[whole[known]])
    return np.asarray((counts > 0) & (longest >= _CONTAINED * counts))


def _count_of(keys: Ints, counts: Ints, parts: Ints) -> Ints:
    place = positions_in(keys, packed(parts))
    return np.where(place >= 0, counts[place], 0)
