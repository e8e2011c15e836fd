"""Readability, RS (eq. 8): Flesch reading ease, 206.835 - 1.015 words per sentence - 84.6 syllables per word.

Words, sentences and syllables are counted as by `textstat`, with the same result; here a text is split once and the
syllables of a word are cached, which is several times as fast. The formula is for English: the syllables of other
languages in Latin letters are estimates, and texts in other scripts have no number.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from novum.core import Subject
from novum.core.arrays import Floats
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch

_LONGEST = 400_000
"""Number of characters of a text that are read."""
_SHORTEST_SENTENCE = 3
"""Fewer words, such as "et al.", are an abbreviation and not a sentence."""
# Apostrophes of contractions remain, and the ends of sentences until sentences are counted.
_PUNCTUATION = re.compile(r"'(?![tsd]|ve|ll|re)|[^\w\s'.!?]")
_SENTENCE = re.compile(r"\b[^.!?]+[.!?]*")
_NO_STOPS = str.maketrans("", "", ".!?")
_LETTERS = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\ufb00-\ufb06]")


class TextCounts(NamedTuple):
    """The counts of which the formula is made."""

    words: int
    sentences: int
    syllables: int

    @property
    def ease(self) -> float:
        """Reading ease (eq. 8): higher is easier, about 100 for plain speech, below 0 for very long sentences or
        words."""
        return 206.835 - 1.015 * self.words / self.sentences - 84.6 * self.syllables / self.words


@dataclass(frozen=True)
class Readability:
    """Flesch reading ease of an idea's text, or of its title where it has no text. The raw number is not bounded."""

    name: ClassVar[str] = "readability"
    better: ClassVar[int] = 1

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """There is nothing to fit."""
        return cls()

    def measure(self, batch: SubjectBatch) -> Floats:
        """Reading ease, shape (n,); NaN for a text without words in Latin letters."""
        counts = (count_text(_text(subject)) for subject in batch.subjects)
        return np.array([np.nan if count is None else count.ease for count in counts], dtype=float)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """Words per sentence and syllables per word."""
        text = _text(batch.subjects[row])
        count = count_text(text)
        if count is None:
            written = _LETTERS.search(text[:_LONGEST]) is not None
            return "the text is not written in Latin letters" if written else "the text has no words"
        return (
            f"{count.words / count.sentences:.1f} words a sentence and {count.syllables / count.words:.2f} syllables "
            f"a word ({count.words:,} words)"
        )

    def state(self) -> ModelState:
        """An empty state."""
        return ModelState()

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The metric; there is nothing to restore."""
        return cls()


def count_text(text: str) -> TextCounts | None:
    """Words, sentences and syllables as counted by `textstat`; None where fewer than half of the letters are Latin."""
    text = text[:_LONGEST]
    if not _is_latin(text):
        return None
    bare = _PUNCTUATION.sub("", text)
    words = bare.translate(_NO_STOPS).lower().split()
    sentences = sum(len(each.rstrip(".!?").split()) >= _SHORTEST_SENTENCE for each in _SENTENCE.findall(bare))
    return TextCounts(len(words), max(1, sentences), sum(map(_syllables, words))) if words else None


def _text(subject: Subject) -> str:
    return subject.text if subject.text.strip() else subject.title


def _is_latin(text: str) -> bool:
    if text.isascii():
        return _LATIN.search(text) is not None
    latin = len(_LATIN.findall(text))
    return latin > 0 and 2 * latin >= len(_LETTERS.findall(text))


@lru_cache(maxsize=200_000)
def _syllables(word: str) -> int:
    return int(syllable_counter().syllable_count(word))


@cache
def syllable_counter() -> Any:
    """`textstat`, imported on first use and without warnings: this version, the last that neither includes a dictionary
    under the GPL nor downloads one, uses a deprecated module of setuptools."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from textstat import textstat  # type: ignore[attr-defined]  # noqa: PLC0415
    return textstat
