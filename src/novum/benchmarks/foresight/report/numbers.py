"""From what was seen to what it comes to: means over topics, gains paired by topic, and their intervals.

A topic under a cut-off is one cell: the mean over a method's ideas there. Intervals come from drawing topics anew, with
all their cut-offs. Topics are taken in the order of their names, so that nothing depends on how they were given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.foresight.records import EARLIER, TOPIC, Closeness, ForesightRun, FutureYear, Sighting
from novum.benchmarks.foresight.report.records import ELSEWHERE, Foresight, ForesightReport, Measure, Point
from novum.benchmarks.foresight.statistics import gain, over_topics
from novum.statistics.estimate import Estimate

Cells = NDArray[np.float64]
"""Topics × cut-offs; NaN where nothing is known."""
Look = Callable[[Sighting], Closeness]
NO_MEASURE = Measure(similarity=Estimate(), hits=Estimate())


def foresight_report(run: ForesightRun, *, draws: int = 1000) -> ForesightReport:
    """Everything that the page shows. `draws`: of topics, for the intervals."""
    table = _Table.of(run, draws)
    baselines = (EARLIER, ELSEWHERE, *([run.plain] if run.plain else []), TOPIC)
    names = [each.name for each in run.methods]
    return ForesightReport(
        run=run,
        standings=tuple(table.standing(name, baselines) for name in (*names, EARLIER, TOPIC)),
        baselines=baselines,
        draws=draws,
    )


@dataclass(frozen=True)
class _Table:
    run: ForesightRun
    seen: Mapping[str, Sequence[Sighting]]
    """By method, or what stands in for one."""
    draws: int

    @classmethod
    def of(cls, run: ForesightRun, draws: int) -> _Table:
        seen: dict[str, list[Sighting]] = defaultdict(list)
        for each in run.sightings:
            seen[each.by].append(each)
        return cls(run, seen, draws)

    def standing(self, name: str, baselines: Sequence[str]) -> Foresight:
        """One line, against all baselines but itself."""
        own = [each for each in self.seen.get(name, ()) if each.whole.similarity is not None]
        forfeits = sum(each.entry.entrant == name and each.entry.idea is None for each in self.run.forecasts)
        return Foresight(
            name=name,
            stand_in=name in {EARLIER, TOPIC},
            ideas=len(own),
            missing=forfeits + len(self.seen.get(name, ())) - len(own),
            closeness=self._measure(name, _whole),
            elsewhere=self._measure(name, _elsewhere),
            gains={other: self._gain(name, other) for other in baselines if other != name},
            by_cutoff={each.label: self._measure(name, _whole, each.label) for each in self.run.cutoffs},
            points=tuple(self._point(name, year) for year in self.run.futures if year.used),
        )

    def _point(self, name: str, year: FutureYear) -> Point:
        def look(seen: Sighting) -> Closeness:
            return seen.years[year.year - 1]

        over = NO_MEASURE if name == EARLIER else self._difference(name, EARLIER, look, look, year.cutoff)
        return Point(
            cutoff=year.cutoff,
            year=year.year,
            calendar=calendar_of(year),
            closeness=self._measure(name, look, year.cutoff),
            over_earlier=over,
        )

    def _gain(self, name: str, other: str) -> Measure:
        if other == ELSEWHERE:
            return self._difference(name, name, _whole, _elsewhere)
        return self._difference(name, other, _whole, _whole)

    def _measure(self, name: str, look: Look, cutoff: str = "") -> Measure:
        return Measure(
            similarity=over_topics(self._cells(name, look, _similarity, cutoff), draws=self.draws, seed=self.run.seed),
            hits=over_topics(self._cells(name, look, _hit, cutoff), draws=self.draws, seed=self.run.seed),
        )

    def _difference(self, name: str, other: str, look: Look, look_there: Look, cutoff: str = "") -> Measure:
        found = {
            measure: gain(
                self._cells(name, look, of, cutoff),
                self._cells(other, look_there, of, cutoff),
                draws=self.draws,
                seed=self.run.seed,
            )
            for measure, of in (("similarity", _similarity), ("hits", _hit))
        }
        return Measure(**found)

    def _cells(self, name: str, look: Look, of: Callable[[Closeness], float | None], cutoff: str) -> Cells:
        """`cutoff`: of this one alone; empty: of all."""
        topics = {topic: row for row, topic in enumerate(sorted(self.run.topics))}
        labels = [each.label for each in self.run.cutoffs if cutoff in {"", each.label}]
        columns = {label: column for column, label in enumerate(labels)}
        values: dict[tuple[int, int], list[float]] = defaultdict(list)
        for seen in self.seen.get(name, ()):
            value = of(look(seen))
            if value is not None and seen.cutoff in columns:
                values[topics[seen.topic], columns[seen.cutoff]].append(value)
        cells = np.full((len(topics), len(columns)), np.nan)
        for place, known in values.items():
            cells[place] = mean(known)
        return cells


def mean(values: Iterable[float]) -> float:
    """Of at least one value, whatever their order."""
    return float(np.mean(sorted(values)))


def calendar_of(year: FutureYear) -> str:
    """`2020`, or `2020-06-01 to 2021-06-01` for one that does not begin in January."""
    if (year.since.month, year.since.day) == (1, 1):
        return str(year.since.year)
    return f"{year.since} to {year.before}"


def _whole(seen: Sighting) -> Closeness:
    return seen.whole


def _elsewhere(seen: Sighting) -> Closeness:
    return seen.elsewhere


def _similarity(of: Closeness) -> float | None:
    return of.similarity


def _hit(of: Closeness) -> float | None:
    return of.hit
