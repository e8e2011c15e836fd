"""How alike two texts are, token by token: each token is matched with the nearest of the other text (the greedy
matching of BERTScore, Zhang et al. 2020), rare tokens weighing more.

Changed: vectors are static, one for each token whatever its neighbours, so a comparison takes no model; equal tokens
are counted instead of written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.judge_evaluation.records import TextSimilarity

Vectors = NDArray[np.float32]
_AT_ONCE = 256
"""Texts held against all things in one go: cosines of more, with many thousands of things, would fill memory."""


@dataclass(frozen=True, eq=False)
class TokenBag:
    """A text: its different tokens as unit vectors, shape (u, d), and what each weighs, shape (u,)."""

    vectors: Vectors
    weights: NDArray[np.float64]

    @property
    def middle(self) -> NDArray[np.float64]:
        """The weighed mean of its vectors, shape (d,)."""
        total = self.weights.sum()
        mean: NDArray[np.float64] = self.weights @ self.vectors / (total if total > 0 else 1)
        return mean


def token_rarity(texts: Sequence[Sequence[int]], vocabulary: int) -> NDArray[np.float64]:
    """ln((N + 1) / (n + 1)) of each token, n being how many of N texts have it: shape (vocabulary,)."""
    having = np.zeros(vocabulary)
    for tokens in texts:
        having[np.unique(np.asarray(tokens, dtype=np.intp))] += 1
    return np.log((len(texts) + 1) / (having + 1))


def token_bag(tokens: Sequence[int], table: Vectors, rare: NDArray[np.float64], most: int = 1_000) -> TokenBag:
    """The text of these tokens, the first `most` of them. `table`: a vector for each token."""
    different, counts = np.unique(np.asarray(tokens[:most], dtype=np.intp), return_counts=True)
    vectors = table[different]
    sizes = np.linalg.norm(vectors, axis=1, keepdims=True)
    weights = np.where(sizes[:, 0] > 0, counts * rare[different], 0)
    return TokenBag((vectors / np.where(sizes > 0, sizes, 1)).astype(np.float32), weights)


def token_similarity(report: TokenBag, real: TokenBag) -> TextSimilarity | None:
    """None where one of them has no token that weighs anything."""
    if report.weights.sum() <= 0 or real.weights.sum() <= 0:
        return None
    near = report.vectors @ real.vectors.T
    precision = float(report.weights @ near.max(axis=1) / report.weights.sum())
    recall = float(real.weights @ near.max(axis=0) / real.weights.sum())
    both = precision + recall
    return TextSimilarity(precision=precision, recall=recall, f=2 * precision * recall / both if both > 0 else 0.0)


def mean_similarity(found: Sequence[TextSimilarity | None]) -> TextSimilarity | None:
    """Of those that there are."""
    known = [each for each in found if each is not None]
    if not known:
        return None
    names = ("precision", "recall", "f")
    return TextSimilarity(**{name: float(np.mean([getattr(each, name) for each in known])) for name in names})


def ranks_of_own(texts: NDArray[np.float64], own: NDArray[np.intp], all_of: NDArray[np.float64]) -> NDArray[np.intp]:
    """Where its `own` row stands for each text (m, d) when the rows `all_of` (n, d) are ordered by cosine about their
    common middle, 1 being the nearest; of equally near ones it comes last, so that an empty text gains nothing."""
    if not len(texts):
        return np.zeros(0, dtype=np.intp)
    middle = all_of.mean(axis=0)
    about = _unit(all_of - middle).T
    directions = np.where(texts.any(axis=1, keepdims=True), _unit(texts - middle), 0)
    found = np.empty(len(texts), dtype=np.intp)
    for begin in range(0, len(texts), _AT_ONCE):
        rows = slice(begin, begin + _AT_ONCE)
        near = directions[rows] @ about
        found[rows] = (near >= near[np.arange(len(near)), own[rows]][:, None]).sum(axis=1)
    return found


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float64] = rows / np.where(sizes > 0, sizes, 1)
    return unit
