"""The report on an arena as one HTML page without outside resources, and as a folder of files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from novum.benchmarks.arena.report import phrases as words
from novum.benchmarks.arena.report.comparisons_by_topic import PAGE_LIMIT, topic_views
from novum.benchmarks.arena.report.plots import board_plots, plots
from novum.benchmarks.arena.report.records import ArenaReport, ComparisonReport, RatedEntrant
from novum.files.tables import csv_text
from novum.reports.charts.drawing import plot_images, script_hash
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.page import asset, render_page
from novum.reports.sanitizing import clean_line

TEMPLATES = Path(__file__).parent / "templates"
_HEADS = (
    "kind", "entrant", "method", "criterion", "rank", "rank_low", "rank_high", "rating", "rating_low", "rating_high",
    "at_equal_length", "elo", "elo_spread", "points_percent", "won", "tied", "lost", "handed_in", "forfeits",
)  # fmt: skip


def write_arena_report(report: ArenaReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `ratings.csv` and `charts/*.svg|png` into `folder`, each file atomically.

    Raises BadInput when the folder cannot be written.
    """
    tables = {"ratings.csv": ratings_csv(report)}
    return write_report_with_charts(report, plots(report), partial(render_arena_page, report), tables, folder)


def render_arena_page(report: ArenaReport, svgs: Mapping[str, str] | None = None, limit: int = PAGE_LIMIT) -> str:
    """One self-contained page, readable without its one script, which the security policy allows by its hash.

    `svgs`: SVG files by plot name, for plots that are drawn already. `limit`: approximate number of characters of
    ideas and verdicts; the page refers to the data for the rest.
    """
    script = asset("arena.js", TEMPLATES) + asset("sort_tables.js")  # in this order: see the end of the first
    context = page_context(report, svgs, limit)
    return render_page("arena.html.j2", TEMPLATES, **context, script=script, allowed=script_hash(script))


def page_context(report: ArenaReport, svgs: Mapping[str, str] | None = None, limit: int = PAGE_LIMIT) -> dict[str, Any]:
    """What the templates of the page need to know; other pages that include them give them the same."""
    sections = {board.kind: list(board_plots(board)) for board in report.boards}
    return {
        "report": report, "run": report.run, "topics": topic_views(report.run, limit), "words": words,
        "plots_of": sections, "images": plot_images((plot for plots in sections.values() for plot in plots), svgs),
    }  # fmt: skip


def ratings_csv(report: ArenaReport) -> str:
    """One line for each kind, entrant and criterion, including the average over criteria."""
    standings = ((board, standing) for board in report.boards for standing in board.standings)
    return csv_text(_HEADS, (line for each in standings for line in _lines(*each)))


def _lines(board: ComparisonReport, of: RatedEntrant) -> Iterator[list[object]]:
    who = [board.kind, clean_line(of.entrant), clean_line(of.method)]
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
