"""A review of an idea or an experiment plan."""

from __future__ import annotations

from typing import ClassVar

from novum.core.record import Record
from novum.core.score import Score


class Review(Record):
    """Strengths, weaknesses and suggestions; scores and a decision where the form has them."""

    id_prefix: ClassVar[str] = "review"
    id_fields: ClassVar[tuple[str, ...]] = ("subject_id", "reviewer", "strengths", "weaknesses", "suggestions")

    subject_id: str
    reviewer: str
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    search_query: str = ""
    """A search that the reviewer requests before the next draft; empty: none."""
    scores: tuple[Score, ...] = ()
    accept: bool | None = None
