"""A judge's letter for two ideas of one keyword: A, B, C or D, and not the article or vitamin C."""

from __future__ import annotations

import re
from collections.abc import Iterator

from novum.benchmarks.liveidea.answers.outcome import LONGEST, PRAISE, MissingReason, ParsedValue, agreed
from novum.benchmarks.liveidea.answers.text import refuses, wording

GRADES = {"A": 10.0, "B": 7.0, "C": 4.0, "D": 1.0}
"""From completely different ideas to identical ones."""

_SHORT = 40
"""Characters, at most, of a letter alone with all its marks."""
_ALONE = re.compile(
    r"\W*(?:(?:option|grade|choice|category|letter|(?:(?:my|the)\s)?(?:final\s)?answer|final|it\sis|it['’]s)\b)?"
    r"\W*([A-D])\W*",
    re.IGNORECASE,
)
_NONE = frozenset({"n/a", "na", "none", "not applicable"})
_OFF_SCALE = re.compile(r"\s*[A-D]\s*(?:[+/-]\s*\S?|\?+)\s*|~~.*~~")
# A letter that is not the article: after it comes the end, a mark, or a word that gives the reason.
_LETTER = (
    r"(?:option\s{1,3}|grade\s{1,3})?[\"'(\[{]{0,3}(?P<letter>[A-D])(?![\w+/'’-])"
    r"(?=[^\w\s]|\s{0,3}(?:\Z|\n|[-–—(]|(?:because|since|as|for|but)\b))"
)
_SAID = re.compile(
    r"(?:\b(?:answer|choice|option|grade|verdict|rating|category|similarity|mine|correction)\b|答案|选择)"
    r"[\s\"'>]{0,4}(?:(?:would\s+be|is|are|was)\b|是|[:=>→-])[\s\"'{:]{0,4}(?:definitely\s|clearly\s)?"
    r"|\bdescribed\s(?:best\s)?(?:by|as)\s{1,3}"
    r"|\b(?:rate|grade|classify|mark)\s(?:\w{1,12}\s){0,4}as\s{1,3}"
    r"|\b(?:choose|select|pick|say|go\s+with|going\s+with|went\s+with|would\s+be|it['’]s|this\s+is|these\s+are)\s{1,3}"
    r"|\\boxed\s?\{\s?(?:\\text\s?\{)?",
    re.IGNORECASE,
)
_AFTER_SAID = re.compile(_LETTER, re.IGNORECASE)
_GOES_ON = re.compile(r"\s{1,3}(?!because\b|since\b)[-–—(\w]")
"""After a small «a»: it is the article, as in «this is a (nearly) new idea»."""
_FIRST_IN_LINE = re.compile(
    r"^[\s>#(\[-]{0,6}(?P<letter>[A-D])"
    r"(?:[.):]|\s{0,2}[-–—]\s|\s{0,2}$|(?<=[B-D])\s{1,2}\((?!or\b|maybe\b|perhaps\b|possibly\b|borderline\b)"
    r"|(?<=A)\s{1,2}\((?i:completely|entirely|nothing|other|different)\b)",
    re.MULTILINE,
)
_ALONE_IN_LINE = re.compile(r"^[\s>#(\[\"'-]{0,6}(?P<letter>[A-D])[.)\]\"']{0,2}\s{0,2}$", re.MULTILINE)
_LEADING = re.compile(
    r"[\s\"'(\[{>#-]{0,6}(?P<letter>[A-D])(?![\w+/'’-])(?=\W{0,6}(?:\Z|\n|[,;:.!(–—-]|(?:because|since|as|for|but|though|although)\b))"
)
"""The letter that an answer begins with, whatever follows."""
_GIVEN_BY_IDEA = re.compile(
    r"(?i:\b(?:answer|letter|choice|option|grade|verdict|rating|category)\b)[^\w\n]{0,4}(?:\w{1,8}[^\w\n]{1,4}){0,3}(?P<said>[A-D])(?!\w)"
    r"|(?<!\w)(?P<last>[A-D])\W{0,6}$",
    re.MULTILINE,
)
"""A letter that a judged text gives itself: after such a word, or at the end of a line."""
_NOT_LETTERS = re.compile(r"[^A-Za-z]")
_EMPHASIS = str.maketrans("", "", "*`_")


def read_grade(content: str, ideas: str = "") -> ParsedValue:
    """The value of the letter in one answer: A 10, B 7, C 4, D 1. `ideas`: what was judged, as the judge saw
    it, from which it may quote.

    A letter alone; else one after words that announce an answer, or alone in a line; else one that begins a line as in
    a list of options. Letters that differ in the same kind of place are no grade, nor is one that differs from the
    letter that the answer begins with: one may be quoted from an idea. Nor is one in favour of the ideas that they give
    themselves, beside other words, nor are letters anywhere else.
    """
    if len(content) > LONGEST:
        return ParsedValue(None, MissingReason.TOO_LONG)
    text = _plain(content)
    if not text:
        return ParsedValue(None, MissingReason.EMPTY)
    if text.casefold().rstrip(".") in _NONE:
        return ParsedValue(None, MissingReason.DECLINED)
    if len(text) <= _SHORT and _OFF_SCALE.fullmatch(text):
        return ParsedValue(None, MissingReason.NOT_GIVEN)
    if len(text) <= _SHORT and (alone := _ALONE.fullmatch(text)):
        return _value(alone[1])
    for ways in ((_announced, _alone_in_line), (_first_in_line,)):
        if found := {each for way in ways for each in way(text)}:
            if any(GRADES[letter] >= PRAISE for letter in found & _given_by(_plain(ideas))):
                return ParsedValue(None, MissingReason.QUOTED)
            return agreed([_value(letter) for letter in (*found, *_leading(text))])
    if refuses(text):
        return ParsedValue(None, MissingReason.REFUSED)
    return ParsedValue(None, MissingReason.NOT_GIVEN)


def _plain(content: str) -> str:
    return wording(content).translate(_EMPHASIS).strip()


def _announced(text: str) -> Iterator[str]:
    for said in _SAID.finditer(text):
        after = _AFTER_SAID.match(text, said.end())
        if after and not (after["letter"] == "a" and _GOES_ON.match(text, after.end())):
            yield after["letter"].upper()


def _alone_in_line(text: str) -> Iterator[str]:
    return (each["letter"] for each in _ALONE_IN_LINE.finditer(text))


def _first_in_line(text: str) -> Iterator[str]:
    return (each["letter"] for each in _FIRST_IN_LINE.finditer(text))


def _leading(text: str) -> Iterator[str]:
    """The letter at the beginning, unless a list of options begins there."""
    found = _LEADING.match(text)
    if found and len(set(_first_in_line(text))) < 2:
        yield found["letter"]


def _given_by(ideas: str) -> set[str]:
    """The letters that judged texts give themselves."""
    said = {each["said"] or each["last"] for each in _GIVEN_BY_IDEA.finditer(ideas)}
    return said.union(_announced(ideas), _alone_in_line(ideas), _first_in_line(ideas))


def _value(letter: str) -> ParsedValue:
    return ParsedValue(GRADES[letter.upper()])


def grade_as_released(text: str) -> float | None:
    """The first letter of all: «Answer: B» is an A. None where that is no grade."""
    letters = _NOT_LETTERS.sub("", text).upper()
    return GRADES.get(letters[:1])
