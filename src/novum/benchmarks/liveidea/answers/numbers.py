"""A score as judges write it: 7, 7.0, 7/10, seven, N/A. A whole number from 1 to 10 is one, as judges are asked for."""

from __future__ import annotations

import math
import re

from novum.benchmarks.liveidea.answers.outcome import MissingReason, ParsedValue

BEST = 10
WORST = 1
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

# What may follow a score: the end, a mark, a capital, or a word that shows that it was one. «3 novel parts» is none,
# nor is «3-fold».
_THEN = (
    r"(?!-[A-Za-z])(?=[^\S\n]{0,20}(?:\Z|\n|[^\sa-z0-9]"
    r"|(?:out\s+of|points?|and|because|since|but|(?i:originality|feasibility|clarity))\b))"
)
BARE = (
    r"(?:(?P<number>[+-]?\d{1,30}(?:[.,]\d{1,2})?)(?![\d½¼¾⅓⅔]|[.,]\d)"
    r"(?:\s{0,3}(?:/|(?i:out\s{1,3}of))\s{0,3}(?P<scale>\d{1,9})(?!\d))?"
    r"(?P<percent>\s?%)?+"
    r"(?P<range>\s{0,3}(?:[-–—~→]|[-=]>)\s{0,3}\d|\s{1,3}(?:to|or)\s{1,3}\d)?"
    rf"|(?P<word>(?i:{'|'.join(_WORDS)}))\b"
    r"|(?P<none>(?i:n\s?/\s?a|null|none|not\s+applicable|not\s+rated|unknown))(?![A-Za-z]))"
)
SCORE = BARE + _THEN
"""Regular expressions for one score, anywhere and in its place; `read_match` tells what a match of them says."""
_SCORE = re.compile(r"[\s\"'“‘„*_`(\[]{0,8}" + SCORE)


def read_match(found: re.Match[str]) -> ParsedValue:
    """The reading of a match of `SCORE` or `BARE`."""
    if found["none"]:
        return ParsedValue(None, MissingReason.DECLINED)
    if found["word"]:
        return ParsedValue(float(_WORDS.index(found["word"].lower()) + 1))
    if found["range"]:
        return ParsedValue(None, MissingReason.CONTRADICTORY)
    if found["percent"] or (found["scale"] and int(found["scale"]) != BEST):
        return ParsedValue(None, MissingReason.OTHER_SCALE)
    return _in_range(float(found["number"].replace(",", ".")))


def read_text(text: str) -> ParsedValue:
    """A score at the beginning of a short text, such as a string in JSON or a cell of a table."""
    found = _SCORE.match(text)
    return read_match(found) if found else ParsedValue(None, MissingReason.NOT_A_NUMBER)


def read_json(value: object) -> ParsedValue:
    """A score as a JSON value; null is a judge that gave none."""
    if value is None:
        return ParsedValue(None, MissingReason.DECLINED)
    if isinstance(value, str):
        return read_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ParsedValue(None, MissingReason.NOT_A_NUMBER)
    return _in_range(value)


def _in_range(number: float) -> ParsedValue:
    if isinstance(number, float) and math.isnan(number):  # whole numbers may be larger than any float
        return ParsedValue(None, MissingReason.NOT_A_NUMBER)
    if not WORST <= number <= BEST:
        return ParsedValue(None, MissingReason.OUT_OF_RANGE)
    return ParsedValue(float(number)) if number == int(number) else ParsedValue(None, MissingReason.NOT_WHOLE)
