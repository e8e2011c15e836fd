"""The plots of an evaluation, each with what it shows in words."""

from __future__ import annotations

from collections.abc import Iterator

from novum.benchmarks.judge_evaluation.report import charts
from novum.benchmarks.judge_evaluation.report import phrases as words
from novum.benchmarks.judge_evaluation.report.records import JudgeEvaluation
from novum.reports.charts.look import label
from novum.reports.charts.plot import Plot
from novum.reports.numerals import number

MOST_DRAWN = 20
"""Reviewers that are drawn; the tables and the data have all."""


def plots(report: JudgeEvaluation) -> tuple[Plot, ...]:
    """Those that there are numbers for."""
    return tuple(_plots(report))


def _plots(report: JudgeEvaluation) -> Iterator[Plot]:
    rated = [each for each in report.standings if each.rating.rmse.value is not None][:MOST_DRAWN]
    real = report.of_kind("real")
    noise = real.spread.noise.value if real else None
    line = "" if noise is None else f" The dashed line is the least RMSE that there can be ({number(noise, 3)}); of"
    line += " Spearman it is none." if line else " The dashed line is no Spearman correlation."
    yield Plot(
        "ratings",
        "How near to the real ratings?",
        "; ".join(
            f"{label(each.name)} RMSE {words.told(each.rating.rmse, 3)}, Spearman {words.told(each.rating.spearman)}"
            for each in rated
        )
        + ".",
        f"With 95% intervals over papers. Of RMSE less is better, of Spearman more.{line}",
        charts.standing_chart(rated, noise),
    )
    decided = [each for each in report.standings if each.decision.bins][:MOST_DRAWN]
    if decided:
        yield Plot(
            "calibration",
            "Are the probabilities of acceptance true?",
            "; ".join(f"{label(each.name)}: calibration error {words.told(each.decision.error, 3)}" for each in decided)
            + ".",
            "Each point is a tenth of the papers or so, larger for more. On the dashed line, what was foretold is what "
            "came; all points in one place tell papers apart by nothing.",
            charts.reliability_chart(decided),
        )
