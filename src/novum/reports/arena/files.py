"""The report on an arena on disk: a folder with the page, its numbers as data, ratings as a table, charts as files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.core.record import Value
from novum.errors import BadInput
from novum.reports.arena.agreement import ArenaAgreement
from novum.reports.arena.agreement_page import agreement_plots, render_agreement_page
from novum.reports.arena.page import render_arena_page
from novum.reports.arena.plots import plots
from novum.reports.arena.records import ArenaReport, Board, Standing
from novum.reports.foreign import clean_line
from novum.reports.liveidea.drawing import png, svg
from novum.reports.liveidea.plots import Plot
from novum.reports.writing import write_whole

CHARTS = "charts"
"""Folder of the charts, inside the report's."""
_FORMULA = tuple("=+-@\t\r")
"""What a cell must not begin with, lest a spreadsheet obeys it."""
_HEADS = (
    "kind", "entrant", "method", "criterion", "rank", "rank_low", "rank_high", "rating", "rating_low", "rating_high",
    "at_equal_length", "elo", "elo_spread", "points_percent", "won", "tied", "lost", "handed_in", "forfeits",
)  # fmt: skip


@dataclass(frozen=True)
class ArenaFiles:
    """Where a report was written."""

    html: Path
    json: Path
    others: tuple[Path, ...]


def write_arena_report(report: ArenaReport, folder: Path) -> ArenaFiles:
    """Write `report.html`, `report.json`, `ratings.csv` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    found = plots(report)
    drawn = {plot.name: svg(plot) for plot in found}
    return write_folder(
        {
            "report.html": render_arena_page(report, drawn),
            "report.json": as_json(report),
            "ratings.csv": ratings_csv(report),
            **chart_files(found, drawn),
        },
        folder,
    )


def write_agreement(study: ArenaAgreement, folder: Path) -> ArenaFiles:
    """Write `agreement.html`, `agreement.json` and the charts. Raises as above."""
    found = agreement_plots(study)
    drawn = {plot.name: svg(plot) for plot in found}
    page = render_agreement_page(study, drawn)
    return write_folder({"agreement.html": page, "agreement.json": as_json(study), **chart_files(found, drawn)}, folder)


def ratings_csv(report: ArenaReport) -> str:
    """One line for each kind, entrant and criterion, the average among them."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEADS)
    for board in report.boards:
        for standing in board.standings:
            writer.writerows(_lines(board, standing))
    return out.getvalue()


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


def write_folder(contents: Mapping[str, str | bytes], folder: Path) -> ArenaFiles:
    """Files by their names inside `folder`, page and data first. Raises BadInput where they cannot be written."""
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
    return ArenaFiles(html, data, tuple(others))


def _lines(board: Board, of: Standing) -> Iterator[list[object]]:
    who = [board.kind, _cell(of.entrant), _cell(of.method)]
    ratings = {"average": of.rating, **of.by_criterion}
    for name, each in ratings.items():
        average = name == "average"
        elo = of.elo if average else of.elo_by_criterion.get(name)
        points = of.points.get(name)
        yield [
            *who, name, each.rank, each.rank_low, each.rank_high,
            each.rating.value, each.rating.low, each.rating.high,
            of.at_equal_length.rating.value if average and of.at_equal_length else None,
            elo.rating if elo else None, elo.spread if elo else None,
            points.percent.value if points else None,
            each.won, each.tied, each.lost, of.handed_in, of.forfeits,
        ]  # fmt: skip


def _cell(name: str) -> str:
    line = clean_line(name)
    return f"'{line}" if line.startswith(_FORMULA) else line
