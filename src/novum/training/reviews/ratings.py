"""Parse ratings as reviewers give them: a number, a number with words, words alone, or no rating."""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

_NUMBER = re.compile(
    r"(?:(?:overall )?(?:rating|score|recommendation|assessment)\s*[:=–—-]?\s*|overall\s*[:=]\s*)?"
    r"(?P<value>\d{1,3}(?:\.\d{1,4}|,\d{1,2})?)"
    r"(?:\s*\(?(?:/|out of|of)\s*(?P<of>\d{1,3})\)?(?!\d|/))?"
    r"(?P<rest>[\s.]*$|\s*[:=(|\[\u2013\u2014-].*|\s*[,;]\s.*|/[^\d\s].*|\.?\s+[^\d\s].*)",
    re.IGNORECASE | re.DOTALL,
)
_RANGE = re.compile(r"\d[\d.]*\s*(?:-|–|—|to|or|and)\s*\d")
"""`3-4` is no rating: it could be either number."""
_BEHIND = re.compile(r"(?P<words>[a-z][a-z ,'-]{2,60}?)\s*[:(]\s*(?P<value>\d{1,3}(?:\.\d{1,3})?)\s*\)?", re.IGNORECASE)
"""`Weak reject (3)`."""
_NOTHING = frozenset({
    "", "n/a", "na", "n.a.", "none", "null", "nan", "-", "--", "?", "unknown", "not applicable", "not given",
    "no rating",
})  # fmt: skip
_NOT_GIVEN = re.compile(r"(?:n\s*/\s*a|not (?:given|rated|applicable|available))\b", re.IGNORECASE)
_WORDS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), scaled)
    for pattern, scaled in (
        (r"\bstrong(?:ly)? reject|\bclear(?:ly)? reject|\btrivial or wrong", 0.0),
        (r"\bweak(?:ly)? reject|\bborderline reject|\blean\w* (?:to )?reject|\b(?:marginally|slightly) below", 2 / 6),
        (r"\bweak(?:ly)? accept|\bborderline accept|\blean\w* (?:to )?accept|\b(?:marginally|slightly) above", 4 / 6),
        (r"\bstrong(?:ly)? accept|\bclear(?:ly)? accept|(?<!no )(?<!not )\baward", 1.0),
        (r"^borderline\b|^neutral\b|^undecided\b", 3 / 6),
        (r"^(?:good paper, )?accept(?:ed|ance)?\b|^good paper", 5 / 6),
        (r"^(?:not good enough, )?reject(?:ed|ion)?\b|\bnot good enough", 1 / 6),
    )
)  # fmt: skip
"""Seven steps from strong reject to strong accept; the first pattern that matches counts."""

RatingForm = Literal["number", "words", "nothing", "unreadable"]


@dataclass(frozen=True, slots=True)
class ParsedRating:
    """A parsed rating.

    `of`: largest possible value, if the rating states it. `scaled`: value from 0 to 1 of a rating in words.
    """

    form: RatingForm
    value: float | None = None
    of: float | None = None
    scaled: float | None = None


@functools.lru_cache(maxsize=10_000)
def parse_rating(raw: str) -> ParsedRating:
    """Parse a rating such as `8: Top 50%`, `3 (weak reject)`, `6.5`, `7/10`, `3.5 = Good`, `weak accept` or `N/A`."""
    text = " ".join((raw if raw.isascii() else unicodedata.normalize("NFKC", raw)).split())
    if text.lower() in _NOTHING or _NOT_GIVEN.match(text):
        return ParsedRating("nothing")
    match = None if _RANGE.match(text) else _NUMBER.fullmatch(text)
    if match:
        return ParsedRating(
            "number", float(match["value"].replace(",", ".")), float(match["of"]) if match["of"] else None
        )
    behind = _BEHIND.fullmatch(text)
    if behind and rating_of_words(behind["words"]) is not None:
        return ParsedRating("number", float(behind["value"]))
    scaled = rating_of_words(text)
    return ParsedRating("unreadable") if scaled is None else ParsedRating("words", scaled=scaled)


def rating_of_words(text: str) -> float | None:
    """The value from 0 to 1 of a recommendation in words; None if there is none."""
    words = text.replace("_", " ").strip()
    return next((scaled for pattern, scaled in _WORDS if pattern.search(words)), None)


def number_of_mark(raw: str) -> float | None:
    """The number of a mark such as `3 good` or `4: confident`; None if there is none."""
    return parse_rating(raw).value
