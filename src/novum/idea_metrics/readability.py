"""Readability, RS (eq. 8): Flesch reading ease, 206.835 - 1.015 words per sentence - 84.6 syllables per word.

Words, sentences and syllables are those of `textstat`, whose number this is; what differs is that a text is split once
and that the syllables of a word are remembered, which makes it several times faster. English is meant: the syllables of
other languages in Latin letters are a guess, and texts in other scripts have no number.
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
"""Characters that are read; what comes behind hardly moves an average."""
_SHORTEST_SENTENCE = 3
"""Fewer words, such as "et al.", are an abbreviation's stop and not a sentence."""
# Apostrophes stay within contractions, ends of sentences stay until these are told apart.
_PUNCTUATION = re.compile(r"'(?![tsd]|ve|ll|re)|[^\w\s'.!?]")
_SENTENCE = re.compile(r"\b[^.!?]+[.!?]*")
_NO_STOPS = str.maketrans("", "", ".!?")
_LETTERS = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\ufb00-\ufb06]")


class TextCounts(NamedTuple):
    """What the formula is made of."""

    words: int
    sentences: int
    syllables: int

    @property
    def ease(self) -> float:
        """Eq. 8; the higher the easier, about 100 for plain speech, below 0 for very long sentences or words."""
        return 206.835 - 1.015 * self.words / self.sentences - 84.6 * self.syllables / self.words


@dataclass(frozen=True)
class Readability:
    """Flesch reading ease of an idea's text, or of its title where it has no text. Raw, it is not bounded."""

    name: ClassVar[str] = "readability"
    better: ClassVar[int] = 1

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """There is nothing to learn."""
        return cls()

    def measure(self, batch: SubjectBatch) -> Floats:
        """Shape (n,); NaN for a text without words in Latin letters."""
        counts = (count_text(_text(subject)) for subject in batch.subjects)
        return np.array([np.nan if count is None else count.ease for count in counts], dtype=float)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """The counts that the number is made of."""
        text = _text(batch.subjects[row])
        count = count_text(text)
        if count is None:
            written = _LETTERS.search(text[:_LONGEST]) is not None
            return "the text is not written in Latin letters" if written else "there are no words to read"
        return (
            f"{count.words / count.sentences:.1f} words a sentence and {count.syllables / count.words:.2f} syllables "
            f"a word ({count.words:,} words)"
        )

    def state(self) -> ModelState:
        """Nothing."""
        return ModelState()

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """As it always is."""
        return cls()


def count_text(text: str) -> TextCounts | None:
    """Words, sentences and syllables as `textstat` counts them; None where not most letters are Latin ones."""
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
    """`textstat`, read late and quietly: this version, the last that neither brings a dictionary under the GPL nor
    downloads one, is imported by a way of setuptools that warns of its own end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from textstat import textstat  # type: ignore[attr-defined]  # noqa: PLC0415
    return textstat
