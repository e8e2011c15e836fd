"""Compute the report: means over topics, gains paired by topic, and their intervals.

A topic under a cut-off is one cell: the mean over a method's ideas there. Intervals come from bootstrap samples of
topics with all their cut-offs. Topics are sorted by name, so that results do not depend on the order of the input.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from novum.benchmarks.foresight.records import EARLIER, TOPIC, Closeness, ComparedItem, ForesightRun, FutureYear
from novum.benchmarks.foresight.report.records import (
    ELSEWHERE,
    ForesightMeasure,
    ForesightReport,
    MethodForesight,
    YearResult,
)
from novum.benchmarks.foresight.statistics import gain, over_topics
from novum.core.arrays import Floats
from novum.statistics.records import NO_ESTIMATE, Estimate

_Selector = Callable[[ComparedItem], Closeness]
"""Selects one of the comparisons of an item."""
NO_MEASURE = ForesightMeasure(similarity=Estimate(), hits=Estimate())


def foresight_report(run: ForesightRun, *, draws: int = 1000) -> ForesightReport:
    """Every number of the page. `draws`: bootstrap samples of topics for the intervals."""
    table = _Table.of(run, draws)
    baselines = (EARLIER, ELSEWHERE, *([run.plain] if run.plain else []), TOPIC)
    names = [each.name for each in run.methods]
    return ForesightReport(
        run=run,
        standings=tuple(table.results_of(name, baselines, names) for name in (*names, EARLIER, TOPIC)),
        baselines=baselines,
        draws=draws,
    )


@dataclass(frozen=True)
class _Table:
    run: ForesightRun
    items: Mapping[str, Sequence[ComparedItem]]
    """By method or baseline."""
    draws: int

    @classmethod
    def of(cls, run: ForesightRun, draws: int) -> _Table:
        items: dict[str, list[ComparedItem]] = defaultdict(list)
        for each in run.sightings:
            items[each.by].append(each)
        return cls(run, items, draws)

    def results_of(self, name: str, baselines: Sequence[str], methods: Sequence[str]) -> MethodForesight:
        """The results of one method or baseline, compared with all other baselines and with the nearest method."""
        own = [each for each in self.items.get(name, ()) if each.whole.similarity is not None]
        forfeits = sum(each.entry.entrant == name and each.entry.idea is None for each in self.run.forecasts)
        return MethodForesight(
            name=name,
            stand_in=name in {EARLIER, TOPIC},
            ideas=len(own),
            missing=forfeits + len(self.items.get(name, ())) - len(own),
            closeness=self._measure(name, _whole),
            elsewhere=self._measure(name, _elsewhere),
            gains={other: self._gain(name, other) for other in baselines if other != name},
            behind=self._behind(name, methods) if name in methods else NO_ESTIMATE,
            by_cutoff={each.label: self._measure(name, _whole, each.label) for each in self.run.cutoffs},
            points=tuple(self._point(name, year) for year in self.run.futures if year.used),
        )

    def _point(self, name: str, year: FutureYear) -> YearResult:
        def select(item: ComparedItem) -> Closeness:
            return item.years[year.year - 1]

        over = NO_MEASURE if name == EARLIER else self._difference(name, EARLIER, select, select, year.cutoff)
        return YearResult(
            cutoff=year.cutoff,
            year=year.year,
            calendar=calendar_of(year),
            closeness=self._measure(name, select, year.cutoff),
            over_earlier=over,
        )

    def _behind(self, name: str, methods: Sequence[str]) -> Estimate:
        similarity = {each: self._measure(each, _whole).similarity.value for each in methods}
        nearest = max(methods, key=lambda each: -math.inf if similarity[each] is None else similarity[each] or 0.0)
        return NO_ESTIMATE if nearest == name else self._difference(name, nearest, _whole, _whole).similarity

    def _gain(self, name: str, other: str) -> ForesightMeasure:
        if other == ELSEWHERE:
            return self._difference(name, name, _whole, _elsewhere)
        return self._difference(name, other, _whole, _whole)

    def _measure(self, name: str, select: _Selector, cutoff: str = "") -> ForesightMeasure:
        return ForesightMeasure(
            similarity=over_topics(
                self._cells(name, select, _similarity, cutoff), draws=self.draws, seed=self.run.seed
            ),
            hits=over_topics(self._cells(name, select, _hit, cutoff), draws=self.draws, seed=self.run.seed),
        )

    def _difference(
        self, name: str, other: str, select: _Selector, select_other: _Selector, cutoff: str = ""
    ) -> ForesightMeasure:
        gains = {
            measure: gain(
                self._cells(name, select, of, cutoff),
                self._cells(other, select_other, of, cutoff),
                draws=self.draws,
                seed=self.run.seed,
            )
            for measure, of in (("similarity", _similarity), ("hits", _hit))
        }
        return ForesightMeasure(**gains)

    def _cells(self, name: str, select: _Selector, of: Callable[[Closeness], float | None], cutoff: str) -> Floats:
        """Means of ideas, shape (topics, cut-offs), NaN where not known. `cutoff`: only this one; empty: all."""
        topics = {topic: row for row, topic in enumerate(sorted(self.run.topics))}
        labels = [each.label for each in self.run.cutoffs if cutoff in {"", each.label}]
        columns = {label: column for column, label in enumerate(labels)}
        values: dict[tuple[int, int], list[float]] = defaultdict(list)
        for item in self.items.get(name, ()):
            value = of(select(item))
            if value is not None and item.cutoff in columns:
                values[topics[item.topic], columns[item.cutoff]].append(value)
        cells = np.full((len(topics), len(columns)), np.nan)
        for place, known in values.items():
            cells[place] = mean(known)
        return cells


def mean(values: Iterable[float]) -> float:
    """The mean of at least one value, independent of their order."""
    return float(np.mean(sorted(values)))


def calendar_of(year: FutureYear) -> str:
    """`2020`, or `2020-06-01 to 2021-06-01` for a year that does not begin in January."""
    if (year.since.month, year.since.day) == (1, 1):
        return str(year.since.year)
    return f"{year.since} to {year.before}"


def _whole(item: ComparedItem) -> Closeness:
    return item.whole


def _elsewhere(item: ComparedItem) -> Closeness:
    return item.elsewhere


def _similarity(of: Closeness) -> float | None:
    return of.similarity


def _hit(of: Closeness) -> float | None:
    return of.hit
