"""Repeated text, as small models write it: find it, and remove every repetition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_WORD = re.compile(r"\S+")
_LONGEST = 60
"""Words of a phrase that is repeated: two or three sentences."""
_FEWEST_TIMES = 3
"""So often a phrase has to follow on itself: twice can be a slip, or meant."""
_FEWEST_PHRASES = 20
_FEWEST_WORDS = 6
"""That are only repeated: `very very very` is no circle."""


def without_repetition(text: str) -> str:
    """The text without the repetitions of any phrase that follows on itself three times and more, whatever its case."""
    for _ in range(_LONGEST):  # circles within circles
        shorter = _without_circles(text)
        if shorter == text:
            break
        text = shorter
    return text


def repeated_share(text: str) -> float:
    """The share of its phrases of five words that it has said before, 0 to 1. Of a hundred real reviews, 99 stay below
    0.13; a short text is nothing to go by, and has 0."""
    words = text.lower().split()
    phrases = list(zip(*(words[start:] for start in range(5)), strict=False))
    return 1 - len(set(phrases)) / len(phrases) if len(phrases) >= _FEWEST_PHRASES else 0.0


def _without_circles(text: str) -> str:
    """Without those of one length, the shortest that there is."""
    words = _WORD.findall(text.lower())
    for period in _periods(words):
        if circles := list(_circles(words, period)):
            spans = [match.span() for match in _WORD.finditer(text)]
            ends = [0, *(spans[after - 1][1] for _, after in circles)]
            begins = [*(spans[first - 1][1] for first, _ in circles), len(text)]
            return "".join(text[end:begin] for end, begin in zip(ends, begins, strict=True))
    return text


def _periods(words: Sequence[str]) -> list[int]:
    """Lengths that a repeated phrase can have, the shortest first: distances between equal neighbouring triples."""
    triples = list(zip(words, words[1:], words[2:], strict=False))
    if len(triples) - len(set(triples)) < _FEWEST_WORDS - 2:
        return []  # nothing is repeated, as in most texts
    last: dict[tuple[str, ...], int] = {}
    times_by_distance: dict[int, int] = {}
    for place, triple in enumerate(triples):
        if (distance := place - last.get(triple, -_LONGEST - 1)) <= _LONGEST:
            times_by_distance[distance] = times_by_distance.get(distance, 0) + 1
        last[triple] = place
    return sorted(period for period, times in times_by_distance.items() if times + 3 > period)


def _circles(words: Sequence[str], period: int) -> Iterator[tuple[int, int]]:
    """Words that are only repeated: the first, and the one behind the last."""
    run = 0
    for place in range(period, len(words) + 1):
        if place < len(words) and words[place] == words[place - period]:
            run += 1
            continue
        if run >= max((_FEWEST_TIMES - 1) * period, _FEWEST_WORDS):
            yield place - run, place
        run = 0
