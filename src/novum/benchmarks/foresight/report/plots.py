"""The plots of a report on foresight, in their order, each with what it shows in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novum.benchmarks.foresight.records import EARLIER
from novum.benchmarks.foresight.report import charts
from novum.benchmarks.foresight.report import phrases as words
from novum.benchmarks.foresight.report.records import Foresight, ForesightReport
from novum.reports.charts.look import label
from novum.reports.charts.plot import Plot

MOST_DRAWN = 20
"""Methods that have a plot; the tables and the data have all."""


def plots(report: ForesightReport) -> tuple[Plot, ...]:
    """Those that the study has numbers for."""
    return tuple(_plots(report))


def _plots(report: ForesightReport) -> Iterator[Plot]:
    known = [each for each in report.methods if each.ideas][:MOST_DRAWN]
    baselines = [name for name in report.baselines if any(_is_known(each, name) for each in known)]
    over = ", with 95% intervals over topics" if _has_intervals(known) else ""
    if baselines:
        yield Plot(
            "gains",
            "Nearer to the future than what?",
            "; ".join(
                f"{label(each.name)} {words.signed(each.gains[EARLIER].similarity.value)} over earlier papers"
                for each in known
            )
            + ".",
            f"Similarity of a method's ideas above that of each baseline, topic by topic{over}. The line is no "
            "difference.",
            charts.gains(known, baselines),
        )
    drawn = [*known, *(each for each in report.standings if each.name == EARLIER and each.ideas)]
    for number, each in enumerate(drawn, 1):
        if any(point.closeness.similarity.value is not None for point in each.points):
            yield _over_years(each, number, over)
    if report.run.calibration.threshold is not None:
        yield Plot(
            "threshold",
            "When are two papers about the same?",
            words.calibration(report.run.calibration),
            "Cosines of random pairs of papers and of pairs that cite each other, each as shares of all of their kind.",
            charts.threshold(report.run.calibration),
        )


def _is_known(of: Foresight, baseline: str) -> bool:
    return baseline in of.gains and of.gains[baseline].similarity.value is not None


def _has_intervals(methods: Sequence[Foresight]) -> bool:
    return any(each.closeness.similarity.low is not None for each in methods)


def _over_years(of: Foresight, number: int, over: str) -> Plot:
    told = "; ".join(
        f"up to {point.cutoff}, year {point.year}: {words.number(point.closeness.similarity.value)}"
        for point in of.points
    )
    return Plot(
        f"years-{number}",
        f"{label(of.name)}, year by year",
        f"Similarity with what was published, by cut-off and year after it: {told}.",
        f"A line for each cut-off{over}. A library has more papers of some years than of others, and a fuller year has "
        "nearer ones: the difference to earlier papers, held against the same years, is free of that.",
        charts.year_by_year(of),
    )
