"""Set the threshold of a hit: random pairs of papers compared with pairs of the same years that cite each other."""

from __future__ import annotations

import asyncio
import datetime as dt
import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from novum.benchmarks.foresight.records import ThresholdCalibration
from novum.benchmarks.foresight.statistics import calibrate_cosines
from novum.core import Paper, content_id
from novum.core.arrays import Bools, Floats
from novum.idea_metrics.corpus import unit
from novum.literature import Filters, Library

MAX_PAPERS = 20_000
"""Papers that are sampled evenly from the library."""
MAX_CITING_PAIRS = 5_000
"""Citing pairs at most."""
RANDOM_PAIRS = 20_000
YEARS_BEFORE = 5
"""Years before the first cut-off whose papers are used too."""
_BATCH_SIZE = 2_000

PaperPair = tuple[str, str]
"""Ids of two papers."""


async def calibrate_threshold(
    library: Library, since: dt.date, before: dt.date, false_positives: float, seed: int
) -> ThresholdCalibration:
    """The threshold of a hit, from a bounded sample of the papers between `since` and `before`. Calls no model."""
    return await asyncio.to_thread(_calibrate, library, Filters(since=since, before=before), false_positives, seed)


def _calibrate(library: Library, filters: Filters, false_positives: float, seed: int) -> ThresholdCalibration:
    sample = list(library.sample(MAX_PAPERS, filters))
    citing = _citing(library, sample, filters, seed)
    by_id = {paper.id: paper for pair in citing for paper in pair} | {paper.id: paper for paper in sample}
    linked = [(one.id, other.id) for one, other in citing]
    chance = random_pairs([(by_id[one], by_id[other]) for one, other in linked], sample, RANDOM_PAIRS, seed)
    return calibrate_cosines(_cosines(library, chance), _cosines(library, linked), false_positives)


def _citing(library: Library, sample: Sequence[Paper], filters: Filters, seed: int) -> list[tuple[Paper, Paper]]:
    """Random pairs of these papers with papers that they cite, both within the filters."""
    links = [(paper, cited) for paper in sample for cited in paper.references]
    links = heapq.nsmallest(
        MAX_CITING_PAIRS, links, key=lambda link: content_id("seed", [seed, "citing", link[0].id, link[1]])
    )
    cited = {paper.id: paper for paper in library.get_many({cited for _, cited in links})}
    pairs = ((paper, cited[other]) for paper, other in links if other in cited)
    return [(paper, other) for paper, other in pairs if filters.admits(other)]


def random_pairs(
    like: Sequence[tuple[Paper, Paper]], papers: Sequence[Paper], number: int, seed: int
) -> list[PaperPair]:
    """About `number` random pairs of `papers`, with the same pairs of years as `like` (any years where it is empty).

    No pair is repeated or a paper with itself, and no paper of a pair cites the other.
    """
    by_year: dict[int | None, list[Paper]] = defaultdict(list)
    for paper in sorted(papers, key=lambda paper: paper.id):
        by_year[paper.year].append(paper)
    rng = np.random.default_rng([seed, 1])
    pairs: list[PaperPair] = []
    if not like:
        by_year = defaultdict(list, {None: [paper for year in by_year.values() for paper in year]})
    years = [(one.year, other.year) for one, other in like] or [(None, None)]
    for first, second in years:
        ones, others = by_year[first], by_year[second]
        if ones and others:
            times = -(-number // len(years))
            places = zip(rng.integers(len(ones), size=times), rng.integers(len(others), size=times), strict=True)
            pairs += _unlinked((ones[one], others[other]) for one, other in places)
    return list({frozenset(pair): pair for pair in pairs}.values())


def _unlinked(pairs: Iterable[tuple[Paper, Paper]]) -> Iterable[PaperPair]:
    for one, other in pairs:
        if one.id != other.id and other.id not in one.references and one.id not in other.references:
            yield one.id, other.id


def _cosines(library: Library, pairs: Sequence[PaperPair]) -> Floats:
    """The cosines of pairs whose papers both have a vector that is not zero."""
    ids = list(dict.fromkeys(paper_id for pair in pairs for paper_id in pair))
    row_of: dict[str, int] = {}
    vectors = []
    for start in range(0, len(ids), _BATCH_SIZE):
        known, made = library.vectors(ids[start : start + _BATCH_SIZE])
        row_of |= {paper_id: len(row_of) + row for row, paper_id in enumerate(known)}
        vectors.append(unit(made))
    rows = np.array(
        [(row_of[one], row_of[other]) for one, other in pairs if one in row_of and other in row_of], np.intp
    )
    if not len(rows):
        return np.empty(0)
    stacked = np.concatenate(vectors)
    has_words: Bools = np.asarray(stacked.any(axis=1))
    rows = rows[has_words[rows].all(axis=1)]
    parts = np.array_split(rows, max(1, len(rows) // _BATCH_SIZE))
    cosines = [np.einsum("nd,nd->n", stacked[part[:, 0]], stacked[part[:, 1]]) for part in parts]
    return np.concatenate(cosines).astype(np.float64)
