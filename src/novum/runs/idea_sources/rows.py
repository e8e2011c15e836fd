"""One idea from a row of a table or from a text, with all that its source has of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from novum.core import Citation, Idea, Subject, shorten
from novum.files.tables import Row, text_of, words_of
from novum.idea_metrics.subject_rows import TEXT_COLUMNS, subject_of_row, subject_of_text
from novum.literature.store.storable import storable

NO_TEXT = f"none of the columns title, {', '.join(TEXT_COLUMNS)} has text"
_SUMMARIES = ("summary", "abstract", "text", "idea", "description")
_PARTS = ("title", "motivation", "novelty", "method")
_TITLE = 90
"""Characters of a title that is made from the text."""


@dataclass(frozen=True)
class SourcedIdea:
    """An idea as records, and as its source has it."""

    idea: Idea
    subject: Subject
    """The idea as formulas see it."""
    source: str
    """The run or file that it is from; `-` for standard input, empty for a text."""
    row: Row
    """All columns of its source, to be written again."""
    scores: Mapping[str, float]
    """The columns that hold a number."""


def idea_of_row(row: Row, source: str, topic: str = "") -> SourcedIdea | None:
    """The idea of a row with any of the usual columns; None where none of them has text. `topic`: of rows without one.

    Raises ValueError for a cell that cannot be read.
    """
    row = {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}
    subject = subject_of_row(row, topic)
    if subject is None:
        return None
    parts = {name: words_of(row, name) for name in _PARTS}
    idea = Idea(
        topic=subject.topic,
        summary=text_of(row, *_SUMMARIES),
        citations=_citations(row) or tuple(Citation(name=each, paper_id=each) for each in subject.references),
        generator=text_of(row, "generator"),
        **parts | {"title": parts["title"].strip() or _title(subject)},
    )
    numbers = {name: number for name, value in row.items() if (number := _number(value)) is not None}
    return SourcedIdea(idea, subject, source, row, numbers)


def idea_of_text(text: str, source: str, topic: str = "") -> SourcedIdea | None:
    """A text as an idea: its first line is the title if it is short and more follows. None for a blank text."""
    subject = subject_of_text(text, topic)
    if subject is None:
        return None
    row = {"topic": subject.topic, "title": _title(subject), "summary": subject.text}
    return SourcedIdea(Idea(motivation="", novelty="", method="", **row), subject, source, row, {})


def _title(subject: Subject) -> str:
    return subject.title or shorten(" ".join(subject.text.split()), _TITLE)


def _citations(row: Row) -> tuple[Citation, ...]:
    """The citations of a row that Novum wrote, in a CSV as JSON. Anything else is ignored."""
    cited: Any = row.get("citations")
    if isinstance(cited, str) and cited.lstrip().startswith("["):
        try:
            cited = json.loads(cited)
        except (ValueError, RecursionError):
            return ()
    if not isinstance(cited, list) or not all(isinstance(each, dict) and each.get("name") for each in cited):
        return ()
    return tuple(Citation.model_validate(each) for each in cited)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value) if not isinstance(value, str) or len(value) <= 40 else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
