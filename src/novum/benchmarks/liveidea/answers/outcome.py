"""What came of reading an answer: a value, none for good, or none yet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LONGEST = 300_000
"""Characters of an answer that are read at all: reading takes time in proportion, and no judge needs so many."""


PRAISE = 6
"""From here a score speaks for an idea."""


class ReadStatus(StrEnum):
    """What to do with an answer."""

    VALUE = "value"
    MISSING = "missing"
    """It was a decision not to answer: asking again would only press the judge."""
    ASK_AGAIN = "ask again"


class MissingReason(StrEnum):
    """Why there is no value; empty where there is one."""

    READ = ""
    DECLINED = "said to be not applicable"
    REFUSED = "refused"
    EMPTY = "the answer is empty"
    TOO_LONG = "the answer is far too long"
    NOT_GIVEN = "not given in a form that can be read"
    NOT_A_NUMBER = "not a number"
    OUT_OF_RANGE = "not from 1 to 10"
    NOT_WHOLE = "not a whole number"
    OTHER_SCALE = "given on another scale than 1 to 10"
    CONTRADICTORY = "given more than once, differently"
    QUOTED = "given only where the judge may quote the idea"


_FOR_GOOD = frozenset({MissingReason.DECLINED, MissingReason.REFUSED})


@dataclass(frozen=True)
class ParsedValue:
    """One value read from an answer, or why there is none."""

    value: float | None
    why: MissingReason = MissingReason.READ

    @property
    def outcome(self) -> ReadStatus:
        """What to do now."""
        if self.value is not None:
            return ReadStatus.VALUE
        return ReadStatus.MISSING if self.why in _FOR_GOOD else ReadStatus.ASK_AGAIN


def agreed(readings: list[ParsedValue]) -> ParsedValue:
    """One reading of several of the same thing: said twice is as good as once, said differently is not said."""
    values = {each.value for each in readings if each.value is not None}
    if len(values) > 1:
        return ParsedValue(None, MissingReason.CONTRADICTORY)
    if values:
        return ParsedValue(values.pop())
    return readings[0] if readings else ParsedValue(None, MissingReason.NOT_GIVEN)
