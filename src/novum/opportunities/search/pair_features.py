"""Properties of single concepts and of pairs, at the year of a concept map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Floats, Ints, Vectors
from novum.opportunities.attention import citation_ranks
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.features.single import ranked
from novum.opportunities.features.table import COLUMNS
from novum.opportunities.search.plain_words import GENERIC_ENDINGS, is_generic, stems
from novum.opportunities.search.titles import TitleShares
from novum.opportunities.settings import SMALL_LIBRARY
from novum.opportunities.snapshot import RECENT
from novum.opportunities.sparse import Table

_MOSTLY = 0.35
"""A single word that so many of its papers have in a longer name stands for that name."""
_REAL_PAIRS = 3000
"""Pairs of recent papers that a pair is held against."""
_TELLING = 0.1
"""Of concepts so large a share keeps company that is too much like everybody's to say anything of a pair."""
_SURELY_ABOUT, _ABOUT, _OF_ITS_OWN = 0.45, 0.2, 0.15
"""A single word is a subject where so many of its papers have it in the title; or fewer, and so many concepts keep
company that is less particular."""


@dataclass(frozen=True, eq=False)
class PairTable:
    """Pairs of concepts with their features, shape (n, len(COLUMNS))."""

    one: Ints
    other: Ints
    table: Vectors

    def __len__(self) -> int:
        return len(self.one)

    def of(self, column: str) -> Floats:
        """One feature of all."""
        values: Floats = np.nan_to_num(self.table[:, COLUMNS.index(column)].astype(float))
        return values

    def take(self, rows: NDArray[np.intp] | Bools) -> PairTable:
        """Some of them."""
        return PairTable(self.one[rows], self.other[rows], self.table[rows])


class _WordsOf(dict[int, frozenset[str]]):
    """Found as they are asked for."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def __missing__(self, at: int) -> frozenset[str]:
        self[at] = result = frozenset(stems(self._names[at])) - GENERIC_ENDINGS
        return result


@dataclass(frozen=True, eq=False)
class OpportunityFeatures:
    """Tables of one library and year, each computed on first use."""

    map: ConceptMap

    def pairs(self, one: Ints, other: Ints) -> PairTable:
        """With their features."""
        return PairTable(one, other, self.map.features.of(one, other))

    @property
    def year(self) -> int:
        """Of the map."""
        return self.map.year

    @cached_property
    def papers(self) -> Floats:
        """Of each concept."""
        return self.map.snapshot.held_by().astype(float)

    @cached_property
    def recent_papers(self) -> Floats:
        """Papers of each concept in the recent years."""
        return self.papers - self.map.snapshot.held_by(RECENT)

    @cached_property
    def earlier(self) -> Floats:
        """Papers of each in as many years before."""
        back = self.map.snapshot.held_by(RECENT) - self.map.snapshot.held_by(2 * RECENT)
        return np.asarray(back, float)

    @cached_property
    def growth(self) -> Floats:
        """Yearly growth of each concept: 0.4 is 40 % more papers every year; half a paper is added to both sides."""
        values: Floats = ((self.recent_papers + 0.5) / (self.earlier + 0.5)) ** (1 / RECENT) - 1
        return values

    @cached_property
    def library_growth(self) -> float:
        """That of all papers."""
        now, before, long_before = (self.map.snapshot.back(years) for years in (0, RECENT, 2 * RECENT))
        return float(((now - before + 0.5) / (before - long_before + 0.5)) ** (1 / RECENT) - 1)

    @cached_property
    def years_inactive(self) -> Floats:
        """Years since the last paper of each concept; infinite without one."""
        return np.nan_to_num(self.map.snapshot.first_and_last[1], nan=np.inf)

    @cached_property
    def specificity_rank(self) -> Floats:
        """Rank, 0 to 1, of how specific the neighbours of each concept are."""
        return ranked(self.map.stored.prepared.specificity, self.map.snapshot.eligible(self.map.card.settings.fewest))

    @cached_property
    def about(self) -> TitleShares:
        """How much papers are about each."""
        return TitleShares(self.map)

    def is_valid(self, at: int) -> bool:
        """Whether a concept can be part of an opportunity: it names something that papers are about."""
        name = self.map.names[at]
        if is_generic(name):
            return False
        if " " in name:
            return True
        least = _ABOUT if self.specificity_rank[at] >= _OF_ITS_OWN else _SURELY_ABOUT
        return self.about.share(at) >= least and self._in_longer(at) < _MOSTLY

    def _in_longer(self, at: int) -> float:
        """The share of papers of a single word that hold it in a longer name too: *message* in *message passing*."""
        of = self.map.stored.graph.by_concept.of
        word = next(stems(self.map.names[at]))
        begins = word.removesuffix("y")  # theory, theories
        names = enumerate(self.map.names)
        longer = [of(other) for other, name in names if begins in name and other != at and word in stems(name)]
        return float(np.isin(of(at), np.concatenate(longer)).mean()) if longer else 0.0

    @cached_property
    def informative(self) -> Bools:
        """Which concepts are informative as common neighbours: not generic, and with specific neighbours."""
        named = np.array([not is_generic(name) for name in self.map.names], bool)
        return named & (self.specificity_rank >= _TELLING)

    def is_studied_after(self, at: int, year: int) -> bool:
        """Whether papers after this year contain it: two, or one in a small library."""
        rows = np.asarray(self.map.stored.graph.by_concept.of(at))
        later = int((rows >= self.map.stored.graph.dated.until(year)).sum())
        return later >= (1 if self.map.card.papers < SMALL_LIBRARY else 2)

    def between(self, pairs: PairTable) -> Floats:
        """The number of informative concepts that co-occur with both, for each pair."""
        known = self.map.features.neighbourhood.known
        both = known[pairs.one].multiply(known[pairs.other])
        return np.asarray(both @ self.informative.astype(float), float).ravel()

    @cached_property
    def surprise(self) -> Table:
        """Positive pointwise mutual information, concepts × concepts."""
        return self.map.stored.prepared.tables["surprise"]

    @cached_property
    def concepts_of_paper(self) -> Table:
        """Papers × concepts."""
        return self.map.snapshot.held.T.tocsr()

    def recently_linked(self, some: Ints) -> Table:
        """Some rows of a table of concepts: 1 where at least two papers of the recent years linked two, and none
        before; in a small library one paper of twice as many years."""
        small = self.map.card.papers < SMALL_LIBRARY
        recent = self._recent_joint[some]
        older = (self.map.snapshot.joint[some] - recent) > 0
        enough = (recent > (0 if small else 1)).astype(np.float32)
        result = (enough - enough.multiply(older)).tocsr()
        result.eliminate_zeros()
        return result

    @cached_property
    def _recent_joint(self) -> Table:
        snapshot = self.map.snapshot
        return snapshot.joint_since(2 * RECENT) if self.map.card.papers < SMALL_LIBRARY else snapshot.recent

    @cached_property
    def references(self) -> Floats:
        """References of the papers of each concept to papers of the library."""
        values = np.asarray(self.map.snapshot.cites.sum(axis=1)).ravel()
        return np.asarray(self.map.snapshot.held @ values[: self.map.snapshot.held.shape[1]], float)

    @cached_property
    def citation_rank(self) -> Floats:
        """Of each paper the share of those of its year that are cited less; NaN where that is not known."""
        return citation_ranks(self.map.stored.graph.dated)

    @cached_property
    def name_stems(self) -> Mapping[int, frozenset[str]]:
        """The words of each name, plural aside, without those that many names end in."""
        return _WordsOf(self.map.names)

    @cached_property
    def _usual(self) -> Floats:
        """Similarity of the neighbours of pairs in recent papers, ascending; a pair as often as papers contain it."""
        graph = self.map.stored.graph
        entries = np.flatnonzero(np.asarray(graph.edges.paper) >= self.map.snapshot.back(RECENT))
        drawn = np.random.default_rng(0).choice(entries, min(len(entries), _REAL_PAIRS), replace=False)
        edge = np.searchsorted(np.asarray(graph.edges.papers_from), drawn, side="right") - 1
        return np.sort(
            self._alike(graph.edges.first[edge].astype(np.int64), np.asarray(graph.edges.other)[edge].astype(np.int64))
        )

    def usual_from(self, share: float) -> float:
        """The similarity of neighbours below which this share of real pairs lies."""
        return float(np.quantile(self._usual, share)) if len(self._usual) else np.inf

    def unusual(self, pairs: PairTable) -> Floats:
        """The share of pairs in recent papers that share more neighbours."""
        if not len(self._usual):
            return np.full(len(pairs), np.nan)
        below = np.searchsorted(self._usual, self._alike(pairs.one, pairs.other), side="right")
        values: Floats = 1 - below / len(self._usual)
        return values

    def _alike(self, one: Ints, other: Ints) -> Floats:
        surprising = self.map.features.neighbourhood.surprising
        return np.asarray(surprising[one].multiply(surprising[other]).sum(axis=1), float).ravel()
