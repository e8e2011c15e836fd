"""Which phrases are concepts: judged by the papers of a span alone, so that none of a later year has a say.

A concept names something by itself: it is in titles and comes back in abstracts, mostly no further word follows it, its
words stand together more often than chance would have it, it is not just a part of something longer, and it is neither
in too many papers nor in too few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from novum.core.arrays import Bools, Ints
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
"""Share of its papers in which a phrase of several words must stand somewhere with no word after it."""
_BY_ITSELF = 0.15
"""Share of its papers in which a single word must stand alone somewhere."""
_CONTAINED = 0.7
"""Share of the papers of a phrase from which a longer one that holds it stands for it."""
_SURELY = 2.0
"""Standard deviations by which words must stand together more often than by chance."""
_COUNTABLE = 5
"""Papers from which the spread of their number is told by the number itself; of fewer, by what chance expects."""
_NEVER_COMMON = 4
"""Times `fewest`: so many papers are never too many, however small the library."""

_ANY_SUBJECT = """
alternative available baseline baselines better case careful comparable comparative competitive comprehensive crucial
current detailed empirical experimental extensive final further good hybrid initial intensive key main modern new novel
possible preliminary promising publicly qualitative quantitative rapid real real-world realworld recent related rise
significant similar special specific standard strong substantial successful superior systematic theoretical unified
unifying useful various wide
"""
_ANY = frozenset(_ANY_SUBJECT.split()) | OF_ANYTHING | WEAK
"""Words that say something of every subject: a phrase of these alone (experimental results) names none."""
_OPEN = frozenset(["based", "called", "compared", "given", "related", "trained", "used"])
"""Words after which a name has only begun: of what comes then, the first word is a stop word."""


@dataclass(frozen=True, eq=False)
class SelectedPhrases:
    """`keys`: those of the concepts, the most frequent first; `papers`: how many of the span hold each."""

    keys: Ints
    papers: Ints


def select_phrases(
    phrases: PhraseTable, papers: int, words: Sequence[str], settings: OpportunitySettings
) -> SelectedPhrases:
    """Concepts of the first `papers` papers."""
    held = _Held.counted(phrases, papers, settings.fewest)
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
class _Held:
    """Papers by phrase: all; with it in the title or among the keywords; in both title and text, or in the title where
    there is no more text; where it is closed; where it is whole."""

    all: Ints
    named: Ints
    returned: Ints
    closed: Ints
    whole: Ints

    @classmethod
    def counted(cls, phrases: PhraseTable, papers: int, fewest: int) -> _Held:
        span = phrases.before(papers)
        phrase, marks, paper = phrases.phrase[span], phrases.marks[span], phrases.paper[span]
        in_all = np.bincount(phrase, minlength=len(phrases.keys))
        has_gist = np.zeros(papers, bool)  # by phrases of this span: what later ones made frequent has no say
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


def _subjects(held: _Held, first: Ints, words: Sequence[str], fewest: int) -> Bools:
    """Single words that titles speak of and texts come back to."""
    empty = _marked(words, lambda word: len(word) < 2 or word in _ANY)
    return np.asarray((held.returned >= fewest) & ~empty[first])


def _of_something(parts: Ints, words: Sequence[str]) -> Bools:
    """Phrases with a word that is not said of anything, and that end as a name may end."""
    empty = _marked(words, lambda word: word in _ANY)
    empty[0] = True
    last = np.where(parts[:, 2] > 0, parts[:, 2], np.where(parts[:, 1] > 0, parts[:, 1], parts[:, 0]))
    return np.asarray(~empty[parts].all(axis=1) & ~_marked(words, lambda word: word in _OPEN)[last])


def _marked(words: Sequence[str], which: Callable[[str], bool]) -> Bools:
    """By word number."""
    marks = np.zeros(len(words) + FIRST, bool)
    marks[[number + FIRST for number, word in enumerate(words) if which(word)]] = True
    return marks


def _together(keys: Ints, parts: Ints, counts: Ints, papers: int, fewest: int) -> Bools:
    """Of several words, whether the first and the others meet more often than by chance; True where one of these was
    too rare to be counted, which says as much."""
    first = _count_of(keys, counts, parts[:, :1])
    others = _count_of(keys, counts, parts[:, 1:])
    chance = first * others / max(papers, 1)
    spread = np.sqrt(counts if fewest >= _COUNTABLE else chance)
    return np.asarray((first == 0) | (others == 0) | (counts - chance >= _SURELY * spread))


def _contained(keys: Ints, parts: Ints, counts: Ints, fewest: int) -> Bools:
    """Phrases that are mostly a part of one longer phrase."""
    longest = np.zeros(len(keys), np.int64)
    for begin, end, size in ((0, 1, 2), (1, 2, 2), (0, 1, 3), (1, 2, 3), (2, 3, 3), (0, 2, 3), (1, 3, 3)):
        whole = np.flatnonzero((parts[:, size - 1] > 0) & (counts >= fewest))
        place = _place_of(keys, packed(parts[whole, begin:end]))
        known = place >= 0
        np.maximum.at(longest, place[known], counts[whole[known]])
    return np.asarray((counts > 0) & (longest >= _CONTAINED * counts))


def _count_of(keys: Ints, counts: Ints, parts: Ints) -> Ints:
    place = _place_of(keys, packed(parts))
    return np.where(place >= 0, counts[place], 0)


def _place_of(keys: Ints, wanted: Ints) -> Ints:
    """-1 for one that is not there."""
    if not len(keys):
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)
