"""One comparison of two ideas by one judge."""

from __future__ import annotations

from typing import ClassVar, Literal

from novum.core.record import Record, Value

Outcome = Literal["first", "second", "tie"]


class Verdict(Value):
    """One judge's decision on one criterion, with its reason."""

    criterion: str
    outcome: Outcome
    reason: str = ""


class Match(Record):
    """One comparison by one judge, in one order. Without a usable answer, `verdicts` is empty and `failure` says
    why."""

    id_prefix: ClassVar[str] = "match"
    id_fields: ClassVar[tuple[str, ...]] = ("first_id", "second_id", "judge", "verdicts", "failure")

    first_id: str
    second_id: str
    judge: str
    verdicts: tuple[Verdict, ...] = ()
    failure: str = ""
