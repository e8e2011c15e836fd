"""The parts of a report that a reviewer wrote as prose: what it says for the work, and what against it, point by point.

It goes by the headings and lists that review forms share, and by nothing else: sentences are not judged by their words.
A report without such headings has no points here; its text says what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from novum.core.text import normal_title

ReportSection = Literal[
    "summary", "strengths", "weaknesses", "limitations", "questions", "suggestions", "both", "other"
]
AGAINST: tuple[ReportSection, ...] = ("weaknesses", "limitations", "questions", "suggestions")
"""Where a report tells what is wrong, open or to be changed, in this order."""
_LONGEST_HEADING = 70
_BEFORE = (
    r"(?:(?:main|major|minor|key|potential|possible|paper|other|further|additional|general|overall|some|specific|detailed|the"
    r"|brief|short|technical|my|list of|and|summary of(?: the)?) )*"
)
_BEHIND = r"(?: (?:of|for|to|in|with|about|on|and) [a-z ]{1,50})?"
_GOOD = r"(?:stren(?:g?th|gth|ght)(?:e?s|ness)?|pros|positives?|advantages?|merits)"
_BAD = r"(?:we[ae]k(?:ness|enss|nes)(?:e?s)?|cons|negatives?|disadvantages?)"
_NAMES: tuple[tuple[ReportSection, str], ...] = (
    ("both", rf"{_BEFORE}{_GOOD}(?: and| or| vs| versus)? {_BAD}{_BEHIND}"),
    ("other", r"summary of (?:the |this |my )?(?:review|evaluation|discussion|recommendation)|overall|conclusions?"),
    ("strengths", rf"{_BEFORE}(?:{_GOOD}|positive (?:aspects|points|sides)|strong points|reasons to accept){_BEHIND}"),
    ("weaknesses", rf"{_BEFORE}(?:{_BAD}|(?:negative|weak) (?:aspects|points|sides)|drawbacks|shortcomings|concerns?"
                   rf"|issues?|problems?|criticisms?|reasons to reject){_BEHIND}"),
    ("limitations", rf"{_BEFORE}limitations?{_BEHIND}"),
    ("questions", rf"{_BEFORE}questions?{_BEHIND}"),
    ("suggestions", rf"{_BEFORE}(?:suggestions?|improvements?|comments?|remarks|points|what to improve){_BEHIND}"),
    ("other", r"soundness|presentation|contribution|rating|score|confidence|recommendation|decision|verdict|typos?"
              r"|references?|refs?|bibliography|post rebuttal|(?:flag for )?ethics [a-z ]{1,40}"
              r"|(?:justification|final) [a-z ]{1,40}"),
    ("summary", rf"{_BEFORE}(?:summary|overview|synopsis){_BEHIND}"),
)  # fmt: skip
_HEADINGS = tuple((part, re.compile(pattern)) for part, pattern in _NAMES)
_BOLD = re.compile(
    r"\s*#{0,6}\s*(?:[-•]\s+)?(\*\*\*?|__)(?P<name>[^*_\n]{2,70}?)\s*[:.]?\s*\1\s*[:.–-]?\s*(?P<rest>.*)"
)
_MARKS = " \t#*_>•+–-0123456789.():"
_BULLET = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>[-*•‣◦·+–—]|\(?\d{1,2}[.):]|\(?[a-z][.)]|\[?[SWQL]\d{1,2}\]?[.):]?|\([+-]\))"
    r"(?:[ \t]+|(?=[A-Z\"“*]))(?P<said>.*)"
)
_CITED = re.compile(r"\W{0,3}\[\d{1,2}\]")
_MOST_DEEPER = 1
"""Blanks further in than the first point of a list: what is more is a list inside a point."""
_NOTHING = re.compile(
    r"\S+|n a|not (?:applicable|really|relevant|necessary)|(?:none|nothing)(?: [a-z]+){0,5}"
    r"|(?:i have |i see |there (?:is|are) )?no(?: (?:further|other|more|additional|major|specific|particular|obvious"
    r"|potential|significant|notable|clear))* (?:questions?|limitations?|comments?|concerns?|suggestions?|issues?"
    r"|weakness(?:es)?|negative [a-z ]{0,20}impacts?)(?!.* (?:discuss|mention|provid|address|stat|giv|describ))"
    r"(?: [a-z]+){0,8}"
)
_ELSEWHERE = re.compile(
    r"\b(?:see|refer|listed|mentioned|raised|stated|described|discussed|same as|as in|in)\b.{0,40}"
    r"\b(?:above|below|weakness(?:es)?|questions?|strengths?|limitations?|sections?|previous|part)\b"
)
_SHORT_REFERENCE = 16
"""Words: what is longer says something itself."""
_GRANTED = re.compile(r"\b(?:addressed|discussed|acknowledged|mentioned|stated|described|provided|covered|included)\b")
_BUT = re.compile(
    r"\b(?:but|however|although|though|not|nt|should|could|would|more|lacks?|only|yet|while|except|unclear)\b"
)


@dataclass(frozen=True)
class ReviewParts:
    """The parts of a review, as far as its form shows them."""

    summary: str
    strengths: tuple[str, ...]
    against: tuple[str, ...]
    """Weaknesses, limitations, questions and suggestions, in this order."""
    undivided: bool
    """Some of it speaks for and against without telling which is which, or it has no headings at all."""


def review_parts(text: str) -> ReviewParts:
    """Any text has parts, if only none."""
    sections = list(_sections(text))
    points: dict[ReportSection, list[str]] = {}
    undivided = not any(part not in {None, "other"} for part, _ in sections)
    for part, lines in sections:
        if part == "both":
            good, bad = _by_their_marks(lines)
            points.setdefault("strengths", []).extend(good)
            points.setdefault("weaknesses", []).extend(bad)
            undivided |= not good and not bad and any(map(str.strip, lines))
        elif part == "strengths" or part in AGAINST:
            points.setdefault(part, []).extend(each for each in points_in(lines) if not is_empty_remark(each, part))
    summary = [line for part, lines in sections if part == "summary" for line in lines]
    opening = [line for part, lines in sections[:1] if part is None and not undivided for line in lines]
    return ReviewParts(
        summary=" ".join(" ".join(summary or opening).split()),
        strengths=tuple(dict.fromkeys(points.get("strengths", ()))),
        against=tuple(dict.fromkeys(each for part in AGAINST for each in points.get(part, ()))),
        undivided=undivided,
    )


def _sections(text: str) -> Iterator[tuple[ReportSection | None, list[str]]]:
    """Headings with the lines below them; None is what stands before the first."""
    part: ReportSection | None = None
    lines: list[str] = []
    for line in text.split("\n"):
        opened, rest = _heading(line)
        if opened is None:
            lines.append(line)
            continue
        if part or any(map(str.strip, lines)):
            yield part, lines
        part, lines = opened, [rest] if rest else []
    yield part, lines


def _heading(line: str) -> tuple[ReportSection | None, str]:
    """The part that a line opens, and what it says of it at once."""
    bold = _BOLD.match(line) if "**" in line or "__" in line else None
    head, _, rest = line.partition(":")
    name, rest = (bold["name"], bold["rest"]) if bold else (head, rest)
    if len(name) > _LONGEST_HEADING or not (name := normal_title(name.strip(_MARKS))):
        return None, ""
    part = next((part for part, pattern in _HEADINGS if pattern.fullmatch(name)), None)
    return part, rest.strip(" \t*_") if part else ""


def points_in(lines: list[str]) -> Iterator[str]:
    """The items of a list; of a text without one its paragraphs, or its lines where it has no paragraphs."""
    bullets = [_BULLET.match(line) for line in lines]
    marks = [each for each in bullets if each]
    if not marks:
        blocks = [" ".join(block) for blank, block in groupby(lines, lambda line: not line.strip()) if not blank]
        yield from _one_line_each(lines if len(blocks) < 2 else blocks)
        return
    outer = len(marks[0]["indent"]) + _MOST_DEEPER
    items: list[list[str]] = [[]]
    for line, mark in zip(lines, bullets, strict=True):
        if mark and len(mark["indent"]) <= outer:
            items.append([mark["said"]])
        else:
            items[-1].append(mark["said"] if mark else line)
    yield from _one_line_each(" ".join(item) for item in items)


def _one_line_each(items: Iterator[str] | list[str]) -> Iterator[str]:
    """Each on one line, without marks around it; what only introduces others, or names a reference, is left out."""
    for item in items:
        text = " ".join(item.replace("**", "").split()).strip("*_#- ")
        if normal_title(text) and not text.endswith(":") and not _CITED.match(text):
            yield text


def _by_their_marks(lines: list[str]) -> tuple[list[str], list[str]]:
    """Points of a list that tells by + and -, or by S1 and W1, which of them speak for the work."""
    points = [(match["mark"].strip("()[].:"), match["said"]) for line in lines if (match := _BULLET.match(line))]
    good = [text for mark, text in points if mark[:1] in {"+", "S"}]
    bad = [text for mark, text in points if mark[:1] in {"-", "–", "W"}]
    return (list(_one_line_each(good)), list(_one_line_each(bad))) if good and bad else ([], [])


def is_empty_remark(point: str, part: ReportSection) -> bool:
    """Whether a point says nothing: `N/A`, `see above`, or that limitations are discussed."""
    plain = normal_title(point)
    words = len(plain.split())
    if _NOTHING.fullmatch(plain) or (words <= _SHORT_REFERENCE and _ELSEWHERE.search(plain)):
        return True
    return part == "limitations" and bool(_GRANTED.search(plain)) and not _BUT.search(plain)
