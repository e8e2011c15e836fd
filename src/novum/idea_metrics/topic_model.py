"""A topic model as plain arrays: what mixture of topics a text is, and how well that foretells its words.

Topics come from Latent Dirichlet Allocation; here is only what is needed once they are known. A text's mixture θ is
found by a fixed number of steps of θ ∝ α + Σ_w n_w p(topic | w), the expected counts of its topics with the prior α.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats, Ints
from novum.idea_metrics.word_counts import WordCounts, counts, vocabulary

STEPS = 20
"""Of the mixture's fixed point; perplexities of abstracts then move by less than a percent."""
_CELLS = 16_384
"""Distinct words of the texts that are worked on together: their topics then stay in the processor's cache."""

Singles = NDArray[np.float32]
_LEAST = 1e-30
"""A word that is less probable than this in a topic would leave the range of single precision."""


@dataclass(frozen=True)
class _Mixed:
    """Texts worked on together, filled up to one length with words that occur 0 times."""

    rows: NDArray[np.intp]
    times: Singles
    """How often each word occurs, texts × words."""
    theta: Singles
    """texts × topics."""
    chance: Singles
    """p(w), texts × words."""


@dataclass(frozen=True)
class TopicModel:
    """`phi`: p(word | topic), shape (K, V), rows adding up to 1; `vocabulary`: V words; `prior`: α of each topic."""

    phi: Singles
    vocabulary: Sequence[str]
    prior: float

    def __post_init__(self) -> None:
        """Raises ValueError for what is no topic model."""
        if self.phi.ndim != 2 or not self.phi.size or self.phi.shape[1] != len(self.vocabulary):
            raise ValueError("topics and vocabulary are of different sizes")
        if not ((self.phi > _LEAST).all() and np.allclose(self.phi.sum(axis=1), 1, atol=1e-2) and self.prior > 0):
            raise ValueError("topics are no probabilities")

    @cached_property
    def places(self) -> dict[str, int]:
        """Word to column."""
        return {word: place for place, word in enumerate(self.vocabulary)}

    @cached_property
    def _by_word(self) -> Singles:
        return np.ascontiguousarray(self.phi.T)

    def counts(self, texts: Sequence[str]) -> WordCounts:
        """Of the words that the model knows."""
        return counts(texts, self.places)

    def perplexities(self, found: WordCounts) -> Floats:
        """exp(-Σ log p(w) / N) with p(w) = θ · φ_w over the N known words of each text, shape (n,); NaN without one."""
        total = found.totals
        likelihood = np.full(len(total), np.nan)
        for block in self._mixtures(found):
            likelihood[block.rows] = (block.times * np.log(block.chance)).sum(axis=1, dtype=float)
        with np.errstate(invalid="ignore"):
            perplexity: Floats = np.exp(-likelihood / np.where(total > 0, total, np.nan))
        return perplexity

    def mixtures(self, found: WordCounts) -> Floats:
        """θ of each text, shape (n, K); NaN for one without a known word."""
        theta = np.full((len(found.starts) - 1, len(self.phi)), np.nan)
        for block in self._mixtures(found):
            theta[block.rows] = block.theta
        return theta

    def top_words(self, topic: int, number: int = 4) -> list[str]:
        """The words that the topic says most often."""
        return [self.vocabulary[place] for place in self._ranked[topic, :number]]

    @cached_property
    def _ranked(self) -> NDArray[np.intp]:
        """Places of the words of each topic, the most frequent first."""
        return np.argsort(-self.phi, axis=1, kind="stable")

    def _mixtures(self, found: WordCounts) -> Iterator[_Mixed]:
        """Texts of about one length together."""
        for rows in _blocks(np.diff(found.starts)):
            times, word = _filled(found, rows)
            phi = self._by_word[word]  # texts × words × topics
            theta = np.full((len(rows), len(self.phi), 1), 1 / len(self.phi), dtype=np.float32)
            for _ in range(STEPS):
                share = times / (phi @ theta)[..., 0]
                theta = theta * (share[:, None, :] @ phi).transpose(0, 2, 1) + np.float32(self.prior)
                theta /= theta.sum(axis=1, keepdims=True)
            yield _Mixed(rows, times, theta[..., 0], (phi @ theta)[..., 0])


def _blocks(sizes: Ints) -> Iterator[NDArray[np.intp]]:
    """Rows with something in them, by size, such that a block with all rows as long as its longest stays bounded."""
    order = np.argsort(-sizes, kind="stable")[: int((sizes > 0).sum())]
    start = 0
    while start < len(order):
        stop = start + max(1, _CELLS // int(sizes[order[start]]))
        yield order[start:stop]
        start = stop


def _filled(found: WordCounts, rows: NDArray[np.intp]) -> tuple[Singles, NDArray[np.int32]]:
    starts, sizes = found.starts[rows], (found.starts[1:] - found.starts[:-1])[rows]
    column = np.arange(int(sizes.max()))
    real = column < sizes[:, None]
    place = np.where(real, starts[:, None] + column, starts[:, None])
    return np.where(real, found.times[place], np.float32(0)), found.word[place]


MOST_WORDS = 10_000
_PAPERS_PER_TOPIC = 10
_PASSES = 3
_TOPIC_PRIOR = 0.1
_WORD_PRIOR = 0.01
_LEAST_CHANCE = 1e-12


def fit_topics(texts: Sequence[str], topics: int, seed: int) -> TopicModel | None:
    """At most one topic for ten texts. About 20 seconds for 20,000 abstracts and 50 topics.

    None where no two words are shared by some of the texts and not by most: there are no topics to be found.
    """
    # Only fitting needs these. Loading them takes longer than to score a hundred ideas.
    from scipy.sparse import csr_matrix  # noqa: PLC0415
    from sklearn.decomposition import LatentDirichletAllocation  # noqa: PLC0415
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # noqa: PLC0415

    fewest = 5 if len(texts) >= 1000 else 2
    known = vocabulary(texts, MOST_WORDS, fewest, frozenset(ENGLISH_STOP_WORDS))
    if len(known) < 2:
        return None
    result = counts(texts, {word: place for place, word in enumerate(known)})
    model = LatentDirichletAllocation(  # type: ignore[no-untyped-call]
        n_components=min(topics, max(2, len(texts) // _PAPERS_PER_TOPIC)),
        doc_topic_prior=_TOPIC_PRIOR,
        topic_word_prior=_WORD_PRIOR,
        learning_method="online",
        learning_offset=10.0,
        batch_size=512,
        max_iter=_PASSES,
        max_doc_update_iter=20,
        mean_change_tol=0.01,
        total_samples=len(texts),
        random_state=seed,
    )
    shape = (len(texts), len(known))
    model.fit(csr_matrix((result.times, result.word, result.starts), shape=shape))  # type: ignore[no-untyped-call]
    weight = np.asarray(model.components_, dtype=float)
    phi = np.maximum(weight / weight.sum(axis=1, keepdims=True), _LEAST_CHANCE)
    return TopicModel(phi.astype(np.float32), known, _TOPIC_PRIOR)
