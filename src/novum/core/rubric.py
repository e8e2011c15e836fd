"""One judge's marks of one idea, for each item of a rubric."""

from __future__ import annotations

from typing import ClassVar

from novum.core.record import Record, Value


class RubricMark(Value):
    """The mark of one item: whether it is satisfied, and the worst objection."""

    item: str
    satisfied: bool
    fault: str = ""


class RubricSheet(Record):
    """All items by one judge. Without a usable answer, `marks` is empty and `failure` says why."""

    id_prefix: ClassVar[str] = "sheet"
    id_fields: ClassVar[tuple[str, ...]] = ("idea_id", "judge", "marks", "failure")

    idea_id: str
    judge: str
    marks: tuple[RubricMark, ...] = ()
    failure: str = ""
