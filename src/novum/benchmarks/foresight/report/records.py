"""The report on foresight as a record: every number that its page shows, with its interval."""

from __future__ import annotations

from novum.benchmarks.foresight.records import ForesightRun
from novum.core.record import Value
from novum.statistics.estimate import Estimate

ELSEWHERE = "other topics"
"""The baseline of the same ideas against the futures of other topics."""


class Measure(Value):
    """Similarity and hits, each with its interval over topics."""

    similarity: Estimate
    hits: Estimate
    """Share of ideas with a hit. As a gain: by how much that share is higher."""


class Point(Value):
    """One year after one cut-off."""

    cutoff: str
    year: int
    calendar: str
    """The year itself, or the days from which to which it goes."""
    closeness: Measure
    over_earlier: Measure
    """Gain over earlier papers in the same year; empty for these themselves."""


class Foresight(Value):
    """One method, or what stands in for one."""

    name: str
    stand_in: bool
    ideas: int
    """That could be compared."""
    missing: int
    """Forfeits, and ideas whose text says nothing."""
    closeness: Measure
    """Over all cut-offs, with all years together."""
    elsewhere: Measure
    """The same with the futures of the other topics: what comes about by chance."""
    gains: dict[str, Measure]
    """By baseline: paired by cut-off and topic."""
    by_cutoff: dict[str, Measure]
    points: tuple[Point, ...]


class ForesightReport(Value):
    """All of it. The run's sightings lie in it too, one by one."""

    run: ForesightRun
    standings: tuple[Foresight, ...]
    """Methods in their order, then what stands in for ideas."""
    baselines: tuple[str, ...]
    draws: int

    @property
    def methods(self) -> tuple[Foresight, ...]:
        """Those that have ideas."""
        return tuple(each for each in self.standings if not each.stand_in)
