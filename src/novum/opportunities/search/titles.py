"""Concepts in titles: whether a title contains one, as a means or a subject, and how many titles of its papers do."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.search.plain_words import stems
from novum.opportunities.tokens import FIRST, GIST

_USED_AFTER = frozenset({"with", "via", "using", "by", "through"})
_USED_BEFORE = frozenset({"for", "based", "enable", "improve", "guided", "driven"})
_STUDIED_AFTER = frozenset({"for", "of", "in", "on", "toward", "improving", "understanding", "against"})
_STUDIED_BEFORE = frozenset({"with", "via", "using", "by", "through", "from", "under"})
_FEW = 4
"""Up to so many titles with a concept, one that uses it as a means is enough."""


def is_in_title(name: str, title: str) -> bool:
    """Whether the title contains the words of the name consecutively, ignoring plural and hyphens."""
    return _place(list(stems(name)), _words(title)) is not None


def is_used_as_means(name: str, titles: Iterable[str]) -> bool:
    """Whether titles name a concept as a means (`with X`, `X for`) at least half as often as a subject (`of X`, `X
    using`), and at least once, or twice where more than four titles contain it."""
    used = studied = named = 0
    wanted = list(stems(name))
    for title in titles:
        words = _words(title)
        at = _place(wanted, words)
        if at is None:
            continue
        named += 1
        before = words[at - 1] if at else ""
        after = words[at + len(wanted)] if at + len(wanted) < len(words) else ""
        used += before in _USED_AFTER or after in _USED_BEFORE
        studied += before in _STUDIED_AFTER or after in _STUDIED_BEFORE
    return used >= (2 if named > _FEW else 1) and 2 * used >= studied


def _words(title: str) -> list[str]:
    plain = "".join(char if char.isalnum() else " " for char in title.lower()[:1000])
    return list(stems(plain))


def _place(wanted: list[str], words: list[str]) -> int | None:
    for at in range(len(words) - len(wanted) + 1):
        if words[at : at + len(wanted)] == wanted:
            return at
    return None


_READ = 24
"""Papers of a concept whose titles are read, spread over its years."""
_LONGEST = 40
"""Words of a title."""
_INITIALS = 3
"""Letters from which initials stand for a name."""


class TitleShares:
    """Reads titles as they are asked for, each once."""

    def __init__(self, concept_map: ConceptMap) -> None:
        self._map = concept_map
        self._titles: dict[int, str] = {}
        self._shares: dict[int, float] = {}

    def share(self, at: int) -> float:
        """The share of the papers of concept `at` with its name or initials in the title, 0 to 1."""
        if at not in self._shares:
            rows = np.asarray(self._map.stored.graph.by_concept.of(at))
            some = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _READ)).astype(int))].tolist()
            words = list(stems(self._map.names[at]))
            initials = "".join(word[0] for word in words)
            wanted = [f" {' '.join(words)} ", *([f" {initials} "] if len(initials) >= _INITIALS else [])]
            named = sum(any(each in self._title(row) for each in wanted) for row in some)
            self._shares[at] = named / max(len(some), 1)
        return self._shares[at]

    def _title(self, row: int) -> str:
        result = self._titles.get(row)
        if result is None:
            tokens, words = self._map.stored.graph.dated.tokens, self._map.words.names
            begin = int(tokens.words_to[row - 1]) if row else 0
            numbers = np.asarray(tokens.words[begin : begin + _LONGEST]).tolist()
            title = numbers[: numbers.index(GIST)] if GIST in numbers else numbers
            plain = (stem for number in title if number >= FIRST for stem in stems(words[number - FIRST]))
            result = self._titles[row] = f" {' '.join(plain)} "
        return result
