"""Properties of single concepts by which opportunities are selected: growth, informative neighbours, validity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novum.core.arrays import Bools, Floats, Ints
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.search.plain_words import GENERIC_ENDINGS, is_generic, stems
from novum.opportunities.search.titles import TitleShares
from novum.opportunities.settings import SMALL_LIBRARY
from novum.opportunities.snapshot import RECENT, Snapshot

_LEAST_SPECIFIC = 0.1
"""Share of concepts, those with the least specific neighbours, that are not informative as common neighbours."""
_MAX_IN_LONGER = 0.35
"""Largest share of the papers of a valid single word that contain it in a longer name."""
_TITLE_SHARE, _TITLE_SHARE_IF_SPECIFIC, _SPECIFIC = 0.45, 0.2, 0.15
"""Smallest share of its papers that have a valid single word in the title: usually, and for a specificity rank of at
least `_SPECIFIC`."""


def yearly_growth(recent: Floats, earlier: Floats) -> Floats:
    """Yearly growth from papers of the last `RECENT` years and of the `RECENT` years before, in the shape of both: 0.4
    is 40 % more papers each year. Half a paper is added to both."""
    growth: Floats = ((recent + 0.5) / (earlier + 0.5)) ** (1 / RECENT) - 1
    return growth


def library_growth(snapshot: Snapshot) -> float:
    """Yearly growth of the number of papers of the whole library."""
    now, before, long_before = (snapshot.back(years) for years in (0, RECENT, 2 * RECENT))
    return float(yearly_growth(np.array(now - before), np.array(before - long_before)))


def reference_counts(snapshot: Snapshot) -> Floats:
    """References of the papers of each concept to papers of the library, shape (concepts,)."""
    by_paper = np.asarray(snapshot.cites.sum(axis=1)).ravel()
    return np.asarray(snapshot.held @ by_paper[: snapshot.held.shape[1]], float)


def informative_concepts(names: Sequence[str], specificity_rank: Floats) -> Bools:
    """Which concepts are informative as common neighbours: not generic, with specific neighbours; shape (concepts,)."""
    return np.array([not is_generic(name) for name in names], bool) & (specificity_rank >= _LEAST_SPECIFIC)


def is_valid_concept(concept_map: ConceptMap, titles: TitleShares, at: int, specificity_rank: float) -> bool:
    """Whether a concept can be part of an opportunity: whether its name is that of a subject of papers."""
    name = concept_map.names[at]
    if is_generic(name):
        return False
    if " " in name:
        return True
    least = _TITLE_SHARE_IF_SPECIFIC if specificity_rank >= _SPECIFIC else _TITLE_SHARE
    return titles.share(at) >= least and _share_in_longer_names(concept_map, at) < _MAX_IN_LONGER


def _share_in_longer_names(concept_map: ConceptMap, at: int) -> float:
    """The share of the papers of a single word that contain it in a longer name too: *message* in *message passing*."""
    papers_of = concept_map.stored.graph.by_concept.of
    word = next(stems(concept_map.names[at]))
    beginning = word.removesuffix("y")  # theory, theories
    names = enumerate(concept_map.names)
    longer = [papers_of(each) for each, name in names if beginning in name and each != at and word in stems(name)]
    return float(np.isin(papers_of(at), np.concatenate(longer)).mean()) if longer else 0.0


def is_studied_after(concept_map: ConceptMap, at: int, year: int) -> bool:
    """Whether at least two papers after `year` contain the concept; in a small library one is enough."""
    graph = concept_map.stored.graph
    later = int((np.asarray(graph.by_concept.of(at)) >= graph.dated.until(year)).sum())
    return later >= (1 if concept_map.card.papers < SMALL_LIBRARY else 2)


class NameStems(dict[int, frozenset[str]]):
    """The stems of the words of each concept's name, without generic endings; computed on first use."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def __missing__(self, at: int) -> frozenset[str]:
        self[at] = result = frozenset(stems(self._names[at])) - GENERIC_ENDINGS
        return result

    def shared(self, one: Ints, other: Ints) -> Bools:
        """Whether the names of the two concepts of each pair share a stem, shape (pairs,)."""
        return np.array([bool(self[a] & self[b]) for a, b in zip(one.tolist(), other.tolist(), strict=True)], bool)
