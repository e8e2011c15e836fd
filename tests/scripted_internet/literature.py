"""The invented literature as services search it: words, phrases, dates and people."""

from __future__ import annotations

import datetime as dt
from functools import cached_property, lru_cache, reduce

import numpy as np

from tests.scripted_internet.corpus import Corpus, Ints, corpus_of
from tests.scripted_internet.text_index import TextIndex, index_of
from tests.scripted_internet.words import stem, stems

NOTHING: Ints = np.empty(0, np.int64)


class Literature:
    """A corpus with its indexes, which are built when they are first needed."""

    def __init__(self, papers: int, seed: int) -> None:
        self.corpus: Corpus = corpus_of(papers, seed)
        self._made_from = papers, seed

    @cached_property
    def titles(self) -> TextIndex:
        return index_of(*self._made_from, abstracts=False)

    @cached_property
    def texts(self) -> TextIndex:
        """Titles and abstracts."""
        return index_of(*self._made_from, abstracts=True)

    def with_words(self, value: str, index: TextIndex) -> Ints:
        """The papers that have a word, the parts of a hyphenated word, or the phrase in quotes."""
        words = stems(value)
        if not words:
            return NOTHING
        found = reduce(np.intersect1d, [index.papers_with(word) for word in words])
        return self._with_phrase(found, words) if value.startswith('"') and len(words) > 1 else found

    def with_all(self, text: str, index: TextIndex) -> Ints:
        """The papers that have every word of a text that is no stop word."""
        words = dict.fromkeys(stems(text))
        return reduce(np.intersect1d, [index.papers_with(word) for word in words]) if words else NOTHING

    def between(self, first: dt.date | None, last: dt.date | None) -> Ints:
        """The papers of these days, both included."""
        start = np.searchsorted(self.corpus.day, first.toordinal()) if first else 0
        end = np.searchsorted(self.corpus.day, last.toordinal(), side="right") if last else self.corpus.size
        return np.arange(start, end)

    @cached_property
    def by_surname(self) -> dict[str, Ints]:
        """Papers by the folded family names of their authors."""
        found: dict[str, list[int]] = {}
        for paper in range(self.corpus.size):
            for _, family in self.corpus.authors(paper):
                found.setdefault(stem(family), []).append(paper)
        return {name: np.unique(papers) for name, papers in found.items()}

    def by_author(self, value: str) -> Ints:
        """The papers of anybody with this family name."""
        known = [self.by_surname[name] for word in stems(value) if (name := stem(word)) in self.by_surname]
        return reduce(np.union1d, known) if known else NOTHING

    def _with_phrase(self, papers: Ints, words: list[str]) -> Ints:
        return np.array([paper for paper in papers if self._holds(int(paper), words)], np.int64)

    def _holds(self, paper: int, words: list[str]) -> bool:
        text = stems(f"{self.corpus.title(paper)} {self.corpus.abstract(paper)}")
        return any(text[place : place + len(words)] == words for place in range(len(text)))


@lru_cache(maxsize=3)
def literature_of(papers: int, seed: int) -> Literature:
    """The literature of this size, made once in a process."""
    return Literature(papers, seed)


def best_first(papers: Ints, scores: np.ndarray) -> Ints:
    """Papers by falling score, equal ones in their own order."""
    return papers[np.argsort(-scores[papers], kind="stable")]
