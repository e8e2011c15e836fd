"""Scores as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from novum.core.scorecard import Scorecard
from novum.idea_metrics.report.records import ScoredIdea
from novum.reports.folder import csv_cell


def scores_csv(ideas: Sequence[ScoredIdea]) -> str:
    """One line for each idea: the wholes, then each part raw and scaled; what is not known is empty."""
    parts = list(dict.fromkeys(name for each in ideas for name in each.card.parts))
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    columns = [column for name in parts for column in (name, f"{name}_scaled")]
    wholes = ["creativity", "creativity_published", "creativity_corrected", "satisfaction", "combined"]
    writer.writerow(["title", "topic", *wholes, *columns])
    for each in ideas:
        card = each.card
        named = [csv_cell(card.subject.title or card.subject.text[:200]), csv_cell(card.subject.topic)]
        writer.writerow([*named, *(card.of(name) for name in wholes), *_cells(card, parts)])
    return out.getvalue()


def _cells(card: Scorecard, parts: Sequence[str]) -> Iterator[float | None]:
    for name in parts:
        part = card.parts.get(name)
        yield part.raw if part else None
        yield part.scaled if part else None
