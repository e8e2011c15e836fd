"""Coherence, CS (eq. 9): the perplexity of a text under a topic model of the library.

exp(-Σ log p(w) / N), the number of equally likely words at each word of the text. A text about few topics has a *low*
perplexity. The paper adds the number to the satisfaction score unchanged, so that an incoherent text scores higher;
here the raw number is as printed, and lower is better where it is scaled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from novum.core.arrays import Floats
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.topic_model import TopicModel, fit_topics
from novum.idea_metrics.word_counts import words

TOPICS = 50
MOST_PAPERS = 20_000
"""Papers that the topic model is fitted to at most; of more, a random sample."""
_WORDS_FILE = "vocabulary.txt"
_EXPLAINED = 2
"""Topics that an explanation names."""


@dataclass(frozen=True)
class _TopicMixtures:
    """Data for the explanations of a batch: numbers of known words, shape (n,), and topic mixtures, shape (n, K)."""

    known: Floats
    mixtures: Floats


@dataclass(frozen=True)
class Coherence:
    """Perplexity of title and text over the words that the topic model knows."""

    name: ClassVar[str] = "coherence"
    better: ClassVar[int] = -1

    model: TopicModel | None
    """None where the papers share too few words, as in a language without spaces between words."""
    papers: int
    """Number of papers that the model was fitted to."""

    @classmethod
    def fit(cls, corpus: Corpus, topics: int = TOPICS, *, papers: int = MOST_PAPERS, seed: int = 0) -> Self:
        """Fits the topic model; there is none where the papers share too few words."""
        rows = np.random.default_rng(seed).permutation(len(corpus))[:papers]
        texts = [subject.whole for subject in corpus.subjects(np.sort(rows))]
        return cls(fit_topics(texts, topics, seed), len(texts))

    def measure(self, batch: SubjectBatch) -> Floats:
        """Perplexities, at least 1, shape (n,); NaN for a text without a known word."""
        if self.model is None:
            return np.full(len(batch), np.nan)
        return self.model.perplexities(self.model.counts([subject.whole for subject in batch.subjects]))

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """The main topics of the text, by their most frequent words."""
        if self.model is None:
            return "the library's papers share too few words for a topic model"
        all_words = len(words(batch.subjects[row].whole))
        if np.isnan(raw):
            return "none of its words is in the topic model" if all_words else "the text has no words"
        model = self.model
        values = batch.once(self, lambda: _mixtures(model, batch))
        known, mixture = int(values.known[row]), values.mixtures[row]
        main = np.argsort(-mixture, kind="stable")[:_EXPLAINED].tolist()
        topics = " and ".join(f"{mixture[topic]:.0%} “{' '.join(model.top_words(topic))}”" for topic in main)
        return f"perplexity {raw:,.0f} over {known:,} of {all_words:,} words; mostly of the topics {topics}"

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of topics, of their words, and of the papers that they were fitted to."""
        if self.model is None:
            return {}
        return {"topics": len(self.model.phi), "topic_words": len(self.model.vocabulary), "topic_papers": self.papers}

    def state(self) -> ModelState:
        """The topic model and its vocabulary."""
        if self.model is None:
            return ModelState(facts={"papers": self.papers})
        return ModelState(
            arrays={"phi": self.model.phi},
            facts={"prior": self.model.prior, "papers": self.papers},
            files={_WORDS_FILE: "\n".join(self.model.vocabulary).encode()},
        )

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The metric from its stored state. Raises KeyError or ValueError where that is damaged."""
        papers = int(state.number("papers"))
        if _WORDS_FILE not in state.files and "phi" not in state.arrays:
            return cls(None, papers)
        known = state.files[_WORDS_FILE].decode().split("\n")
        phi = np.asarray(state.arrays["phi"], dtype=np.float32)
        return cls(TopicModel(phi, known, state.number("prior")), papers)


def _mixtures(model: TopicModel, batch: SubjectBatch) -> _TopicMixtures:
    counts = model.counts([subject.whole for subject in batch.subjects])
    return _TopicMixtures(counts.totals, model.mixtures(counts))
