"""The report of a comparison of trained models: a table for each group, plots, and what the numbers do not say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import altair as alt

from novum.reports.charts.look import FIRST, SECOND, Drawable, chart_data, chart_label
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles
from novum.training.ideas.comparing import Comparison, ComparisonKind
from novum.training.ideas.evaluation import CREATIVITY, OBJECTIVE, RATING, SATISFACTION, Entrant, Evaluated
from novum.training.report.rounds import interval, number, win_text
from novum.training.report.tables import Section, TablesReport, write_tables

HEADS = (
    "model", "ideas", "in form", "CI", "95 %", "USS", "95 %.", "combined", "predicted rating", "wins against the first",
    "distinct-2", "spread",
)  # fmt: skip
YEAR_HEADS = ("papers until", "topics of", "nearest paper of that year", "95 %", "papers among themselves")
_TITLES: Mapping[ComparisonKind, str] = {
    "tuning": "Ways of tuning (Table 1 of the DBLP study)",
    "phases": "Phases of training (Tables 2 and 5)",
    "domains": "Models of a field against the general one (Table 11)",
    "ensemble": "The general model against an ensemble, on topics of two fields (Table 9)",
    "few-shot": "Examples in the prompt (Table 6)",
    "fractions": "Shares of the training data (Table 6)",
    "years": "Ideas of models of the past, and papers of later years (Figure 3)",
}
EXPLANATION = (
    "CI and USS (0 to 5) are the study's own metrics, by the fitted metrics of this library; combined: 0.638·CI + "
    "0.352·USS/10. They were found not to agree with people on reviewed papers.",
    "Intervals: 95 %, by resampling topics. Models whose intervals overlap are not told apart.",
    "In form: the share of answers with a title and an abstract; only these are scored.",
)


def title_of(comparison: Comparison) -> str:
    """What is compared."""
    return _TITLES[comparison.options.kind]


def rows_of(found: Evaluated) -> list[tuple[str, ...]]:
    """One row a model."""
    return [_row(each) for each in found.entrants]


def _row(each: Entrant) -> tuple[str, ...]:
    creativity, satisfaction = each.scores.get(CREATIVITY), each.scores.get(SATISFACTION)
    combined, rating = each.scores.get(OBJECTIVE), each.scores.get(RATING)
    return (
        each.name,
        f"{each.ideas:,}",
        f"{each.usable:.0%}",
        number(creativity.mean if creativity else None),
        interval(creativity),
        number(satisfaction.mean if satisfaction else None, 2),
        interval(satisfaction),
        number(combined.mean if combined else None),
        number(rating.mean if rating else None),
        win_text(each.win),
        number(each.diversity.distinct, 2),
        number(each.diversity.spread, 2),
    )


def year_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """One row for each year of training and of testing."""
    return [
        (f"{each.until}", f"{each.year}", number(each.ideas.mean), interval(each.ideas), number(each.papers))
        for each in comparison.years
    ]


def headline(comparison: Comparison) -> str:
    """Which model is best by the study's combined score, where the intervals do not overlap."""
    if comparison.years:
        return "The cosine of each idea and the nearest paper of the year, by the last year of the training papers."
    said = []
    for name, found in comparison.groups.items():
        where = "" if name == "all" else f" on {name}"
        ranked = sorted(found.entrants, key=lambda each: -(_combined(each) or -1e9))
        best = ranked[0]
        apart = [each for each in ranked[1:] if _is_above(best, each)]
        if len(ranked) > 1 and len(apart) == len(ranked) - 1:
            said.append(f"{best.name} has the highest combined score{where}")
        else:
            said.append(f"no model stands apart{where} by the combined score")
    return f"{'; '.join(said)}.".capitalize() if said else "Nothing was compared."


def _combined(each: Entrant) -> float | None:
    return each.scores[OBJECTIVE].mean if OBJECTIVE in each.scores else None


def _is_above(one: Entrant, other: Entrant) -> bool:
    low, high = one.scores[OBJECTIVE].low, other.scores[OBJECTIVE].high
    return low is not None and high is not None and low > high


def sections_of(comparison: Comparison) -> Iterator[Section]:
    """The parts of the page."""
    for name, found in comparison.groups.items():
        judge = next((each.win.judge for each in found.entrants if each.win), "")
        text = [
            *EXPLANATION,
            *([f"Wins against the first model: by {judge}, which was not optimised."] if judge else []),
        ]
        title = "Models" if name == "all" else f"Topics of {name}"
        yield Section(title, text, HEADS, rows_of(found), tuple(_plots(found, name)))
    if comparison.years:
        text = [
            "Mean cosine of an idea and the nearest paper of the year. Papers among themselves: the same for the "
            "papers of that year, as a measure of what is possible.",
        ]
        yield Section("Years", text, YEAR_HEADS, year_rows(comparison), tuple(_year_plots(comparison)))
    if comparison.notes:
        yield Section("Notes", comparison.notes)


def write_comparison(comparison: Comparison, folder: Path, caution: str = "") -> ReportFiles:
    """Writes the page, its data and plots. Raises BadInput when they cannot be written."""
    page = TablesReport(title_of(comparison), headline(comparison), tuple(sections_of(comparison)), caution)
    return write_tables(page, folder)


def _plots(found: Evaluated, group: str) -> Iterator[Plot]:
    cells = [
        {"model": chart_label(each.name), "value": mean.mean, "low": mean.low, "high": mean.high}
        for each in found.entrants
        if (mean := each.scores.get(OBJECTIVE)) is not None and mean.mean is not None
    ]
    if len(cells) > 1:
        yield Plot(
            "combined-" + "".join(char if char.isalnum() else "-" for char in group),
            "Combined score",
            "The table has the same numbers.",
            "Bars: 95 %, by resampling topics.",
            _bars(cells),
        )


def _bars(cells: Sequence[Mapping[str, object]]) -> Drawable:
    base = alt.Chart(chart_data(cells), width=520).encode(
        y=alt.Y("model:N", title=None, sort=[str(each["model"]) for each in cells])
    )
    points = base.mark_point(filled=True, size=80, color=FIRST, opacity=1).encode(
        x=alt.X("value:Q", title="combined score", scale=alt.Scale(zero=False))
    )
    return alt.layer(base.mark_rule(color=SECOND).encode(x="low:Q", x2="high:Q"), points)


def _year_plots(comparison: Comparison) -> Iterator[Plot]:
    cells = [
        {"until": str(each.until), "year": each.year, "value": each.ideas.mean}
        for each in comparison.years
        if each.ideas.mean is not None
    ]
    chart = alt.Chart(chart_data(cells), width=520, height=240)
    yield Plot(
        "years",
        "Similarity to the papers of later years",
        "The table has the same numbers.",
        "One line for each last year of training.",
        chart.mark_line(point=True).encode(
            x=alt.X("year:O", title="year of the papers"),
            y=alt.Y("value:Q", title="cosine of the nearest paper", scale=alt.Scale(zero=False)),
            color=alt.Color("until:N", title="trained until"),
            strokeDash=alt.StrokeDash("until:N", legend=None),
        ),
    )
