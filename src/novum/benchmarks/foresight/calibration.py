"""When are two papers about the same? Pairs that cite each other beside random pairs of the same years."""

from __future__ import annotations

import asyncio
import datetime as dt
import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.foresight.records import Calibration
from novum.benchmarks.foresight.statistics import calibrate
from novum.core import Paper, content_id
from novum.idea_metrics.corpus import unit
from novum.literature import Filters, Library

MOST_PAPERS = 20_000
"""Papers of the years in question that are looked at, spread evenly over the library."""
MOST_CITING = 5_000
"""Pairs that cite each other."""
RANDOM_PAIRS = 20_000
YEARS_BEFORE = 5
"""Years before the first cut-off whose papers are paired too."""
_AT_ONCE = 2_000

Pair = tuple[str, str]
"""Ids of two papers."""


async def calibrated(
    library: Library, since: dt.date, before: dt.date, false_positives: float, seed: int
) -> Calibration:
    """The threshold, from a bounded sample of the papers of these years. Asks nobody."""
    return await asyncio.to_thread(_calibrated, library, Filters(since=since, before=before), false_positives, seed)


def _calibrated(library: Library, filters: Filters, false_positives: float, seed: int) -> Calibration:
    drawn = list(library.spread(MOST_PAPERS, filters))
    citing = _citing(library, drawn, filters, seed)
    by_id = {paper.id: paper for pair in citing for paper in pair} | {paper.id: paper for paper in drawn}
    linked = [(one.id, other.id) for one, other in citing]
    chance = random_pairs([(by_id[one], by_id[other]) for one, other in linked], drawn, RANDOM_PAIRS, seed)
    return calibrate(_cosines(library, chance), _cosines(library, linked), false_positives)


def _citing(library: Library, drawn: Sequence[Paper], filters: Filters, seed: int) -> list[tuple[Paper, Paper]]:
    """Pairs of these papers with what they cite, both from the years in question, drawn by lot."""
    links = [(paper, cited) for paper in drawn for cited in paper.references]
    links = heapq.nsmallest(
        MOST_CITING, links, key=lambda link: content_id("seed", [seed, "citing", link[0].id, link[1]])
    )
    cited = {paper.id: paper for paper in library.get_many({cited for _, cited in links})}
    pairs = ((paper, cited[other]) for paper, other in links if other in cited)
    return [(paper, other) for paper, other in pairs if filters.admits(other)]


def random_pairs(like: Sequence[tuple[Paper, Paper]], papers: Sequence[Paper], number: int, seed: int) -> list[Pair]:
    """About `number` pairs of `papers` by lot: each of the same two years as one of `like`, or of any years where there
    are none. No pair is there twice, none is a paper with itself, and none cites the other."""
    shelf: dict[int | None, list[Paper]] = defaultdict(list)
    for paper in sorted(papers, key=lambda paper: paper.id):
        shelf[paper.year].append(paper)
    rng = np.random.default_rng([seed, 1])
    found: list[Pair] = []
    if not like:
        everything = [paper for year in shelf for paper in shelf[year]]
        shelf = defaultdict(list, {None: everything})
    years = [(one.year, other.year) for one, other in like] or [(None, None)]
    for first, second in years:
        ones, others = shelf[first], shelf[second]
        if ones and others:
            times = -(-number // len(years))
            places = zip(rng.integers(len(ones), size=times), rng.integers(len(others), size=times), strict=True)
            found += _unlinked((ones[one], others[other]) for one, other in places)
    return list({frozenset(pair): pair for pair in found}.values())


def _unlinked(pairs: Iterable[tuple[Paper, Paper]]) -> Iterable[Pair]:
    for one, other in pairs:
        if one.id != other.id and other.id not in one.references and one.id not in other.references:
            yield one.id, other.id


def _cosines(library: Library, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Of those pairs whose papers both have a vector that is not zero."""
    ids = list(dict.fromkeys(paper_id for pair in pairs for paper_id in pair))
    place: dict[str, int] = {}
    vectors = []
    for start in range(0, len(ids), _AT_ONCE):
        known, made = library.vectors(ids[start : start + _AT_ONCE])
        place |= {paper_id: len(place) + row for row, paper_id in enumerate(known)}
        vectors.append(unit(made))
    rows = np.array([(place[one], place[other]) for one, other in pairs if one in place and other in place], np.intp)
    if not len(rows):
        return np.empty(0)
    stacked = np.concatenate(vectors)
    told: NDArray[np.bool_] = np.asarray(stacked.any(axis=1))
    rows = rows[told[rows].all(axis=1)]
    parts = np.array_split(rows, max(1, len(rows) // _AT_ONCE))
    cosines = [np.einsum("nd,nd->n", stacked[part[:, 0]], stacked[part[:, 1]]) for part in parts]
    return np.concatenate(cosines).astype(np.float64)
