"""Coherence, CS (eq. 9): does a text keep to the topics that papers are about? Its perplexity under a topic model.

exp(-Σ log p(w) / N): between how many equally likely words the model hesitates at each word of the text. A text that
keeps to few topics has a *low* one. The paper adds the number to the satisfaction score as it is, so that rambling
counts in favour of an idea there; here the raw number is as printed, and lower is better where it is scaled.
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
"""Papers that topics are learnt from; of more, as many are drawn."""
_WORDS_FILE = "vocabulary.txt"
_TOLD = 2
"""Topics that an explanation names."""


@dataclass(frozen=True)
class _TopicMixtures:
    """What explanations of a batch are made of: known words, shape (n,), and mixtures of topics, shape (n, K)."""

    known: Floats
    mixtures: Floats


@dataclass(frozen=True)
class Coherence:
    """Perplexity of title and text, over the words that the model knows."""

    name: ClassVar[str] = "coherence"
    better: ClassVar[int] = -1

    model: TopicModel | None
    """None where the papers have no words in common, as those of a language that does not part its words."""
    papers: int
    """It was learnt from."""

    @classmethod
    def fit(cls, corpus: Corpus, topics: int = TOPICS, *, papers: int = MOST_PAPERS, seed: int = 0) -> Self:
        """Without a model where the papers have too few words in common."""

        rows = np.random.default_rng(seed).permutation(len(corpus))[:papers]
        texts = [subject.whole for subject in corpus.subjects(np.sort(rows))]
        return cls(fit_topics(texts, topics, seed), len(texts))

    def measure(self, batch: SubjectBatch) -> Floats:
        """Shape (n,), 1 at least; NaN for a text without a known word."""
        if self.model is None:
            return np.full(len(batch), np.nan)
        return self.model.perplexities(self.model.counts([subject.whole for subject in batch.subjects]))

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """The topics that the text is mostly of, by the words that they say most often."""
        if self.model is None:
            return "the library's papers have too few words in common to tell topics from them"
        all_words = len(words(batch.subjects[row].whole))
        if np.isnan(raw):
            return "none of its words is known from the library's papers" if all_words else "there are no words to read"
        model = self.model
        values = batch.once(self, lambda: _told(model, batch))
        known, mixture = int(values.known[row]), values.mixtures[row]
        main = np.argsort(-mixture, kind="stable")[:_TOLD]
        says = {int(topic): " ".join(model.top_words(int(topic))) for topic in main}
        topics = " and ".join(f"{mixture[topic]:.0%} “{said}”" for topic, said in says.items())
        return f"perplexity {raw:,.0f} over {known:,} of {all_words:,} words; mostly of the topics {topics}"

    @property
    def sizes(self) -> dict[str, int]:
        """Topics, the words that they know, and the papers that they are from."""
        if self.model is None:
            return {}
        return {"topics": len(self.model.phi), "topic_words": len(self.model.vocabulary), "topic_papers": self.papers}

    def state(self) -> ModelState:
        """Topics and vocabulary."""
        if self.model is None:
            return ModelState(facts={"papers": self.papers})
        return ModelState(
            arrays={"phi": self.model.phi},
            facts={"prior": self.model.prior, "papers": self.papers},
            files={_WORDS_FILE: "\n".join(self.model.vocabulary).encode()},
        )

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """Raises KeyError or ValueError where the state is damaged."""
        papers = int(state.number("papers"))
        if _WORDS_FILE not in state.files and "phi" not in state.arrays:
            return cls(None, papers)
        known = state.files[_WORDS_FILE].decode().split("\n")
        phi = np.asarray(state.arrays["phi"], dtype=np.float32)
        return cls(TopicModel(phi, known, state.number("prior")), papers)


def _told(model: TopicModel, batch: SubjectBatch) -> _TopicMixtures:
    result = model.counts([subject.whole for subject in batch.subjects])
    return _TopicMixtures(result.totals, model.mixtures(result))
