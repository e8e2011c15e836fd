"""The page of an evaluation: the tables and figures of section 5 in shape, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import altair as alt

from novum.judges.rubric import RUBRIC
from novum.reports import phrases
from novum.reports.charts.intervals import IntervalPanel, IntervalPoint, interval_panels
from novum.reports.charts.look import FIRST, SOFT, Drawable, chart_data
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles
from novum.statistics.records import Estimate
from novum.statistics.win_rates import GRADES, WinShare
from novum.training.next_idea.evaluation.records import ALL, Evaluation, StepGain
from novum.training.next_idea.report.document import Document, Section, Table, write_document

NONE = "–"
CRITERIA = ("novelty", "feasibility", "effectiveness", "detailedness", "overall")


def write_evaluation(evaluation: Evaluation, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `report.md` and the charts. Raises BadInput when the folder cannot be
    written."""
    return write_document(evaluation_document(evaluation), evaluation, folder)


def evaluation_document(evaluation: Evaluation) -> Document:
    """The page: Table 1, Figures 2 and 3, Table 2, and how it was made."""
    sections = [_wins(evaluation), _rubric(evaluation), _steps(evaluation)]
    if evaluation.experts:
        sections.append(_experts(evaluation))
    if evaluation.reward_models:
        sections.append(Section("Reward models", tables=[reward_table(evaluation)]))
    return Document(
        title=f"{evaluation.subject} on next-idea tasks",
        kind="next-idea evaluation",
        headline=headline(evaluation),
        sections=[*sections, _made(evaluation)],
    )


def headline(evaluation: Evaluation) -> str:
    """Where the subject is better than its opponents, with intervals that exclude one half."""
    decided = [
        (each.opponent, name, share)
        for each in evaluation.comparisons
        if each.category == ALL
        for name, share in each.shares.items()
    ]
    if not decided:
        return "There was no other model to compare with."
    better = [f"{name} against {other}" for other, name, share in decided if (share.rate.low or 0.0) > 0.5]
    worse = [f"{name} against {other}" for other, name, share in decided if (share.rate.high or 1.0) < 0.5]
    parts = [f"better in {', '.join(better)}" if better else "", f"worse in {', '.join(worse)}" if worse else ""]
    told = "; ".join(filter(None, parts))
    return f"{evaluation.subject} is {told}; otherwise the intervals include one half." if told else (
        f"No difference is certain: all {len(decided)} intervals include one half."
    )  # fmt: skip


def share_text(share: WinShare | None) -> str:
    """A share with its interval, such as `62% (48–74)`."""
    if share is None or share.rate.value is None:
        return NONE
    rate = share.rate
    low, high = (round(100 * (each or 0.0)) for each in (rate.low, rate.high))
    return f"{round(100 * (rate.value or 0.0))}% ({low}–{high})"


def win_rows(evaluation: Evaluation, category: str) -> list[tuple[str, ...]]:
    """One row for each criterion, one column for each opponent (Table 1)."""
    found = [each for each in evaluation.comparisons if each.category == category]
    return [(name, *(share_text(each.shares.get(name)) for each in found)) for name in CRITERIA]


def _wins(evaluation: Evaluation) -> Section:
    tables = []
    for category in (ALL, *evaluation.categories):
        opponents = [each.opponent for each in evaluation.comparisons if each.category == category]
        if opponents:
            title = "All categories" if category == ALL else f"Category: {category}"
            tables.append(Table(title, ("criterion", *opponents), win_rows(evaluation, category)))
    lines = [
        "Share of contexts on which the majority of the judges, each in both orders, prefers the last idea of "
        f"{evaluation.subject} to that of the other model; in brackets the 95% interval. Even splits are left out.",
    ]
    return Section("Win rates (Table 1)", lines, tables, _win_plots(evaluation))


def _win_plots(evaluation: Evaluation) -> list[Plot]:
    found = [each for each in evaluation.comparisons if each.category == ALL]
    if not found:
        return []
    panels = [
        IntervalPanel([IntervalPoint(each.opponent, _rate(each.shares.get(name))) for each in found], name, line=0.5)
        for name in CRITERIA
    ]
    return [_panels("wins", "Win rates against each model", panels, [each.opponent for each in found])]


def _rubric(evaluation: Evaluation) -> Section:
    tables = []
    for category in (ALL, *evaluation.categories):
        found = [each for each in evaluation.rubric if each.category == category]
        if found:
            rows = [(name, *(share_text(each.shares.get(name)) for each in found)) for name in RUBRIC]
            title = "All categories" if category == ALL else f"Category: {category}"
            tables.append(Table(title, ("item", *(each.model for each in found)), rows))
    found = [each for each in evaluation.rubric if each.category == ALL]
    panels = [
        IntervalPanel([IntervalPoint(each.model, _rate(each.shares.get(name))) for each in found], name)
        for name in RUBRIC
    ]
    plot = _panels("rubric", "Share of ideas that satisfy each item", panels, [each.model for each in found])
    lines = ["Share of ideas that satisfy an item of the rubric by the majority of the judges, with the 95% interval."]
    return Section("Rubric (Figure 2)", lines, tables, [plot])


def _steps(evaluation: Evaluation) -> Section:
    tables = []
    for model in evaluation.models:
        own = [each for each in evaluation.gains if each.model == model]
        if own:
            rows = [(f"step {each.step}", *(share_text(each.shares.get(name)) for name in CRITERIA)) for each in own]
            tables.append(Table(model, ("", *CRITERIA), rows))
    lines = [
        "Share of contexts on which the idea of a later step is preferred to the first one of the same model. "
        "Above one half, refinement helps; an idea that ended early is missing from later steps.",
    ]
    if not tables:
        lines = ["No idea was refined, so there are no steps to compare."]
    own = [each for each in evaluation.gains if each.model == evaluation.subject]
    return Section("Gains by refinement step (Figure 3)", lines, tables, [_gain_plot(own)] if own else [])


def _gain_plot(gains: Sequence[StepGain]) -> Plot:
    rows = [
        {
            "step": each.step,
            "criterion": name,
            "value": share.rate.value,
            "low": share.rate.low,
            "high": share.rate.high,
        }
        for each in gains
        for name, share in each.shares.items()
        if share.rate.value is not None
    ]
    base = alt.Chart(width=150, height=110)
    x = alt.X("step:O", title="step")
    band = base.mark_rule(color=FIRST, strokeWidth=2).encode(
        x=x, y=alt.Y("low:Q", title="win rate", scale=alt.Scale(domain=[0, 1])), y2="high:Q"
    )
    dots = base.mark_point(filled=True, color=FIRST, size=50, opacity=1).encode(x=x, y="value:Q")
    half = base.mark_rule(color=SOFT, strokeDash=[3, 3]).encode(y=alt.datum(0.5))
    chart: Drawable = alt.layer(half, band, dots, data=chart_data(rows)).facet(
        alt.Facet("criterion:N", title=None), columns=3
    )
    says = "; ".join(f"step {row['step']}, {row['criterion']}: {row['value']:.2f}" for row in rows)
    return Plot("steps", "Later ideas against the first", says, "Dashed line: no difference.", chart)


def _experts(evaluation: Evaluation) -> Section:
    rows = [
        (f"{each.category}, {each.criterion}", each.opponent, *(str(each.counts.get(grade, 0)) for grade in GRADES),
         share_text(each.share))
        for each in evaluation.experts
    ]  # fmt: skip
    lines = [
        f"What experts say of the ideas of {evaluation.subject}, compared with those of the other model. Pairs of "
        "which both ideas are bad are left out of the win rate.",
    ]
    heads = ("domain and criterion", "against", *GRADES, "win rate")
    return Section("Ratings by experts (Table 2)", lines, [Table("", heads, rows)])


def reward_table(evaluation: Evaluation) -> Table:
    """Table A6."""
    rows = [(each.model, share_text(each.real), share_text(each.generated)) for each in evaluation.reward_models]
    return Table("Table A6", ("model", "real ideas called real", "generated ideas called generated"), rows)


def _made(evaluation: Evaluation) -> Section:
    spend = evaluation.account.spend
    lines = [
        f"Judges: {', '.join(evaluation.judges)}.",
        *(
            f"{name}: {phrases.count(number, 'context')} without a usable idea"
            for name, number in evaluation.missing.items()
            if number
        ),
        f"{evaluation.failures:,} judgements had no usable answer and count for neither side.",
        f"{spend.calls:,} calls, {spend.reused:,} recorded answers used again.",
    ]
    return Section("How it was made", lines)


def _rate(share: WinShare | None) -> Estimate:
    return share.rate if share else Estimate()


def _panels(name: str, title: str, panels: Sequence[IntervalPanel], models: Sequence[str]) -> Plot:
    x = alt.X("low:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=3))
    says = "; ".join(
        f"{panel.title}: " + ", ".join(f"{each.model} {_percent(each.estimate)}" for each in panel.points)
        for panel in panels
    )
    return Plot(name, title, says, "Lines are 95% intervals.", interval_panels(panels, models, x, ".0%"))


def _percent(estimate: Estimate) -> str:
    return NONE if estimate.value is None else f"{100 * estimate.value:.0f}%"
