"""One number about one subject."""

from __future__ import annotations

from typing import ClassVar

from novum.core.record import Record


class Score(Record):
    """A value of a metric. None means that there was no usable answer; `reason` says why, and means leave it out."""

    id_prefix: ClassVar[str] = "score"
    id_fields: ClassVar[tuple[str, ...]] = ("subject_id", "metric", "judge", "value")

    subject_id: str
    metric: str
    value: float | None
    reason: str = ""
    judge: str = ""
    """The model or formula that computed it."""
