"""The line of a written review that gives its rating, such as `Rating: 0.56`: read it or remove it."""

from __future__ import annotations

import re

_RATING = re.compile(
    r"^[ \t#*`-]{0,9}(?:overall )?rating[ \t*`]{0,9}[:=：][ \t*`]{0,9}"
    # A whole number, or one with words behind it, may be of another scale: `1.0 (strong reject)`, `1.0 of 10`.
    r"(?P<rating>[01]\.\d{1,4})(?=[ \t*.`]{0,9}$)",
    re.IGNORECASE | re.MULTILINE,
)
_WITH_ITS_END = re.compile(rf"{_RATING.pattern}[ \t*.`]{{0,9}}\n?", re.IGNORECASE | re.MULTILINE)


def last_rating(text: str) -> float | None:
    """The rating of a review, 0 to 1; of several the last one. None where there is none."""
    ratings = all_ratings(text)
    return ratings[-1] if ratings and ratings[-1] <= 1 else None


def all_ratings(text: str) -> tuple[float, ...]:
    """The numbers on all such lines, in order. A number above 1 is not a rating."""
    return tuple(float(match["rating"]) for match in _RATING.finditer(text))


def without_ratings(text: str) -> str:
    """The text without rating lines; other text on such a line remains."""
    return _WITH_ITS_END.sub("", text).strip()
