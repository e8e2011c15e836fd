"""Scores as a table for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novum.core.scorecard import Scorecard
from novum.files.tables import csv_text
from novum.idea_metrics.report.records import ScoredIdea
from novum.reports.folder import csv_cell


def scores_csv(ideas: Sequence[ScoredIdea]) -> str:
    """One line for each idea: the wholes, then each part raw and scaled; what is not known is empty."""
    parts = list(dict.fromkeys(name for each in ideas for name in each.card.parts))
    columns = [column for name in parts for column in (name, f"{name}_scaled")]
    wholes = ["creativity", "creativity_published", "creativity_corrected", "satisfaction", "combined"]
    return csv_text(["title", "topic", *wholes, *columns], (_row(each.card, wholes, parts) for each in ideas))


def _row(card: Scorecard, wholes: Sequence[str], parts: Sequence[str]) -> Iterator[object]:
    yield csv_cell(card.subject.title or card.subject.text[:200])
    yield csv_cell(card.subject.topic)
    yield from (card.of(name) for name in wholes)
    yield from _cells(card, parts)


def _cells(card: Scorecard, parts: Sequence[str]) -> Iterator[float | None]:
    for name in parts:
        part = card.parts.get(name)
        yield part.raw if part else None
        yield part.scaled if part else None
