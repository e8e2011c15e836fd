"""Find results, performance figures and implementation details in a text that should hold an idea alone.

A rule marks words. Numbers that are part of a name are no leak: years, `3D`, `GPT-4`, `ResNet-50`, `two-stage`,
`CIFAR-10`. Nor is what a text says about the work of others before it describes its own. Proofs and bounds are claims
of the idea and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from novum.training.reviews.leak_rules import (
    DEPENDS_ON_CONTEXT,
    DIGIT,
    NO_RESULT_BEFORE,
    OTHERS_FIRST,
    OURS,
    PROOFS,
    TRIALS,
    LeakKind,
    LeakRule,
    leak_rules,
)

_BEFORE = 90
"""Characters before a match that are searched for a denial, or for the work of others."""
_LONGEST_SENTENCE = 2_000
"""Characters; a longer sentence is read in pieces of this length."""
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!et al\.)(?<!vs\.)(?<!cf\.)(?<!Fig\.)(?<!Eq\.)(?<!Sec\.)(?<!resp\.)"
    r"(?<!approx\.)"
    r"[\"”')\]]?\s+(?=[A-Z0-9\"“'(\[$*\\-])|\n+"
)


@dataclass(frozen=True, slots=True)
class Leak:
    """Words that give away a result or an implementation detail, with their position in the text (characters)."""

    kind: LeakKind
    words: str
    start: int
    end: int


def leaks_in(text: str) -> tuple[Leak, ...]:
    """All leaks in `text`, in order of position; overlapping leaks of one kind are reported once."""
    lowered = lower(text)
    leaks = [leak for start, end in sentence_spans(text) for leak in _leaks_of(text, lowered, start, end)]
    return tuple(_without_overlaps(sorted(leaks, key=lambda leak: (leak.start, -leak.end))))


def leaks_anything(sentence: str) -> bool:
    """Whether `sentence` has at least one leak."""
    return next(_leaks_of(sentence, lower(sentence), 0, len(sentence)), None) is not None


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end (characters) of each sentence or list line."""
    start = 0
    for gap in _SENTENCE_END.finditer(text):
        if gap.start() > start:
            yield start, gap.start()
        start = gap.end()
    if start < len(text):
        yield start, len(text)


def lower(text: str) -> str:
    """`text` in lower case, with every character at its old position, also where a lower form is longer."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _leaks_of(text: str, lowered: str, start: int, end: int) -> Iterator[Leak]:
    """The leaks of one sentence."""
    for begin in range(start, end, _LONGEST_SENTENCE):
        piece = lowered[begin : min(begin + _LONGEST_SENTENCE, end)]
        digits = any(map(str.isdecimal, piece))
        for rule in leak_rules():
            if not _may_fit(rule, piece, digits=digits):
                continue
            for match in rule.pattern.finditer(piece):
                if not (rule.kind in DEPENDS_ON_CONTEXT and _is_excused(piece, match.start())):
                    first, last = begin + match.start(), begin + match.end()
                    yield Leak(rule.kind, text[first:last].strip(), first, last)


def _is_excused(piece: str, place: int) -> bool:
    """Whether the words around a match describe a wish, the work of others, or a proof."""
    if NO_RESULT_BEFORE.search(piece, max(0, place - _BEFORE), place):
        return True
    if OTHERS_FIRST.match(piece) and not OURS.search(piece):
        return True
    return PROOFS.search(piece) is not None and TRIALS.search(piece) is None


def _may_fit(rule: LeakRule, piece: str, *, digits: bool) -> bool:
    return not rule.hints or any(hint in piece if hint != DIGIT else digits for hint in rule.hints)


def _without_overlaps(leaks: list[Leak]) -> Iterator[Leak]:
    ends: dict[LeakKind, int] = {}
    for leak in leaks:
        if leak.start >= ends.get(leak.kind, 0):
            yield leak
            ends[leak.kind] = leak.end
