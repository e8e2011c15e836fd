"""The report of iterative training: rounds as a table, with the optimised score beside one that was not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import altair as alt

from novum.reports.charts.look import FIRST, SECOND, chart_data
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles
from novum.reports.phrases import count
from novum.training.ideas.evaluation import CREATIVITY, OBJECTIVE, RATING, SATISFACTION, MeanScore, WinRate
from novum.training.ideas.round_records import IterationReport, RoundResult
from novum.training.report.tables import Section, TablesReport, write_tables

NONE = "–"
_BESIDE = (CREATIVITY, SATISFACTION, RATING)
HEADS = (
    "round", "pairs", "objective", "95 %", "CI", "USS", "predicted rating", "wins against round 0", "distinct-2",
    "spread", "duplicates",
)  # fmt: skip
DEMONSTRATION = (
    "A demonstration: the smallest model on a small library, in minutes. It shows how the phases work, and nothing "
    "about how good ideas become."
)


def number(value: float | None, digits: int = 3) -> str:
    """A number, or a dash."""
    return NONE if value is None else f"{value:.{digits}f}"


def interval(mean: MeanScore | None) -> str:
    """The bootstrap interval of a mean."""
    return NONE if mean is None or mean.low is None or mean.high is None else f"{mean.low:.3f} to {mean.high:.3f}"


def win_text(win: WinRate | None) -> str:
    """A win rate with its interval and its number of pairs."""
    if win is None or win.share is None:
        return NONE
    span = f" ({win.low:.0%} to {win.high:.0%})" if win.low is not None and win.high is not None else ""
    return f"{win.share:.0%}{span}, {count(win.pairs, 'pair')}"


def rows(report: IterationReport) -> list[tuple[str, ...]]:
    """One row a round."""
    return [_row(each, used=each is report.best or each == report.best) for each in report.rounds]


def _row(each: RoundResult, *, used: bool) -> tuple[str, ...]:
    diversity = each.diversity
    return (
        f"{each.number}{' used' if used else ''}",
        f"{each.pairs:,}" if each.number else NONE,
        number(each.score),
        interval(each.scores.get(OBJECTIVE)),
        *(
            number(each.scores[name].mean if name in each.scores else None)
            for name in (CREATIVITY, SATISFACTION, RATING)
        ),
        win_text(each.win),
        *(number(getattr(diversity, name) if diversity else None, 2) for name in ("distinct", "spread", "duplicates")),
    )


def headline(report: IterationReport) -> str:
    """What the rounds changed, in a sentence or two."""
    best, first = report.best, report.rounds[0]
    said = f"It stopped because {report.stopped}."
    if best.number == 0 or best.score is None or first.score is None:
        return f"No round improved the score on held-out topics, so the model before is the best. {said}"
    judge = best.win.judge if best.win else "no other judge"
    return (
        f"Round {best.number} is used: {report.objective} of {best.score:.3f} on held-out topics instead of "
        f"{first.score:.3f}; by {judge}, which was not optimised, it wins {win_text(best.win)}. {said}"
    )


def write_rounds(report: IterationReport, folder: Path) -> ReportFiles:
    """Writes `report.html`, `report.md`, `report.json` and the chart. Raises BadInput when they cannot be written."""
    page = TablesReport(
        title=f"{report.name}: training in rounds",
        lead=headline(report),
        sections=(
            Section(
                "Rounds",
                (
                    f"Objective: {report.objective}, on {len(report.task.held_out)} topics that are never trained on. "
                    "Intervals: 95 %, by resampling topics. CI, USS (0 to 5) and the predicted rating stand beside it, "
                    "whichever was optimised.",
                    "Wins: against the ideas of round 0 with the same topic and number. 50 % is no difference.",
                    "distinct-2: different pairs of words. Spread: mean cosine distance on one topic.",
                ),
                HEADS,
                tuple(rows(report)),
                tuple(_plots(report)),
            ),
        ),
    )
    return write_tables(page, folder)


def _plots(report: IterationReport) -> Iterator[Plot]:
    cells = [
        {"round": each.number, "value": mean.mean, "low": mean.low, "high": mean.high}
        for each in report.rounds
        if (mean := each.scores.get(OBJECTIVE)) is not None and mean.mean is not None
    ]
    if len(cells) > 1:
        base = alt.Chart(chart_data(cells), width=520, height=220).encode(x=alt.X("round:O", title="round"))
        line = base.mark_line(color=FIRST, point=True).encode(
            y=alt.Y("value:Q", title="held-out score", scale=alt.Scale(zero=False))
        )
        spans = base.mark_rule(color=SECOND, opacity=0.6).encode(y="low:Q", y2="high:Q")
        yield Plot("rounds", "Score on held-out topics", "The table has the same numbers.", "Bars: 95 %.", spans + line)
