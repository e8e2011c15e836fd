"""The expected share of unlinked pairs that will become linked, from the number of papers and of new links per paper.

Probabilities fitted to one span are wrong on average for the next one where a library grows faster or slower: three
times as many papers link far more pairs. The ratio of new links per paper to that of the span before hardly changes. It
is taken from the last span whose outcome is known, the number of papers is extrapolated linearly, and the expected
share follows from both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Bools
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.snapshot import Snapshot

_FEWEST = 20
"""Newly linked pairs that each span needs."""
_LEAST = 0.25
"""Lower limit of the extrapolated number of papers, as a share of that of the last span."""


@dataclass(frozen=True, eq=False)
class YearSpan:
    """The horizons before and after the year of a snapshot. `papers`: numbers of papers known at the start, in the
    middle and at the end."""

    snapshot: Snapshot
    joint: int
    papers: tuple[int, int, int]

    @classmethod
    def around(cls, snapshot: Snapshot, settings: OpportunitySettings) -> YearSpan:
        """The span around the snapshot's year."""
        ends = (-settings.horizon, 0, settings.horizon)
        begin, now, end = (snapshot.graph.dated.until(snapshot.year + years) for years in ends)
        return cls(snapshot, settings.joint, (begin, now, end))

    def new_links(self, among: Bools) -> tuple[int, int]:
        """The numbers of pairs of the concepts in the mask `among` that became linked in the horizon before and in that
        after."""
        edges = self.snapshot.graph.edges
        inside = among[edges.first] & among[np.asarray(edges.other)]
        begin, now, end = (edges.counts(papers)[inside] for papers in self.papers)
        return (
            int(np.count_nonzero((begin == 0) & (now >= self.joint))),
            int(np.count_nonzero((now == 0) & (end >= self.joint))),
        )


def share_to_come(now: Snapshot, before: Snapshot, unlinked: int, settings: OpportunitySettings) -> float | None:
    """The expected share of the unlinked pairs of `now` that become linked within the horizon; `before`: one horizon
    earlier, whose links `now` knows. None where too few pairs became linked."""
    last, earlier = YearSpan.around(now, settings), YearSpan.around(before, settings)
    last_links, _ = last.new_links(_eligible(now, settings))
    links_before, links_after = earlier.new_links(_eligible(before, settings))
    if min(last_links, links_before, links_after) < _FEWEST or not unlinked:
        return None
    papers_before, papers_after = np.diff(earlier.papers).tolist()
    last_papers = last.papers[1] - last.papers[0]
    expected_papers = papers_to_come(np.asarray(now.graph.dated.years)[: now.papers], now.year, settings.horizon)
    growth = (links_after / papers_after) / (links_before / papers_before)
    return float(min(growth * last_links * expected_papers / last_papers / unlinked, 0.5))


def _eligible(snapshot: Snapshot, settings: OpportunitySettings) -> Bools:
    """A mask of the concepts with enough papers, shape (concepts,)."""
    among = np.zeros(snapshot.concepts, bool)
    among[snapshot.eligible(settings.fewest)] = True
    return among


def papers_to_come(years: ArrayLike, year: int, horizon: int) -> float:
    """The expected number of papers of the next `horizon` years: a linear extrapolation of the yearly numbers of the
    last two horizons. `years`: of the papers up to `year`, in any order."""
    past = np.arange(year - 2 * horizon + 1, year + 1)
    counts = np.array([np.count_nonzero(np.asarray(years) == each) for each in past], float)
    slope, level = np.polyfit(past - year, counts, 1)
    extrapolated = float((level + slope * np.arange(1, horizon + 1)).sum())
    return max(extrapolated, _LEAST * float(counts[horizon:].sum()))
