"""The report on an arena on disk: a folder with the page, its numbers as data, ratings as a table, charts as files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from novum.benchmarks.arena.report.agreement import ArenaAgreement
from novum.benchmarks.arena.report.agreement_page import agreement_plots, render_agreement_page
from novum.benchmarks.arena.report.page import render_arena_page
from novum.benchmarks.arena.report.plots import plots
from novum.benchmarks.arena.report.records import ArenaReport, Board, RatedEntrant
from novum.reports.folder import ReportFiles, csv_cell, csv_table, write_charted

_HEADS = (
    "kind", "entrant", "method", "criterion", "rank", "rank_low", "rank_high", "rating", "rating_low", "rating_high",
    "at_equal_length", "elo", "elo_spread", "points_percent", "won", "tied", "lost", "handed_in", "forfeits",
)  # fmt: skip


def write_arena_report(report: ArenaReport, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `ratings.csv` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    tables = {"ratings.csv": ratings_csv(report)}
    return write_charted(report, plots(report), partial(render_arena_page, report), tables, folder)


def write_agreement(study: ArenaAgreement, folder: Path) -> ReportFiles:
    """Write `agreement.html`, `agreement.json` and the charts. Raises as above."""
    page = partial(render_agreement_page, study)
    return write_charted(study, agreement_plots(study), page, {}, folder, name="agreement")


def ratings_csv(report: ArenaReport) -> str:
    """One line for each kind, entrant and criterion, the average among them."""
    standings = ((board, standing) for board in report.boards for standing in board.standings)
    return csv_table(_HEADS, (line for each in standings for line in _lines(*each)))


def _lines(board: Board, of: RatedEntrant) -> Iterator[list[object]]:
    who = [board.kind, csv_cell(of.entrant), csv_cell(of.method)]
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
