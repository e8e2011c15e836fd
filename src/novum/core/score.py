"""One number about one thing."""

from __future__ import annotations

from typing import ClassVar

from novum.core.record import Record


class Score(Record):
    """`value is None`: we asked and got no usable answer; `reason` says why, and it is never averaged in."""

    id_prefix: ClassVar[str] = "score"
    id_fields: ClassVar[tuple[str, ...]] = ("subject_id", "metric", "judge", "value")

    subject_id: str
    metric: str
    value: float | None
    reason: str = ""
    judge: str = ""
    """Model or formula that gave it."""
