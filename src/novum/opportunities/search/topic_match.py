"""How much papers are about a concept: whether it stands in the titles of those that hold it.

*Budgets*, *surface* and *performance gains* are in many abstracts and hardly ever in a title.
"""

from __future__ import annotations

import numpy as np

from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.search.plain_words import stems
from novum.opportunities.tokens import FIRST, GIST

_READ = 24
"""Papers of a concept whose titles are read, spread over its years."""
_LONGEST = 40
"""Words of a title."""
_INITIALS = 3
"""Letters from which initials stand for a name."""


class TitleShares:
    """Reads titles as they are asked for, each once."""

    def __init__(self, found: ConceptMap) -> None:
        self._map = found
        self._titles: dict[int, str] = {}
        self._shares: dict[int, float] = {}

    def share(self, at: int) -> float:
        """Of the papers of concept `at`, how many have it in the title, or its initials: 0 to 1."""
        if at not in self._shares:
            rows = np.asarray(self._map.found.graph.by_concept.of(at))
            some = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _READ)).astype(int))].tolist()
            words = list(stems(self._map.names[at]))
            initials = "".join(word[0] for word in words)
            wanted = [f" {' '.join(words)} ", *([f" {initials} "] if len(initials) >= _INITIALS else [])]
            named = sum(any(each in self._title(row) for each in wanted) for row in some)
            self._shares[at] = named / max(len(some), 1)
        return self._shares[at]

    def _title(self, row: int) -> str:
        found = self._titles.get(row)
        if found is None:
            tokens, words = self._map.found.graph.shelf.tokens, self._map.words.names
            begin = int(tokens.words_to[row - 1]) if row else 0
            numbers = np.asarray(tokens.words[begin : begin + _LONGEST]).tolist()
            title = numbers[: numbers.index(GIST)] if GIST in numbers else numbers
            plain = (stem for number in title if number >= FIRST for stem in stems(words[number - FIRST]))
            found = self._titles[row] = f" {' '.join(plain)} "
        return found
