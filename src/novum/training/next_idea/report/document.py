"""A report as sections of sentences, tables, texts and plots, rendered as one HTML page and as Markdown."""

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

_TEMPLATE = "sections.html.j2"


@dataclass(frozen=True)
class Table:
    """A table: headings, and rows whose first cell names the row."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    prose: bool = False
    """Whether the cells hold sentences instead of figures."""


@dataclass(frozen=True)
class Section:
    """One part of a report. `texts`: longer texts with their headings."""

    heading: str
    lines: Sequence[str] = ()
    tables: Sequence[Table] = ()
    plots: Sequence[Plot] = ()
    texts: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Document:
    """A whole report. `kind`: what it is about, in a word or two."""

    title: str
    kind: str
    headline: str
    sections: Sequence[Section]

    @property
    def plots(self) -> tuple[Plot, ...]:
        """The plots of all sections."""
        return tuple(plot for section in self.sections for plot in section.plots)


def render_document(document: Document, svg: Mapping[str, str] | None = None) -> str:
    """One self-contained HTML page. `svg`: SVG of plots by name, if they exist already."""
    return render_page(_TEMPLATE, document=document, images=plot_images(document.plots, svg))


def render_document_markdown(document: Document) -> str:
    """The document as Markdown, without its plots but with what they say."""
    return markdown_document(_blocks(document))


def _blocks(document: Document) -> Iterator[str]:
    yield f"# {markdown_line(document.title)}"
    yield markdown_line(document.headline)
    for section in document.sections:
        yield f"## {markdown_line(section.heading)}"
        if section.lines:
            yield markdown_list(map(markdown_line, section.lines))
        for plot in section.plots:
            yield markdown_line(f"{plot.title}. {plot.says}")
        for table in section.tables:
            yield markdown_line(table.caption)
            yield markdown_table(table.heads, [tuple(map(markdown_line, row)) for row in table.rows])
        for heading, text in section.texts:
            yield f"### {markdown_line(heading)}"
            yield markdown_list(markdown_line(line) for line in text.splitlines() if line.strip())


def write_document(document: Document, data: Value, folder: Path, name: str = "report") -> ReportFiles:
    """Write `NAME.html`, `NAME.json`, `NAME.md` and the charts into `folder`. Raises BadInput when it cannot."""
    others = {f"{name}.md": render_document_markdown(document)}
    return write_report_with_charts(data, document.plots, partial(render_document, document), others, folder, name)
