"""Spellings of one word: plural, British, with or without a hyphen. They are merged where the library uses both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Ints
from novum.literature.search.ranking.keywords import WEAK
from novum.opportunities.tokens import FIRST

_SPELLINGS = (
    ("isation", "ization"), ("ising", "izing"), ("ised", "ized"), ("ise", "ize"), ("iser", "izer"), ("yse", "yze"),
    ("elling", "eling"), ("elled", "eled"), ("our", "or"), ("oural", "oral"), ("ogue", "og"), ("tre", "ter"),
)  # fmt: skip
"""British endings and their American forms."""
_NO_PLURAL = ("ss", "us", "is", "as", "os")


def usual_forms(words: Sequence[str], counts: Ints) -> NDArray[np.int32]:
    """For each word number the number of the form that replaces it, mostly itself, shape (len(words) + FIRST,).

    `counts`: how often each number occurs in the papers up to the year. A form that does not occur there replaces
    nothing, so that later papers do not decide how words are merged.
    """
    values = np.arange(len(words) + FIRST, dtype=np.int32)
    occurring = {words[place]: place + FIRST for place in np.flatnonzero(counts[FIRST:]).tolist()}
    hyphens = _hyphens(occurring, counts)
    for word, number in occurring.items():
        usual = word
        for step in (_singular, _american):
            usual = next((form for form in step(usual) if form in occurring and _alike(form, usual)), usual)
        values[number] = occurring[hyphens.get(without_separators(usual), usual)]
    return values


def _hyphens(occurring: Mapping[str, int], counts: Ints) -> dict[str, str]:
    """For each word without hyphens its most frequent spelling, so that a word that lost its hyphen at a line break
    (`parameterefficient`) does not replace the correct one."""
    spelling: dict[str, str] = {}
    for word in (word for word in occurring if "-" in word and _alike(word, without_separators(word))):
        plain = without_separators(word)
        if plain in occurring:
            both = (spelling.get(plain, plain), word)
            spelling[plain] = max(both, key=lambda each: (counts[occurring[each]], each == plain, each))
    return spelling


def _alike(one: str, other: str) -> bool:
    """Whether both words have a meaning alone, or neither: *new* is not a form of *news*."""
    return (one in WEAK) == (other in WEAK)


def _singular(word: str) -> Iterator[str]:
    if len(word) > 4 and word.endswith("ies"):
        yield word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(_NO_PLURAL):
        yield word[:-1]
    if len(word) > 5 and word.endswith("es"):
        yield word[:-2]


def _american(word: str) -> Iterator[str]:
    for british, american in _SPELLINGS:
        if len(word) > len(british) + 2 and word.endswith(british):
            yield word.removesuffix(british) + american


def without_separators(phrase: str) -> str:
    """The phrase without spaces and hyphens: equal for data set, data-set and dataset."""
    return phrase.replace(" ", "").replace("-", "")
