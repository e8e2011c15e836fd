"""The line on which a written report gives its rating, `Rating: 0.56`: read, and taken out."""

from __future__ import annotations

import re

_RATING = re.compile(
    r"^[ \t#*]{0,9}rating[ \t*]{0,9}[:=][ \t*]{0,9}(?P<rating>[01](?:\.\d{1,4})?)(?!\d|\.\d|[ \t]*/)",
    re.IGNORECASE | re.MULTILINE,
)
_WITH_ITS_END = re.compile(rf"{_RATING.pattern}[ \t*.]{{0,9}}\n?", re.IGNORECASE | re.MULTILINE)


def last_rating(text: str) -> float | None:
    """The rating that a review in this form gives, 0 to 1: of several the last. None where there is none."""
    found = all_ratings(text)
    return found[-1] if found and found[-1] <= 1 else None


def all_ratings(text: str) -> tuple[float, ...]:
    """Every number on such a line, in their order; one above 1 is no rating."""
    return tuple(float(match["rating"]) for match in _RATING.finditer(text))


def without_ratings(text: str) -> str:
    """The text without rating lines; other text on such a line remains."""
    return _WITH_ITS_END.sub("", text).strip()
