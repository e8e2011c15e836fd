"""One word in several spellings: plural, British, with a hyphen or without. Merged only where the library uses both."""

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
"""British endings and the American ones."""
_NO_PLURAL = ("ss", "us", "is", "as", "os")


def usual_forms(words: Sequence[str], counts: Ints) -> NDArray[np.int32]:
    """For each word number the number of the form that stands for it, shape (len(words) + FIRST,); mostly itself.

    `counts`: how often each number occurs in the papers that may be known. A form that does not occur there stands for
    nothing, so that no later paper decides how words are merged.
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
    """By the word without them, the spelling that is used most: what a broken line has joined (`parameterefficient`)
    shall not stand for what it was."""
    mapping: dict[str, str] = {}
    for word in (word for word in occurring if "-" in word and _alike(word, without_separators(word))):
        plain = without_separators(word)
        if plain in occurring:
            rivals = (mapping.get(plain, plain), word)
            mapping[plain] = max(rivals, key=lambda each: (counts[occurring[each]], each == plain, each))
    return mapping


def _alike(one: str, other: str) -> bool:
    """A word that tells nothing alone (new) is no form of one that does (news)."""
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
    """Under which phrases are one that differ in spaces and hyphens alone: data set, data-set, dataset."""
    return phrase.replace(" ", "").replace("-", "")
