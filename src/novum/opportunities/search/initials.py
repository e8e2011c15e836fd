"""Links of a pair by initials or compounds: papers of one concept that use the initials of the other.

A paper that writes only *LLMs* does not contain *large language models*, unless the abbreviation counts as that name;
and a paper that writes only *RNA-guided* does not contain *rna*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.search.candidates import CandidatePair
from novum.opportunities.settings import SMALL_LIBRARY
from novum.opportunities.tokens import FIRST

_READ = 300
"""Number of the latest papers of a concept whose words are searched."""
_USED, _TIMES_MORE = 2, 3
"""An abbreviation belongs to a name if so many of its papers use it, and so many times more often than other papers."""
_LETTERS = 3
"""Letters of an abbreviation that is searched in compounds, and that in a small library is accepted without such papers
if it fits only one concept."""


class ShortForms:
    """Abbreviations of concepts. Words of papers are read on first use, once for each concept."""

    def __init__(self, concept_map: ConceptMap) -> None:
        self._map = concept_map
        self._words: dict[tuple[int, int], NDArray[np.int32]] = {}
        self._shorts: dict[int, NDArray[np.int32]] = {}
        self._often = Counter(form for name in concept_map.names for form in _forms(name))

    def link(self, candidate: CandidatePair) -> bool:
        """Whether a paper of one concept contains the initials of the other; for a pair that was linked before, a later
        paper."""
        after = max(candidate.rows, default=-1) + 1
        ends = (candidate.pair, candidate.pair[::-1])
        return any(bool(np.isin(self.short_forms(at), self._words_of(other, after)).any()) for at, other in ends)

    def short_forms(self, at: int) -> NDArray[np.int32]:
        """Numbers of the words that stand for concept `at`, or for a longer name that ends in it: initials, and
        compounds with these or with a one-word name."""
        if at not in self._shorts:
            name = self._map.names[at]
            longer = [each for each in self._map.names if each == name or each.endswith(f" {name}")]
            forms = dict.fromkeys(form for each in longer for form in _forms(each))
            known = {form: number for form in forms if (number := self._number(form)) is not None}
            own = [form for form in known if self._belongs(form, known[form], at)]
            long = (name, *(form for form in own if len(form) >= _LETTERS))
            compounds = [number for form in long for number in self._compounds.get(form, ())]
            self._shorts[at] = np.array([*(known[form] for form in own), *compounds], np.int32)
        return self._shorts[at]

    @cached_property
    def _compounds(self) -> Mapping[str, Sequence[int]]:
        """Numbers of words with a hyphen, by their parts."""
        mapping: dict[str, list[int]] = {}
        for number, word in enumerate(self._map.words.names):
            if "-" in word and word not in self._map.place:
                for part in set(word.split("-")):
                    mapping.setdefault(part, []).append(number + FIRST)
        return mapping

    def _number(self, form: str) -> int | None:
        known = self._map.words.known(form)
        return None if known is None or form in self._map.place else known + FIRST

    def _belongs(self, form: str, number: int, at: int) -> bool:
        small = self._map.card.papers < SMALL_LIBRARY and len(form.removesuffix("s")) >= _LETTERS
        return (small and self._often[form] == 1) or self._usual(number, at)

    def _usual(self, number: int, at: int) -> bool:
        """Whether papers of concept `at` use this word, and other papers far less often."""
        graph, counts = self._map.stored.graph, self._map.stored.used
        rows = np.asarray(graph.by_concept.of(at))[-_READ:]
        used = sum(bool((self._of_paper(row) == number).any()) for row in rows.tolist())
        everywhere = float(counts[number - FIRST]) / len(graph.dated) if number - FIRST < len(counts) else 0.0
        return used >= _USED and used / len(rows) >= _TIMES_MORE * everywhere

    def _words_of(self, at: int, after: int) -> NDArray[np.int32]:
        """All words of the latest papers of concept `at` from row `after` on."""
        if (at, after) not in self._words:
            rows = np.asarray(self._map.stored.graph.by_concept.of(at))
            some = [self._of_paper(row) for row in rows[rows >= after][-_READ:].tolist()]
            self._words[at, after] = np.unique(np.concatenate(some)) if some else np.zeros(0, np.int32)
        return self._words[at, after]

    def _of_paper(self, row: int) -> NDArray[np.int32]:
        tokens = self._map.stored.graph.dated.tokens
        return np.asarray(tokens.words[int(tokens.words_to[row - 1]) if row else 0 : int(tokens.words_to[row])])


def _forms(name: str) -> tuple[str, ...]:
    words = name.replace("-", " ").split()
    initials = "".join(word[0] for word in words)
    return (initials, f"{initials}s") if len(words) > 1 else ()
