"""The marks of one judge for one idea, item by item of a rubric."""

from __future__ import annotations

from typing import ClassVar

from novum.core.record import Record, Value


class RubricMark(Value):
    """One item: whether it is satisfied, and the worst that can be said against it."""

    item: str
    satisfied: bool
    fault: str = ""


class RubricSheet(Record):
    """All items by one judge. A judge who gave no usable answer leaves `marks` empty and `failure` set."""

    id_prefix: ClassVar[str] = "sheet"
    id_fields: ClassVar[tuple[str, ...]] = ("idea_id", "judge", "marks", "failure")

    idea_id: str
    judge: str
    marks: tuple[RubricMark, ...] = ()
    failure: str = ""
