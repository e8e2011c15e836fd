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
_NOT_LETTERS = re.compile(r"[^A-Za-z]")
_EMPHASIS = str.maketrans("", "", "*`_")


def read_grade(content: str, ideas: str = "") -> ParsedValue:
    """The value of the letter in one answer: A 10, B 7, C 4, D 1. `ideas`: what was judged, from which it may quote.

    A letter alone; else one after words that announce an answer, or alone in a line; else one that begins a line as in
    a list of options. Letters that differ in the same kind of place are no grade: one may be quoted from an idea. Nor
    is one in favour of the ideas that stands in them with its words or its line, nor are letters anywhere else.
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
        if found := [each for way in ways for each in way(text)]:
            quoted = {phrase for way in ways for _, phrase in way(_plain(ideas))}
            if any(phrase in quoted and GRADES[letter.upper()] >= PRAISE for letter, phrase in found):
                return ParsedValue(None, MissingReason.QUOTED)
            return agreed([_value(letter) for letter, _ in found])
    if refuses(text):
        return ParsedValue(None, MissingReason.REFUSED)
    return ParsedValue(None, MissingReason.NOT_GIVEN)


def _plain(content: str) -> str:
    return wording(content).translate(_EMPHASIS).strip()


Announcement = tuple[str, str]
"""A letter, and the words or the line with it, in small letters without spaces."""


def _announced(text: str) -> Iterator[Announcement]:
    for said in _SAID.finditer(text):
        after = _AFTER_SAID.match(text, said.end())
        if after and not (after["letter"] == "a" and _GOES_ON.match(text, after.end())):
            yield after["letter"], _condensed(said[0] + after["letter"])


def _alone_in_line(text: str) -> Iterator[Announcement]:
    for each in _ALONE_IN_LINE.finditer(text):
        yield each["letter"], f"alone {each['letter']}"


def _first_in_line(text: str) -> Iterator[Announcement]:
    for each in _FIRST_IN_LINE.finditer(text):
        yield each["letter"], _condensed(text[each.start() :].lstrip().partition("\n")[0])


def _condensed(text: str) -> str:
    return "".join(text.casefold().split())


def _value(letter: str) -> ParsedValue:
    return ParsedValue(GRADES[letter.upper()])


def grade_as_released(text: str) -> float | None:
    """The first letter of all: «Answer: B» is an A. None where that is no grade."""
    letters = _NOT_LETTERS.sub("", text).upper()
    return GRADES.get(letters[:1])
