"""Does a text tell how well something worked, or how it was built? Rules that find results, figures of performance and
implementation details in what should be an idea alone.

A rule points at words. Numbers that only name things are none of its business: years, `3D`, `GPT-4`, `ResNet-50`,
`two-stage`, `CIFAR-10`. Nor is what a text says of the work of others before it says its own: that existing methods are
state of the art, or fail. Proofs and bounds are claims of the idea, and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from novum.training.reviews.leak_rules import (
    DIGIT,
    EXCUSED,
    MAY_BE_EXCUSED,
    OF_OTHERS,
    OURS,
    PROOFS,
    RULES,
    TRIALS,
    LeakKind,
    Rule,
)

_BEFORE = 90
"""Characters before a finding in which it may be denied, or said of others."""
_LONGEST_SENTENCE = 2_000
"""Characters; of one that never ends, pieces of this length are looked at."""
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!et al\.)(?<!vs\.)(?<!cf\.)(?<!Fig\.)(?<!Eq\.)(?<!Sec\.)(?<!resp\.)"
    r"(?<!approx\.)"
    r"[\"”')\]]?\s+(?=[A-Z0-9\"“'(\[$*\\-])|\n+"
)


@dataclass(frozen=True, slots=True)
class Leak:
    """Words that tell a result or how something was built, and where they stand in the text."""

    kind: LeakKind
    words: str
    start: int
    end: int


def leaks_in(text: str) -> tuple[Leak, ...]:
    """Every leak that a rule finds, in the order of the text, one of a kind for each stretch of words."""
    lowered = lower(text)
    found = [leak for start, end in sentence_spans(text) for leak in _leaks_of(text, lowered, start, end)]
    return tuple(_without_overlaps(sorted(found, key=lambda leak: (leak.start, -leak.end))))


def leaks_anything(sentence: str) -> bool:
    """Whether one sentence has a leak: the first is enough."""
    return next(_leaks_of(sentence, lower(sentence), 0, len(sentence)), None) is not None


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where sentences, and lines of a list, begin and end."""
    start = 0
    for gap in _SENTENCE_END.finditer(text):
        if gap.start() > start:
            yield start, gap.start()
        start = gap.end()
    if start < len(text):
        yield start, len(text)


def lower(text: str) -> str:
    """Lower case, character by character: places stay what they are also where a lower form is longer."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _leaks_of(text: str, lowered: str, start: int, end: int) -> Iterator[Leak]:
    """Those of one sentence."""
    for begin in range(start, end, _LONGEST_SENTENCE):
        piece = lowered[begin : min(begin + _LONGEST_SENTENCE, end)]
        digits = any(map(str.isdecimal, piece))
        for rule in RULES:
            if not _may_fit(rule, piece, digits=digits):
                continue
            for match in rule.pattern.finditer(piece):
                if not (rule.kind in MAY_BE_EXCUSED and _is_excused(piece, match.start())):
                    first, last = begin + match.start(), begin + match.end()
                    yield Leak(rule.kind, text[first:last].strip(), first, last)


def _is_excused(piece: str, place: int) -> bool:
    """Whether what stands at a place tells of a wish, of others, or of a proof."""
    if EXCUSED.search(piece, max(0, place - _BEFORE), place):
        return True
    if OF_OTHERS.match(piece) and not OURS.search(piece):
        return True
    return PROOFS.search(piece) is not None and TRIALS.search(piece) is None


def _may_fit(rule: Rule, piece: str, *, digits: bool) -> bool:
    return not rule.hints or any(hint in piece if hint != DIGIT else digits for hint in rule.hints)


def _without_overlaps(leaks: list[Leak]) -> Iterator[Leak]:
    ends: dict[LeakKind, int] = {}
    for leak in leaks:
        if leak.start >= ends.get(leak.kind, 0):
            yield leak
            ends[leak.kind] = leak.end
