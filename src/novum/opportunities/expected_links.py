"""What share of the unjoined pairs a library will join: how many papers it will bring, and how many pairs these join.

Single probabilities learnt from one span are wrong in sum for the next one where a library grows faster or slower than
it did: three times the papers join far more pairs. What hardly changes is how many more pairs a paper joins than papers
of the span before did. So that is learnt from the last span whose outcome is known, the number of papers is carried on
in a straight line, and both make the share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Bools
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.snapshot import Snapshot

_FEWEST = 20
"""Pairs that must have been joined in each span: of fewer, a share is chance."""
_LEAST = 0.25
"""Of the papers of the last span, how many come at least: a line that falls below says that collecting stopped."""


@dataclass(frozen=True, eq=False)
class YearSpan:
    """The years of the horizon before and after the end of `year`: `papers` known by the beginning of the first, by
    `year`, and by the end of the last."""

    snapshot: Snapshot
    joint: int
    papers: tuple[int, int, int]

    @classmethod
    def around(cls, snapshot: Snapshot, settings: OpportunitySettings) -> YearSpan:
        """That of the snapshot's year."""
        ends = (-settings.horizon, 0, settings.horizon)
        begin, now, end = (snapshot.graph.dated.until(snapshot.year + years) for years in ends)
        return cls(snapshot, settings.joint, (begin, now, end))

    def met(self, among: Bools) -> tuple[int, int]:
        """Pairs of these concepts that were joined in the years before, and in those after."""
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
    here, there = YearSpan.around(now, settings), YearSpan.around(before, settings)
    met_lately, _ = here.met(_large(now, settings))
    met_then, met_after = there.met(_large(before, settings))
    if min(met_lately, met_then, met_after) < _FEWEST or not unlinked:
        return None
    papers_then, papers_after = np.diff(there.papers).tolist()
    papers_lately = here.papers[1] - here.papers[0]
    coming = papers_to_come(np.asarray(now.graph.dated.years)[: now.papers], now.year, settings.horizon)
    a_paper_joins = (met_after / papers_after) / (met_then / papers_then)
    return float(min(a_paper_joins * met_lately * coming / papers_lately / unlinked, 0.5))


def _large(snapshot: Snapshot, settings: OpportunitySettings) -> Bools:
    among = np.zeros(snapshot.concepts, bool)
    among[snapshot.eligible(settings.fewest)] = True
    return among


def papers_to_come(years: ArrayLike, year: int, horizon: int) -> float:
    """How many papers the next `horizon` years will bring: a straight line through the yearly numbers of the last two
    horizons, carried on. `years`: of the papers up to `year`, in any order."""
    past = np.arange(year - 2 * horizon + 1, year + 1)
    counts = np.array([np.count_nonzero(np.asarray(years) == each) for each in past], float)
    slope, level = np.polyfit(past - year, counts, 1)
    carried_on = float((level + slope * np.arange(1, horizon + 1)).sum())
    return max(carried_on, _LEAST * float(counts[horizon:].sum()))
