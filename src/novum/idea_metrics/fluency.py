"""Whether a text reads as English prose, in any field: nonsense and other languages get no score.

Function words are kept as they are, and every other word becomes a class by its ending (`-tion`, `-ly`, a number, …).
In prose some classes follow others far more often than chance; in shuffled words, in lists of words and in other
languages they do not. The measure is the mean pointwise mutual information of neighbouring classes, in nats, from
counts over abstracts of papers. It needs no vocabulary, so that terms of an unknown field do no harm.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Self

import numpy as np

from novum.core.arrays import Floats
from novum.files.arrays import ModelState

_WORDS = """
a about above across after again against all almost along already also although among an and another any are as at be
because been before being below between both but by can cannot could did do does during each either else even every
few first for from further given had has have he her him his how however i if in into is it its itself just less like
many may might more most much must no nor not of off often on once one only onto or other others our out over own per
rather same several shall she should show shown since so some still such than that the their them themselves then
there thereby therefore these they this those though three through thus to together too toward towards two under until
up upon use used using very via was we well were what when where whether which while who whose why will with within
without would yet you your
"""
FUNCTION_WORDS = frozenset(_WORDS.split())
ENDINGS = (
    "ations", "ation", "tions", "tion", "sion", "ments", "ment", "ness", "ities", "ity", "ances", "ance", "ences",
    "ence", "ings", "ing", "edly", "ed", "ally", "ly", "ical", "ic", "ive", "able", "ible", "ous", "ful", "less",
    "ized", "ize", "izes", "ised", "ise", "ises", "ors", "ers", "or", "er", "ies", "es", "s", "al", "y",
)  # fmt: skip
"""Endings of classes; the first that fits counts."""
MARKS = ".,;:!?"
NUMBER, OTHER = "#", "*"
CLASSES: tuple[str, ...] = (*sorted(FUNCTION_WORDS), *(f"-{each}" for each in ENDINGS), *MARKS, NUMBER, OTHER)
MOST_TOKENS = 250
"""Tokens of a text that are looked at."""
_LONGEST = 10_000
SHORTEST = 12
"""Words below which only repetition is judged: a title says too little."""
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[.,;:!?]")
_PLACE = {name: place for place, name in enumerate(CLASSES)}
_LEAST, _PER_ROOT = 0.20, 1.0
"""A text of n words must reach `_LEAST - _PER_ROOT / √n`. Chosen on abstracts of machine-learning papers (1 in 1,000 is
below) and on shuffled ones (1 in 1,000 is above)."""
_FEWEST_FUNCTION_WORDS = 0.15
"""Share of function words; 1 in 1,000 abstracts has fewer, and so have lists of terms."""
_MOST_OF_ONE = 0.25
"""Share of the most frequent word; the word *the* seldom reaches a seventh."""
_LATIN = 0.8
"""Share of letters from a to z."""
_SHIPPED = "fluency.npz"


@dataclass(frozen=True)
class Fluency:
    """How often each class follows another, against chance."""

    information: Floats
    """Pointwise mutual information in nats, shape (classes, classes): [i, j] for j after i."""

    @classmethod
    def of_texts(cls, texts: Iterable[str]) -> Self:
        """Counts the classes of texts. Rare pairs are drawn towards chance by five imagined cases."""
        pairs = np.zeros((len(CLASSES), len(CLASSES)))
        for text in texts:
            for one, other in pairwise(_classes(_tokens(text))):
                pairs[one, other] += 1
        first, second = pairs.sum(axis=1) + 1, pairs.sum(axis=0) + 1
        expected = np.outer(first, second) / (pairs.sum() + len(CLASSES))
        return cls(np.log((pairs + 5 * expected / (expected + 5) + 0.01) / (expected + 0.01)))

    def mean_information(self, text: str) -> float:
        """Mean over neighbouring classes of a text, in nats; NaN for a text of one token or none."""
        return self._mean(_classes(_tokens(text)))

    def _mean(self, places: Sequence[int]) -> float:
        return float(self.information[places[:-1], places[1:]].mean()) if len(places) > 1 else float("nan")

    def problem(self, text: str) -> str:
        """Why a text is no English prose, in one line; empty where it is."""
        tokens = _tokens(text)
        words = [each for each in tokens if each not in MARKS]
        counts = Counter(words)
        if not _is_latin(text):
            return "the text is not in English"
        if len(counts) < 3:
            return "the text has fewer than three different words"
        if len(words) >= SHORTEST // 2 and max(counts.values()) > max(2, _MOST_OF_ONE * len(words)):
            return f"the text repeats the word “{counts.most_common(1)[0][0][:30]}”"
        if len(words) < SHORTEST:
            return ""
        if _repeats(words):
            return "the text repeats itself"
        function = sum(each in FUNCTION_WORDS for each in words) / len(words)
        if len(words) >= 2 * SHORTEST and function < _FEWEST_FUNCTION_WORDS:
            return "the text is not made of English sentences"
        if self._mean(_classes(tokens)) < _LEAST - _PER_ROOT / len(words) ** 0.5:
            return "the words do not follow each other as in English sentences"
        return ""

    def state(self) -> ModelState:
        """The table, in half precision."""
        return ModelState({"information": self.information.astype(np.float16)})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The table from its stored state. Raises KeyError or ValueError where that is damaged."""
        table = np.asarray(state.arrays["information"], dtype=float)
        if table.shape != (len(CLASSES), len(CLASSES)) or not np.isfinite(table).all():
            raise ValueError("the table of classes has another size")
        return cls(table)


@cache
def english() -> Fluency:
    """The table that comes with Novum, counted over abstracts of papers."""
    with (files("novum.idea_metrics") / _SHIPPED).open("rb") as stream, np.load(stream) as arrays:
        return Fluency.of_state(ModelState(dict(arrays)))


def _tokens(text: str) -> list[str]:
    """The first words and marks of a text, in lower case."""
    return _TOKEN.findall(text[:_LONGEST].lower())[:MOST_TOKENS]


def _classes(tokens: Sequence[str]) -> Sequence[int]:
    """The classes of tokens, after a full stop."""
    return [_PLACE["."], *map(_class, tokens)]


def _is_latin(text: str) -> bool:
    letters = "".join(filter(str.isalpha, text[:500]))
    return len(letters.encode("ascii", "ignore")) >= _LATIN * len(letters)


@lru_cache(maxsize=65_536)
def _class(token: str) -> int:
    place = _PLACE.get(token)
    if place is not None:
        return place
    if token[0].isdigit():
        return _PLACE[NUMBER]
    endings = (each for each in ENDINGS if len(token) > len(each) + 2 and token.endswith(each))
    return _PLACE.get(f"-{next(endings, '')}", _PLACE[OTHER])


def _repeats(words: Sequence[str]) -> bool:
    """Whether most runs of four words occur more than once."""
    runs = [tuple(words[at : at + 4]) for at in range(len(words) - 3)]
    return len(runs) >= SHORTEST and len(set(runs)) < len(runs) / 2
