"""The page of a study: what each phase changed, and all phases side by side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from novum.reports.folder import ReportFiles
from novum.reports.phrases import duration
from novum.training.ideas.study import PhaseTraining, Study
from novum.training.report import rounds as of_rounds
from novum.training.report.comparison import headline, sections_of
from novum.training.report.tables import Section, TablesReport, write_tables

HEADS = ("phase", "its own held-out measure", "before", "after", "accuracy before", "accuracy after", "steps", "time")


def rows(study: Study) -> list[tuple[str, ...]]:
    """One row a phase."""
    return [_row(each) for each in study.trainings]


def _row(each: PhaseTraining) -> tuple[str, ...]:
    return (
        each.phase, each.measure, of_rounds.number(each.before), of_rounds.number(each.after),
        of_rounds.number(each.accuracy_before, 2), of_rounds.number(each.accuracy_after, 2), f"{each.steps:,}",
        duration(each.seconds),
    )  # fmt: skip


def write_study(study: Study, folder: Path) -> ReportFiles:
    """Writes the page, its data and its plots. Raises BadInput when they cannot be written."""
    caution = of_rounds.DEMONSTRATION if study.task.recipe == "cpu" and not study.task.base else ""
    page = TablesReport("Idea models in three phases", headline(study.phases), tuple(_sections(study)), caution)
    return write_tables(page, folder)


def _sections(study: Study) -> Iterator[Section]:
    yield Section(
        "What each phase changed",
        (
            "Each phase is measured by what it trains on, on texts, pairs or topics that it did not see: loss of later "
            "papers in nats per token; loss and accuracy on held-out pairs; the objective on held-out topics.",
        ),
        HEADS,
        rows(study),
    )
    for section in sections_of(study.phases):
        title = "All phases on topics that phase 3 never saw" if section.title == "Models" else section.title
        yield Section(title, section.text, section.heads, section.rows, section.plots)
    yield Section(
        "Rounds of phase 3", (of_rounds.headline(study.rounds),), of_rounds.HEADS, of_rounds.rows(study.rounds)
    )
    yield Section("Data of phase 1", (), ("split", "papers", "topics", "years"), [
        (each.name, f"{each.rows:,}", f"{each.topics:,}", f"{each.first_year} to {each.last_year}")
        for each in study.data.splits
    ])  # fmt: skip
