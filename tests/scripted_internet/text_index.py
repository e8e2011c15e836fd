"""An inverted index of the invented literature, built from what its sentences are made of, without writing them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tests.scripted_internet.corpus import Corpus, Ints, corpus_of
from tests.scripted_internet.prose import NOTICES, SENTENCES, SLOT, TITLES, slots
from tests.scripted_internet.words import coined, stem, stems

_SATURATION = 1.2
_TITLE_WEIGHT = 3.0
_DIMENSIONS = 96
_KIN = 0.7
"""Share of a word's meaning that it has in common with the other words of its subject or aspect."""
Scores = NDArray[np.float64]


class TextIndex:
    """`papers_with(word)` gives sorted numbers of papers; `score` ranks them by BM25.

    Built for titles alone, or for titles and abstracts, in which a word of the title counts more.
    """

    def __init__(self, corpus: Corpus, *, abstracts: bool) -> None:
        self._corpus = corpus
        self._words: dict[str, int] = {}
        self._units: dict[str, Ints] = {}
        self._pairs: list[tuple[Ints, Ints, float]] = []
        self._add_titles()
        if abstracts:
            self._add_abstracts()
        counts = self._matrix()
        documents = np.diff(counts.indptr)
        self._idf = np.log1p((corpus.size - documents + 0.5) / (documents + 0.5))
        counts.data = counts.data * (_SATURATION + 1) / (counts.data + _SATURATION)
        self._weights = counts

    def papers_with(self, word: str) -> Ints:
        """Papers with any form of a word, sorted."""
        row = self._words.get(stem(word))
        return np.empty(0, np.int64) if row is None else self._row(row)[0].astype(np.int64)

    def score(self, words: Sequence[str]) -> Scores:
        """Of every paper for these words; 0 where none occurs."""
        scores = np.zeros(self._corpus.size)
        for row in (self._words[word] for word in dict.fromkeys(map(stem, words)) if word in self._words):
            papers, weights = self._row(row)
            scores[papers] += weights * self._idf[row]
        return scores

    def similarity(self, text: str) -> Scores:
        """How near the meaning of each paper is to that of a text: a cosine."""
        known = [row for word in stems(text) if (row := self._words.get(word)) is not None]
        if not known:
            return np.zeros(self._corpus.size)
        query = (self._meanings[known] * self._idf[known, None]).sum(axis=0)
        return self._embedded @ (query / (np.linalg.norm(query) or 1.0))

    @cached_property
    def _meanings(self) -> NDArray[np.float64]:
        """A vector for each word: partly its own, partly that of the subject or aspect to which it belongs."""
        rng = np.random.default_rng(5)
        own = rng.normal(size=(len(self._words), _DIMENSIONS))
        shared = np.zeros_like(own)
        for field in dict.fromkeys(topic.field for topic in self._corpus.topics):
            common = rng.normal(size=_DIMENSIONS)
            for part in (*field.subjects, *field.aspects):
                centre = rng.normal(size=_DIMENSIONS) + 0.5 * common
                for word in stems(" ".join((part.phrase, *part.words))):
                    if word in self._words:
                        shared[self._words[word]] += centre
        return (1 - _KIN) * own + _KIN * shared

    @cached_property
    def _embedded(self) -> NDArray[np.float64]:
        vectors = np.asarray((self._weights * self._idf[:, None]).T @ self._meanings)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def _row(self, row: int) -> tuple[Ints, Scores]:
        start, end = self._weights.indptr[row], self._weights.indptr[row + 1]
        return self._weights.indices[start:end], self._weights.data[start:end]

    # Building

    def _add_titles(self) -> None:
        corpus, everyone = self._corpus, np.arange(self._corpus.size)
        articles = corpus.notice < 0
        chosen = corpus.draws[:, -1, 0] % len(TITLES)
        for number, template in enumerate(TITLES):
            self._add(template, len(SENTENCES), everyone[articles & (chosen == number)])
        for number, template in enumerate(NOTICES):
            self._add(template, len(SENTENCES), everyone[corpus.notice == number])

    def _add_abstracts(self) -> None:
        corpus = self._corpus
        articles = np.flatnonzero(corpus.notice < 0)
        for place, templates in enumerate(SENTENCES):
            chosen = corpus.draws[articles, place, 0] % len(templates)
            for number, template in enumerate(templates):
                self._add(template, place, articles[chosen == number])

    def _add(self, template: str, place: int, papers: Ints) -> None:
        """The words of one template, and of what fills its slots in these papers."""
        weight = _TITLE_WEIGHT if place == len(SENTENCES) else 1.0
        for word in stems(SLOT.sub(" ", template)):
            self._pairs.append((np.full(len(papers), self._id(word)), papers, weight))
        for number, slot in enumerate(slots(template), 1):
            draws = self._corpus.draws[papers, place, number]
            if slot in "cr":
                self._pairs.append((self._terms(slot, draws, papers), papers, weight))
                continue
            for filler, some in self._fillers(slot, draws, papers).items():
                words = self._unit(filler)
                self._pairs.append((np.repeat(words, len(some)), np.tile(np.array(some), len(words)), weight))

    def _terms(self, slot: str, draws: Ints, papers: Ints) -> Ints:
        """The coined term, one word, in a slot of each paper."""
        pairs = zip(papers.tolist(), draws.tolist(), strict=True)
        owners = (paper if slot == "c" else self._corpus.remembered(paper, draw) for paper, draw in pairs)
        return np.array([self._id(stem(coined(owner))) for owner in owners], np.int64)

    def _fillers(self, slot: str, draws: Ints, papers: Ints) -> dict[str, list[int]]:
        """Each text that fills a slot, with the papers in which it does."""
        found: dict[str, list[int]] = defaultdict(list)
        for paper, draw in zip(papers.tolist(), draws.tolist(), strict=True):
            found[self._corpus.filler(paper, slot, draw)].append(paper)
        return found

    def _unit(self, text: str) -> Ints:
        if text not in self._units:
            self._units[text] = np.array([self._id(word) for word in stems(text)], np.int64)
        return self._units[text]

    def _id(self, word: str) -> int:
        return self._words.setdefault(word, len(self._words))

    def _matrix(self) -> sparse.csr_array:
        """How often each word occurs in each paper, a word of the title counted more than once."""
        sizes = [len(words) for words, _, _ in self._pairs]
        weights = np.repeat([weight for _, _, weight in self._pairs], sizes)
        words, papers = (np.concatenate(side) for side in list(zip(*self._pairs, strict=True))[:2])
        self._pairs = []
        shape = len(self._words), self._corpus.size
        return sparse.csr_array(sparse.coo_array((weights, (words, papers)), shape=shape))


@lru_cache(maxsize=6)
def index_of(papers: int, seed: int, *, abstracts: bool) -> TextIndex:
    """The index of the corpus of this size, made once in a process."""
    return TextIndex(corpus_of(papers, seed), abstracts=abstracts)
