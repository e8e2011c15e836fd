"""Write a report to a folder: the page, its data, tables, and every chart as SVG and PNG."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.core.record import Value
from novum.errors import BadInput
from novum.files.atomic import make_subfolder, write_all_atomic
from novum.reports.charts.drawing import png, svg
from novum.reports.charts.plot import Plot
from novum.reports.written_pages import note_page

CHARTS = "charts"
"""The folder of the charts inside the report's folder."""


@dataclass(frozen=True)
class ReportFiles:
    """Where a report was written: the page, the data, and the other files."""

    html: Path
    json: Path
    others: tuple[Path, ...]

    @property
    def markdown(self) -> Path:
        """The Markdown file, in reports that have one."""
        return self.html.with_suffix(".md")

    @property
    def bibtex(self) -> Path:
        """The cited papers as BibTeX, in reports that have them."""
        return self.html.with_name("papers.bib")


def write_files(contents: Mapping[str, str | bytes], folder: Path) -> ReportFiles:
    """Write files into `folder`, which is created if needed. Each file appears whole under its name or not at all.

    `contents`: file names with their contents, first the page, then the data, then the others. Raises BadInput when
    they cannot be written.
    """
    paths = {folder / name: content for name, content in contents.items()}
    try:
        for path in paths:
            make_subfolder(folder, path.parent)
        write_all_atomic(paths)
    except OSError as error:
        raise BadInput(
            f"The report cannot be written to {folder}: {error.strerror or error}. Free some space or name another "
            "folder with --out, and run the same command again. It repeats no model call: the ledger has the answers."
        ) from error
    html, data, *others = paths
    if html.suffix == ".html":
        note_page(html)
    return ReportFiles(html, data, tuple(others))


def write_report_with_charts(
    data: Value,
    plots: Sequence[Plot],
    page: Callable[[Mapping[str, str]], str],
    others: Mapping[str, str | bytes],
    folder: Path,
    name: str = "report",
) -> ReportFiles:
    """Write `NAME.html`, `NAME.json`, the other files and `charts/*.svg|png` into `folder`.

    `page` renders the HTML; it receives the charts as SVG by name. Raises BadInput as `write_files` does.
    """
    drawn = {plot.name: svg(plot) for plot in plots}
    contents = {f"{name}.html": page(drawn), f"{name}.json": as_json(data), **others, **chart_files(plots, drawn)}
    return write_files(contents, folder)


def chart_files(plots: Sequence[Plot], drawn: Mapping[str, str]) -> dict[str, str | bytes]:
    """Every chart as SVG and PNG, by its file name inside the report's folder. `drawn`: SVG by the chart's name."""
    files: dict[str, str | bytes] = {}
    for plot in plots:
        files[f"{CHARTS}/{plot.name}.svg"] = drawn[plot.name]
        files[f"{CHARTS}/{plot.name}.png"] = png(drawn[plot.name])
    return files


def as_json(value: Value) -> str:
    """A record as JSON text. Not pydantic's own writer, which fails on half a surrogate pair."""
    return json.dumps(value.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
