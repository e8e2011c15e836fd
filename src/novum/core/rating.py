"""A rating of an idea by a person."""

from __future__ import annotations

from typing import ClassVar

from novum.core.record import Record


class Rating(Record):
    """One person's number for one criterion, on a stated scale."""

    id_prefix: ClassVar[str] = "rating"
    id_fields: ClassVar[tuple[str, ...]] = ("rater", "subject_id", "criterion", "value")

    rater: str
    subject_id: str
    criterion: str
    value: float
    low: float = 1
    high: float = 10
    comment: str = ""
