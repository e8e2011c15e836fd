"""The report on disk: a folder with the page, the data, every figure and every paper as tables, and the plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from novum.benchmarks.judge_evaluation.report.page import render_judge_evaluation_page
from novum.benchmarks.judge_evaluation.report.plots import plots
from novum.benchmarks.judge_evaluation.report.records import JudgeEvaluation, ReviewerResult
from novum.files.tables import csv_text
from novum.reports.folder import ReportFiles, csv_cell, write_charted
from novum.statistics.estimate import Estimate

_FIGURES = ("reviewer", "kind", "figure", "value", "low", "high", "papers")
_PAPERS = ("paper", "title", "venue", "year", "accepted", "real_mean", "real_ratings", "reviewer", "rating", "ratings",
           "accept", "utility")  # fmt: skip


def write_judge_evaluation(report: JudgeEvaluation, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `figures.csv`, `papers.csv` and `charts/*.svg|png` into `folder`.

    Each file appears whole under its name or not at all. Raises BadInput when the folder cannot be written.
    """
    tables = {
        "figures.csv": csv_text(_FIGURES, (row for each in report.standings for row in _figures(each))),
        "papers.csv": csv_text(_PAPERS, _papers(report)),
    }
    return write_charted(report, plots(report), partial(render_judge_evaluation_page, report), tables, folder)


def _figures(of: ReviewerResult) -> Iterator[list[object]]:
    parts = {"rating": of.rating, "decision": of.decision, "spread": of.spread}
    parts |= {"texts": of.texts} if of.texts else {}
    parts |= {"like real": of.texts.same, "like others": of.texts.other} if of.texts else {}
    parts |= {"preference": of.preference} if of.preference else {}
    for part, figures in parts.items():
        papers = getattr(figures, "papers", of.texts.papers if of.texts else None)
        for name, figure in figures:
            if isinstance(figure, Estimate) and figure.value is not None:
                told = (figure.value, figure.low, figure.high)
                yield [csv_cell(of.name), of.kind, f"{part}: {name.replace('_', ' ')}", *told, papers]


def _papers(report: JudgeEvaluation) -> Iterator[list[object]]:
    for reviewer in report.run.reviewers:
        for paper, review in zip(report.run.papers, reviewer.reviews, strict=True):
            if review is not None:
                yield [
                    paper.id, csv_cell(paper.title), csv_cell(paper.venue), paper.year, _as_number(paper.accepted),
                    round(paper.mean, 4), _joined(paper.ratings), csv_cell(reviewer.name), review.rating,
                    _joined(review.ratings), _as_number(review.accept), review.utility,
                ]  # fmt: skip


def _as_number(of: bool | None) -> int | None:
    return None if of is None else int(of)


def _joined(values: Sequence[float | None]) -> str:
    return ";".join("" if each is None else f"{each:.4g}" for each in values)
