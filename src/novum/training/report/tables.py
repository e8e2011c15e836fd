"""A page of tables and plots, as HTML without scripts and as Markdown: what comparisons of trained models write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from novum.core.record import Value
from novum.reports.charts.drawing import plot_images
from novum.reports.charts.plot import Plot
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.markdown import markdown_document, markdown_line, markdown_list, markdown_table
from novum.reports.page import render_page


@dataclass(frozen=True)
class Section:
    """A heading, sentences, a table, and plots."""

    title: str
    text: Sequence[str]
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    plots: Sequence[Plot] = ()


@dataclass(frozen=True)
class TablesReport:
    """A page. `caution`: what limits it, said before everything else."""

    title: str
    lead: str
    sections: Sequence[Section]
    caution: str = ""

    @property
    def plots(self) -> tuple[Plot, ...]:
        """All plots in order."""
        return tuple(plot for section in self.sections for plot in section.plots)


class _Data(Value):
    """The page as data."""

    title: str
    lead: str
    caution: str
    tables: dict[str, list[dict[str, str]]]


def render_tables_page(report: TablesReport, svg: Mapping[str, str] | None = None) -> str:
    """Render one self-contained HTML page."""
    return render_page("training_tables.html.j2", report=report, images=plot_images(report.plots, svg))


def write_tables(report: TablesReport, folder: Path) -> ReportFiles:
    """Writes `report.html`, `report.json`, `report.md` and `charts/` into `folder`. Raises BadInput."""
    tables = {
        section.title: [dict(zip(section.heads, row, strict=True)) for row in section.rows]
        for section in report.sections
        if section.heads
    }
    data = _Data(title=report.title, lead=report.lead, caution=report.caution, tables=tables)
    others = {"report.md": markdown_document(_blocks(report))}
    return write_report_with_charts(data, report.plots, partial(_page, report), others, folder)


def _page(report: TablesReport, svg: Mapping[str, str] | None = None) -> str:
    return render_tables_page(report, svg)


def _blocks(report: TablesReport) -> Iterator[str]:
    yield f"# {markdown_line(report.title)}"
    if report.caution:
        yield f"**{markdown_line(report.caution)}**"
    yield markdown_line(report.lead)
    for section in report.sections:
        yield f"## {markdown_line(section.title)}"
        if section.heads:
            yield markdown_table(section.heads, section.rows)
        yield markdown_list(map(markdown_line, section.text))
