"""People against the panel: how far people agree with each other, and the panel with them, in Markdown and HTML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from novum.benchmarks.liveidea.report import phrases as words
from novum.benchmarks.liveidea.report.charts.comparisons import scatter
from novum.benchmarks.liveidea.report.page import TEMPLATES
from novum.benchmarks.liveidea.report.shapes import LinePoint
from novum.core.record import Value
from novum.reports import phrases
from novum.reports.charts.drawing import plot_images
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.markdown import markdown_line, markdown_table
from novum.reports.page import render_page
from novum.reports.phrases import correlation_text
from novum.statistics.records import Correlation, Icc, Reliability

FORMS = ("agreement_average", "consistency_average", "agreement_single", "consistency_single")
MEANING = {
    "ICC(A,k)": "absolute agreement of the mean of all people",
    "ICC(C,k)": "consistency of that mean: a severe person does not disagree with a mild one",
    "ICC(A,1)": "absolute agreement of a single person",
    "ICC(C,1)": "consistency of a single person",
}


class RatedIdea(Value):
    """One idea by people and panel, both as means; a point of the scatter plot."""

    idea: str
    people: float
    panel: float


class DimensionAgreement(Value):
    """One dimension."""

    dimension: str
    people: Reliability
    """Of the people among themselves."""
    with_panel: Correlation
    """Of the mean of people with the mean of the panel."""
    shift: float | None
    """Points that the panel scores above people, on average; a correlation does not see it."""
    ideas: tuple[RatedIdea, ...]
    line: tuple[LinePoint, ...]

    @property
    def forms(self) -> tuple[Icc, ...]:
        """Those of the average first, which is what the panel is held against."""
        return tuple(getattr(self.people, name) for name in FORMS)


class AgreementStudy(Value):
    """A whole comparison of people's ratings with a panel's."""

    people: str
    """Where the ratings are from, in words; the same for `panel`."""
    panel: str
    raters: tuple[str, ...]
    ideas: int
    """Rated by at least one person."""
    dimensions: tuple[DimensionAgreement, ...]
    notes: tuple[str, ...] = ()
    """Lines and ideas that could not be used."""


def write_agreement(study: AgreementStudy, folder: Path) -> ReportFiles:
    """Write `agreement.html`, `agreement.md`, `agreement.json` and the scatter plots into `folder`.

    Raises BadInput when the folder cannot be written.
    """
    others = {"agreement.md": render_agreement(study)}
    page = render_agreement_page(study)
    return write_report_with_charts(study, agreement_plots(study), lambda drawn: page, others, folder, name="agreement")


def agreement_plots(study: AgreementStudy) -> tuple[Plot, ...]:
    """One scatter plot for each dimension that has ideas with both ratings."""
    return tuple(_plot(each) for each in study.dimensions if each.ideas)


def render_agreement_page(study: AgreementStudy) -> str:
    """One self-contained page without any script."""
    found = agreement_plots(study)
    return render_page(
        "liveidea_agreement.html.j2",
        TEMPLATES,
        styles=["figures.css"],
        study=study,
        words=words,
        meaning=MEANING,
        images=plot_images(found),
        named={plot.name: plot for plot in found},
        headline=headline(study),
        p=_p,
    )


def render_agreement(study: AgreementStudy) -> str:
    """CommonMark with tables."""
    return "\n\n".join(_blocks(study)) + "\n"


def headline(study: AgreementStudy) -> str:
    """What came out, in a sentence."""
    found = "; ".join(f"{each.dimension} {correlation_text(each.with_panel)}" for each in study.dimensions)
    return f"{len(study.raters)} people rated {study.ideas} ideas. With the panel: {found}."


def _blocks(study: AgreementStudy) -> Iterator[str]:
    yield "# People against the panel"
    yield f"**{markdown_line(headline(study))}**"
    yield f"People: {markdown_line(study.people)}. Panel: {markdown_line(study.panel)}."
    yield "## People with the panel"
    rows = (
        (each.dimension, words.r_with_interval(each.with_panel), _p(each.with_panel.p), str(each.with_panel.n),
         phrases.signed(each.shift))
        for each in study.dimensions
    )  # fmt: skip
    yield markdown_table(("dimension", "Pearson r (95%)", "p", "ideas", "panel above people"), rows, cell=str)
    yield "## People among themselves"
    for each in study.dimensions:
        yield f"### {each.dimension.capitalize()}"
        yield markdown_table(("form", "value", "95%", "band", "F", "p"), map(_icc_row, each.forms), cell=str)
        left_out = f"; {each.people.left_out} left out, not rated by all" if each.people.left_out else ""
        yield f"{each.people.subjects} ideas, {each.people.raters} people{left_out}."
    yield "\n".join(f"- {form}: {meaning}" for form, meaning in MEANING.items())
    yield "Two-way random effects. Bands after Koo & Li: poor below 0.5, moderate to 0.75, good to 0.9, then excellent."
    if study.notes:
        yield "## What could not be used"
        yield "\n".join(f"- {markdown_line(note)}" for note in study.notes)


def _icc_row(icc: Icc) -> tuple[str, ...]:
    f = phrases.NONE if icc.f is None else f"{phrases.number(icc.f)} ({icc.freedom[0]}, {icc.freedom[1]})"
    return icc.form, phrases.number(icc.value, 3), phrases.interval(icc, 3), icc.band or icc.reason, f, _p(icc.p)


def _p(p: float | None) -> str:
    return phrases.NONE if p is None else phrases.p_value(p).removeprefix("p ").removeprefix("= ")


def _plot(of: DimensionAgreement) -> Plot:
    title = f"{of.dimension}: {correlation_text(of.with_panel)}"
    chart = scatter(
        [each.people for each in of.ideas],
        [each.panel for each in of.ideas],
        [each.idea for each in of.ideas],
        of.line,
        title,
    )
    return Plot(
        of.dimension,
        of.dimension.capitalize(),
        f"{len(of.ideas)} ideas, mean of people against mean of the panel; {title}.",
        "Each point an idea. Dotted: equal scores; line: least squares with its 95% band.",
        chart,
    )
