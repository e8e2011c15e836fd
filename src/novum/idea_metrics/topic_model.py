"""A topic model as plain arrays: topic mixtures of texts, and their perplexity.

The topics are fitted by latent Dirichlet allocation (scikit-learn). The mixture θ of a text is computed by a fixed
number of steps of θ ∝ α + Σ_w n_w p(topic | w), the expected counts of its topics with the prior α.
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
"""Steps of the fixed-point iteration; further steps change the perplexity of abstracts by less than a percent."""
_CELLS = 16_384
"""Distinct words of the texts of a block, so that their arrays fit into the cache of the processor."""

Singles = NDArray[np.float32]
_SMALLEST = 1e-30
"""Smallest probability of a word in a topic, limited by the range of single precision."""


@dataclass(frozen=True)
class _Block:
    """Texts that are processed together, padded to one length with words that occur 0 times."""

    rows: NDArray[np.intp]
    times: Singles
    """Number of occurrences of each word, texts × words."""
    theta: Singles
    """Topic mixtures, texts × topics."""
    chance: Singles
    """Probability p(w) of each word, texts × words."""


@dataclass(frozen=True)
class TopicModel:
    """`phi`: p(word | topic), shape (K, V), rows with a sum of 1; `vocabulary`: V words; `prior`: α of each topic."""

    phi: Singles
    vocabulary: Sequence[str]
    prior: float

    def __post_init__(self) -> None:
        """Raises ValueError for invalid arrays."""
        if self.phi.ndim != 2 or not self.phi.size or self.phi.shape[1] != len(self.vocabulary):
            raise ValueError("topics and vocabulary have different sizes")
        if not ((self.phi > _SMALLEST).all() and np.allclose(self.phi.sum(axis=1), 1, atol=1e-2) and self.prior > 0):
            raise ValueError("the topics are not probabilities")

    @cached_property
    def places(self) -> dict[str, int]:
        """The column of each word."""
        return {word: place for place, word in enumerate(self.vocabulary)}

    @cached_property
    def _by_word(self) -> Singles:
        return np.ascontiguousarray(self.phi.T)

    def counts(self, texts: Sequence[str]) -> WordCounts:
        """Counts of the words of the vocabulary in texts."""
        return counts(texts, self.places)

    def perplexities(self, counts: WordCounts) -> Floats:
        """exp(-Σ log p(w) / N) with p(w) = θ · φ_w over the N known words of each text, shape (n,); NaN without one."""
        total = counts.totals
        likelihood = np.full(len(total), np.nan)
        for block in self._blocks(counts):
            likelihood[block.rows] = (block.times * np.log(block.chance)).sum(axis=1, dtype=float)
        with np.errstate(invalid="ignore"):
            perplexity: Floats = np.exp(-likelihood / np.where(total > 0, total, np.nan))
        return perplexity

    def mixtures(self, counts: WordCounts) -> Floats:
        """Topic mixtures θ, shape (n, K); NaN for a text without a known word."""
        theta = np.full((len(counts.starts) - 1, len(self.phi)), np.nan)
        for block in self._blocks(counts):
            theta[block.rows] = block.theta
        return theta

    def top_words(self, topic: int, number: int = 4) -> list[str]:
        """The most frequent words of a topic."""
        return [self.vocabulary[place] for place in self._ranked[topic, :number]]

    @cached_property
    def _ranked(self) -> NDArray[np.intp]:
        """Columns of the words of each topic, the most frequent first, shape (K, V)."""
        return np.argsort(-self.phi, axis=1, kind="stable")

    def _blocks(self, counts: WordCounts) -> Iterator[_Block]:
        """Blocks of texts of similar length, with mixtures and probabilities."""
        for rows in _rows_of_blocks(np.diff(counts.starts)):
            times, word = _padded(counts, rows)
            phi = self._by_word[word]  # texts × words × topics
            theta = np.full((len(rows), len(self.phi), 1), 1 / len(self.phi), dtype=np.float32)
            with np.errstate(invalid="ignore"):  # some BLAS kernels raise the flag for lanes that they do not use
                for _ in range(STEPS):
                    share = times / (phi @ theta)[..., 0]
                    theta = theta * (share[:, None, :] @ phi).transpose(0, 2, 1) + np.float32(self.prior)
                    theta /= theta.sum(axis=1, keepdims=True)
                probability = (phi @ theta)[..., 0]
            yield _Block(rows, times, theta[..., 0], probability)


def _rows_of_blocks(sizes: Ints) -> Iterator[NDArray[np.intp]]:
    """Rows of non-empty texts in blocks of similar size, of bounded size when padded to their longest text."""
    order = np.argsort(-sizes, kind="stable")[: int((sizes > 0).sum())]
    start = 0
    while start < len(order):
        stop = start + max(1, _CELLS // int(sizes[order[start]]))
        yield order[start:stop]
        start = stop


def _padded(counts: WordCounts, rows: NDArray[np.intp]) -> tuple[Singles, NDArray[np.int32]]:
    """Occurrences and words of these texts, each of shape (texts, longest)."""
    starts, sizes = counts.starts[rows], (counts.starts[1:] - counts.starts[:-1])[rows]
    column = np.arange(int(sizes.max()))
    is_word = column < sizes[:, None]
    place = np.where(is_word, starts[:, None] + column, starts[:, None])
    return np.where(is_word, counts.times[place], np.float32(0)), counts.word[place]


MOST_WORDS = 10_000
_PAPERS_PER_TOPIC = 10
_PASSES = 3
_TOPIC_PRIOR = 0.1
_WORD_PRIOR = 0.01
_LEAST_CHANCE = 1e-12


@dataclass(frozen=True)
class CountedTexts:
    """Texts as counts of the words that topics are made of. `vocabulary`: these words."""

    vocabulary: Sequence[str]
    counts: WordCounts


def count_texts(texts: Sequence[str]) -> CountedTexts | None:
    """Counts the words that are shared by some of the texts and not by most of them. None for fewer than two."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # noqa: PLC0415

    fewest = 5 if len(texts) >= 1000 else 2
    known = vocabulary(texts, MOST_WORDS, fewest, frozenset(ENGLISH_STOP_WORDS))
    if len(known) < 2:
        return None
    return CountedTexts(known, counts(texts, {word: place for place, word in enumerate(known)}))


def fit_topics(texts: Sequence[str], topics: int, seed: int) -> TopicModel | None:
    """Fits a topic model to texts; see `fit_counted`. None where the texts share fewer than two words."""
    counted = count_texts(texts)
    return fit_counted(counted, topics, seed) if counted else None


def fit_counted(counted: CountedTexts, topics: int, seed: int) -> TopicModel:
    """Fits a topic model with at most one topic for ten texts. Takes about 10 seconds for 20,000 abstracts and 50
    topics."""
    # Only fitting needs these, and loading them takes longer than scoring a hundred ideas.
    from scipy.sparse import csr_matrix  # noqa: PLC0415
    from sklearn.decomposition import LatentDirichletAllocation  # noqa: PLC0415

    result, known = counted.counts, counted.vocabulary
    texts = len(result.starts) - 1
    model = LatentDirichletAllocation(  # type: ignore[no-untyped-call]
        n_components=min(topics, max(2, texts // _PAPERS_PER_TOPIC)),
        doc_topic_prior=_TOPIC_PRIOR,
        topic_word_prior=_WORD_PRIOR,
        learning_method="online",
        learning_offset=10.0,
        batch_size=512,
        max_doc_update_iter=20,
        mean_change_tol=0.01,
        total_samples=texts,
        random_state=seed,
    )
    shape = (texts, len(known))
    table = csr_matrix((result.times, result.word, result.starts), shape=shape)  # type: ignore[no-untyped-call]
    for _ in range(_PASSES):  # as `fit` does, without its perplexity, which would take as long again
        model.partial_fit(table)
    weight = np.asarray(model.components_, dtype=float)
    phi = np.maximum(weight / weight.sum(axis=1, keepdims=True), _LEAST_CHANCE)
    return TopicModel(phi.astype(np.float32), known, _TOPIC_PRIOR)
