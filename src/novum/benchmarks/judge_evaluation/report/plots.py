"""The plots of an evaluation: ratings and rank correlations, and calibration of probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt

from novum.benchmarks.judge_evaluation.records import STAND_INS
from novum.benchmarks.judge_evaluation.report import phrases as words
from novum.benchmarks.judge_evaluation.report.records import JudgeEvaluation, ReviewerResult
from novum.reports.charts.intervals import IntervalPanel, IntervalPoint, interval_panels
from novum.reports.charts.look import FIRST, SECOND, SOFT, Drawable, chart_data, chart_label
from novum.reports.charts.plot import Plot
from novum.reports.phrases import number
from novum.statistics.records import Estimate

MAX_REVIEWERS = 20
"""Reviewers in a plot; the tables and the data have all."""


def plots(report: JudgeEvaluation) -> tuple[Plot, ...]:
    """The plots for which there are numbers."""
    return tuple(_plots(report))


def _plots(report: JudgeEvaluation) -> Iterator[Plot]:
    rated = [each for each in report.standings if each.rating.rmse.value is not None][:MAX_REVIEWERS]
    real = report.of_kind("real")
    noise = real.spread.noise.value if real else None
    line = "" if noise is None else f" The dashed line is the lowest possible RMSE ({number(noise, 3)}); for"
    line += " Spearman it is 0." if line else " The dashed line is a Spearman correlation of 0."
    yield Plot(
        "ratings",
        "Agreement with the real ratings",
        "; ".join(
            f"{chart_label(each.name)} RMSE {words.estimate_text(each.rating.rmse, 3)}, "
            f"Spearman {words.estimate_text(each.rating.spearman)}"
            for each in rated
        )
        + ".",
        f"With 95% intervals over papers. Lower is better for RMSE, higher for Spearman.{line}",
        ratings_chart(rated, noise),
    )
    decided = [each for each in report.standings if each.decision.bins][:MAX_REVIEWERS]
    if decided:
        yield Plot(
            "calibration",
            "Calibration of the probability of acceptance",
            "; ".join(
                f"{chart_label(each.name)}: calibration error {words.estimate_text(each.decision.error, 3)}"
                for each in decided
            )
            + ".",
            "Each point stands for about a tenth of the papers; larger points for more. On the dashed line the "
            "probabilities are exact; points that are all in one place do not distinguish papers.",
            reliability_chart(decided),
        )


_SIDE = 170
_COLUMNS = 3
REVIEWER, BASELINE = "reviewer", "baseline"


def ratings_chart(standings: Sequence[ReviewerResult], noise: float | None) -> Drawable:
    """Three panels with a row for each reviewer: RMSE, RMSE with the level corrected, Spearman. `noise`: the lowest
    possible RMSE, as a dashed line."""
    panels = (
        ("RMSE", [each.rating.rmse for each in standings], noise),
        ("RMSE, level corrected", [each.rating.level_rmse for each in standings], noise),
        ("Spearman", [each.rating.spearman for each in standings], 0.0),
    )
    x = alt.X(
        "low:Q", scale=alt.Scale(zero=False, nice=True), title=None,
        axis=alt.Axis(tickCount=4, format=".2~f", labelOverlap=True),
    )  # fmt: skip
    return interval_panels(
        [IntervalPanel(_points(standings, values), name, line=line) for name, values, line in panels],
        [each.name for each in standings],
        x,
        ".3f",
        (REVIEWER, BASELINE),
        width=190,
    )


def _points(standings: Sequence[ReviewerResult], values: Sequence[Estimate]) -> list[IntervalPoint]:
    return [
        IntervalPoint(each.name, value, BASELINE if each.kind in STAND_INS else REVIEWER)
        for each, value in zip(standings, values, strict=True)
    ]


def reliability_chart(standings: Sequence[ReviewerResult]) -> Drawable:
    """A panel for each reviewer: predicted probability of acceptance and share of accepted papers."""
    together: Drawable = alt.concat(*(_reliability(each) for each in standings), columns=_COLUMNS)
    return together


def _reliability(of: ReviewerResult) -> Drawable:
    rows = [each.model_dump() for each in of.decision.bins]
    title = alt.TitleParams(
        chart_label(of.name),
        subtitle="its utilities" if of.decision.own else "from its ratings",
        fontSize=11,
        subtitleFontSize=11,
        subtitleColor=SOFT,
        limit=_SIDE,
    )
    share = alt.Scale(domain=[0, 1])
    axis = alt.Axis(values=[0, 0.5, 1], format=".1f")
    x = alt.X("foretold:Q", title="predicted", scale=share, axis=axis)
    y = alt.Y("came:Q", title="accepted", scale=share, axis=axis)
    line = alt.Chart(chart_data([{"foretold": 0, "came": 0}, {"foretold": 1, "came": 1}]), width=_SIDE, height=_SIDE)
    ideal = line.mark_line(color=SOFT, strokeDash=[3, 3], strokeWidth=1).encode(x=x, y=y)
    size = alt.Size("cases:Q", legend=None, scale=alt.Scale(rangeMin=20, rangeMax=160))
    color = SECOND if of.kind in STAND_INS else FIRST
    points = (
        alt.Chart(chart_data(rows), title=title)
        .mark_point(filled=True, opacity=0.75, color=color)
        .encode(x=x, y=y, size=size, tooltip=["cases:Q", "foretold:Q", "came:Q"])
    )
    return alt.layer(ideal, points)
