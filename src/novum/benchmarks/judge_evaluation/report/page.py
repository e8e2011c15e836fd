"""The report of an evaluation of reviewers: one HTML page without scripts, and a folder of files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from novum.benchmarks.judge_evaluation.report import phrases as words
from novum.benchmarks.judge_evaluation.report.plots import plots
from novum.benchmarks.judge_evaluation.report.records import JudgeEvaluation, ReviewerResult
from novum.files.tables import csv_text
from novum.reports.charts.drawing import plot_images
from novum.reports.folder import ReportFiles, write_report_with_charts
from novum.reports.ideation import findings
from novum.reports.page import render_page
from novum.reports.sanitizing import clean_line
from novum.statistics.records import Estimate


def render_judge_evaluation_page(report: JudgeEvaluation, svgs: Mapping[str, str] | None = None) -> str:
    """One self-contained page. `svgs`: SVG files by plot name, for plots that are drawn already."""
    every = plots(report)
    return render_page(
        "judge_evaluation.html.j2",
        TEMPLATES,
        report=report,
        run=report.run,
        words=words,
        find=findings,
        plots=every,
        with_bases=any(each.rating.over_base.value is not None for each in report.standings),
        images=plot_images(every, svgs),
    )


TEMPLATES = Path(__file__).parent / "templates"
_FIGURES = ("reviewer", "kind", "figure", "value", "low", "high", "papers")
_PAPERS = ("paper", "title", "venue", "year", "accepted", "real_mean", "real_ratings", "reviewer", "rating", "ratings",
           "accept", "utility")  # fmt: skip


def write_judge_evaluation(report: JudgeEvaluation, folder: Path) -> ReportFiles:
    """Write `report.html`, `report.json`, `figures.csv`, `papers.csv` and `charts/*.svg|png` into `folder`.

    Each file is written atomically. Raises BadInput when the folder cannot be written.
    """
    tables = {
        "figures.csv": csv_text(_FIGURES, (row for each in report.standings for row in _figures(each))),
        "papers.csv": csv_text(_PAPERS, _papers(report)),
    }
    return write_report_with_charts(
        report, plots(report), partial(render_judge_evaluation_page, report), tables, folder
    )


def _figures(of: ReviewerResult) -> Iterator[list[object]]:
    parts = {"rating": of.rating, "decision": of.decision, "spread": of.spread}
    parts |= {"texts": of.texts} if of.texts else {}
    parts |= {"like real": of.texts.same, "like others": of.texts.other} if of.texts else {}
    parts |= {"preference": of.preference} if of.preference else {}
    for part, figures in parts.items():
        papers = getattr(figures, "papers", of.texts.papers if of.texts else None)
        for name, figure in figures:
            if isinstance(figure, Estimate) and figure.value is not None:
                values = (figure.value, figure.low, figure.high)
                yield [clean_line(of.name), of.kind, f"{part}: {name.replace('_', ' ')}", *values, papers]


def _papers(report: JudgeEvaluation) -> Iterator[list[object]]:
    for reviewer in report.run.reviewers:
        for paper, review in zip(report.run.papers, reviewer.reviews, strict=True):
            if review is not None:
                yield [
                    paper.id, clean_line(paper.title), clean_line(paper.venue), paper.year, _as_number(paper.accepted),
                    round(paper.mean, 4), _joined(paper.ratings), clean_line(reviewer.name), review.rating,
                    _joined(review.ratings), _as_number(review.accept), review.utility,
                ]  # fmt: skip


def _as_number(of: bool | None) -> int | None:
    return None if of is None else int(of)


def _joined(values: Sequence[float | None]) -> str:
    return ";".join("" if each is None else f"{each:.4g}" for each in values)
