"""A report on disk: a folder with the page, its numbers as data, and every chart as SVG and PNG."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.core.record import Value
from novum.errors import BadInput
from novum.files.atomic import write_all_atomic
from novum.reports.charts.drawing import png, svg
from novum.reports.charts.plot import Plot
from novum.reports.sanitizing import clean_line

CHARTS = "charts"
"""Folder of the charts, inside the report's."""
_FORMULA = tuple("=+-@\t\r")
"""What a cell must not begin with, lest a spreadsheet obeys it."""


@dataclass(frozen=True)
class ReportFiles:
    """Where a report was written."""

    html: Path
    json: Path
    others: tuple[Path, ...]


def write_folder(contents: Mapping[str, str | bytes], folder: Path) -> ReportFiles:
    """Files by their names inside `folder`, page and data first. Each appears whole under its name or not at all.
    Raises BadInput where they cannot be written."""
    paths = {folder / name: content for name, content in contents.items()}
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        write_all_atomic(paths)
    except OSError as error:
        raise BadInput(
            f"The report cannot be written to {folder}: {error.strerror or error}. Free some space or name another "
            "folder by --out, and run the same command again: no model is asked for it."
        ) from error
    html, data, *others = paths
    return ReportFiles(html, data, tuple(others))


def write_charted(
    data: Value,
    plots: Sequence[Plot],
    page: Callable[[Mapping[str, str]], str],
    others: Mapping[str, str | bytes],
    folder: Path,
    name: str = "report",
) -> ReportFiles:
    """Writes `NAME.html`, `NAME.json`, the others and `charts/*.svg|png`. `page` is given the charts as SVG, by name.
    Raises as `write_folder` does."""
    drawn = {plot.name: svg(plot) for plot in plots}
    contents = {f"{name}.html": page(drawn), f"{name}.json": as_json(data), **others, **chart_files(plots, drawn)}
    return write_folder(contents, folder)


def chart_files(found: Sequence[Plot], drawn: Mapping[str, str]) -> dict[str, str | bytes]:
    """Every chart as SVG and PNG, by its name inside the report's folder."""
    files: dict[str, str | bytes] = {}
    for plot in found:
        files[f"{CHARTS}/{plot.name}.svg"] = drawn[plot.name]
        files[f"{CHARTS}/{plot.name}.png"] = png(drawn[plot.name])
    return files


def as_json(value: Value) -> str:
    """A record as a file."""
    return json.dumps(value.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"


def csv_cell(name: str) -> str:
    """A name as a cell that no spreadsheet takes for a formula."""
    line = clean_line(name)
    return f"'{line}" if line.startswith(_FORMULA) else line
