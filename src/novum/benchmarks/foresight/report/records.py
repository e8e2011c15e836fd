"""The report on a foresight study as records: every number of its page, with its interval."""

from __future__ import annotations

from novum.benchmarks.foresight.records import ForesightRun
from novum.core.record import Value
from novum.statistics.records import NO_ESTIMATE, Estimate

ELSEWHERE = "other topics"
"""The baseline of the same ideas against the futures of other topics."""


class ForesightMeasure(Value):
    """Similarity and hits, each with an interval over topics."""

    similarity: Estimate
    hits: Estimate
    """Share of ideas with a hit; as a gain, the difference of two shares."""


class YearResult(Value):
    """One year after one cut-off."""

    cutoff: str
    year: int
    calendar: str
    """The calendar year, or its first and last day."""
    closeness: ForesightMeasure
    over_earlier: ForesightMeasure
    """Gain over earlier papers in the same year; empty for earlier papers."""


class MethodForesight(Value):
    """The results of one method or baseline."""

    name: str
    stand_in: bool
    ideas: int
    """Ideas that could be compared."""
    missing: int
    """Failed ideas, and ideas without words."""
    closeness: ForesightMeasure
    """Over all cut-offs, with the papers of all years."""
    elsewhere: ForesightMeasure
    """The same with the futures of the other topics: what chance would give."""
    gains: dict[str, ForesightMeasure]
    """By baseline, paired by cut-off and topic."""
    behind: Estimate = NO_ESTIMATE
    """Similarity minus that of the method with the highest one, paired by cut-off and topic; empty for that method."""
    by_cutoff: dict[str, ForesightMeasure]
    points: tuple[YearResult, ...]


class ForesightReport(Value):
    """The whole report, with every compared item in `run`."""

    run: ForesightRun
    standings: tuple[MethodForesight, ...]
    """Methods in their order, then the baselines."""
    baselines: tuple[str, ...]
    draws: int

    @property
    def methods(self) -> tuple[MethodForesight, ...]:
        """The results of methods, without baselines."""
        return tuple(each for each in self.standings if not each.stand_in)
