"""Reports on disk: a folder with the page, its numbers as data, and every chart as SVG and PNG."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.core.liveidea import FLUENCY, IDEA_DIMENSIONS
from novum.core.record import Value
from novum.errors import BadInput
from novum.reports.foreign import clean_line
from novum.reports.liveidea import words
from novum.reports.liveidea.agreement import (
    AgreementStudy,
    agreement_plots,
    render_agreement,
    render_agreement_page,
)
from novum.reports.liveidea.charts.scores import DIMENSIONS
from novum.reports.liveidea.drawing import interactive_page, png, svg
from novum.reports.liveidea.page import render_liveidea_page
from novum.reports.liveidea.plots import Plot, plots
from novum.reports.liveidea.records import LiveIdeaReport
from novum.reports.writing import write_whole

CHARTS = "charts"
"""Folder of the charts, inside the report's."""
_FORMULA = tuple("=+-@\t\r")
"""What a cell must not begin with, lest a spreadsheet obeys it."""


@dataclass(frozen=True)
class LiveIdeaFiles:
    """Where a report was written."""

    html: Path
    json: Path
    others: tuple[Path, ...]


def write_liveidea_report(report: LiveIdeaReport, folder: Path) -> LiveIdeaFiles:
    """Write `report.html`, `report.json`, `leaderboard.csv`, `charts.html` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    found = plots(report)
    drawn = {plot.name: svg(plot) for plot in found}
    contents: dict[str, str | bytes] = {
        "report.html": render_liveidea_page(report, drawn),
        "report.json": _json(report),
        "leaderboard.csv": leaderboard_csv(report),
        "charts.html": interactive_page(found, f"LiveIdeaBench: {clean_line(report.run.name, 80)}"),
        **_charts(found, drawn),
    }
    return _written(contents, folder)


def write_agreement(study: AgreementStudy, folder: Path) -> LiveIdeaFiles:
    """Write `agreement.html`, `agreement.md`, `agreement.json` and the scatter plots. Raises as above."""
    found = agreement_plots(study)
    contents: dict[str, str | bytes] = {
        "agreement.html": render_agreement_page(study),
        "agreement.json": _json(study),
        "agreement.md": render_agreement(study),
        **_charts(found, {plot.name: svg(plot) for plot in found}),
    }
    return _written(contents, folder)


def leaderboard_csv(report: LiveIdeaReport) -> str:
    """One line a model: each score with its bounds, the corrected average, keywords, missing scores in all and of each
    dimension, and the distance between its ideas.
    """
    names = (*DIMENSIONS, "flexibility_by_rows", "average")
    bounds = [f"{name}{part}" for name in names for part in ("", "_low", "_high")]
    lacking = {f"{name}_missing": name for name in (*IDEA_DIMENSIONS, FLUENCY)}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["model", *bounds, "average_without_severity", "keywords", "missing", "distinctness", *lacking])
    apart = {each.model: each.distinctness for each in report.distinctness.models} if report.distinctness else {}
    for plain, corrected in zip(report.leaderboard, report.corrected, strict=True):
        cells = [getattr(getattr(plain, name), part) for name in names for part in ("value", "low", "high")]
        rest = corrected.average.value, plain.keywords, words.missing(plain), apart.get(plain.model)
        missing = (plain.judgements[name].missing for name in lacking.values())
        writer.writerow([_cell(plain.model), *cells, *rest, *missing])
    return out.getvalue()


def _cell(name: str) -> str:
    line = clean_line(name)
    return f"'{line}" if line.startswith(_FORMULA) else line


def _charts(found: Sequence[Plot], drawn: Mapping[str, str]) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {}
    for plot in found:
        files[f"{CHARTS}/{plot.name}.svg"] = drawn[plot.name]
        files[f"{CHARTS}/{plot.name}.png"] = png(drawn[plot.name])
    return files


def _json(value: Value) -> str:
    return json.dumps(value.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def _written(contents: Mapping[str, str | bytes], folder: Path) -> LiveIdeaFiles:
    paths = {folder / name: content for name, content in contents.items()}
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(paths)
    except OSError as error:
        raise BadInput(
            f"The report cannot be written to {folder}: {error.strerror or error}. Free some space or name another "
            "folder by --out, and run the same command again: no model is asked for it."
        ) from error
    html, data, *others = paths
    return LiveIdeaFiles(html, data, tuple(others))
