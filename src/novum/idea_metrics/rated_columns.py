"""Ideas that people rated, as columns that weights and predicted feedback can be learnt from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from novum.core import Scorecard, normal_title
from novum.idea_metrics.feedback import Feedback
from novum.idea_metrics.metric import Vectors

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Pair:
    """What people said of two rated ideas."""

    first: int
    """Row of the first idea."""
    second: int
    preference: int
    """1 to 5 (eq. 28)."""


@dataclass(frozen=True)
class Teaching:
    """`n` ideas. A number that is not known is NaN."""

    parts: Floats
    """Shape (n, k): what a composite is made of, each on the scale on which it enters it."""
    weights: Mapping[str, float]
    """Of these k parts, in the order of the columns, as they were before."""
    ratings: Floats
    """By people, from 0 to 1, shape (n,)."""
    groups: NDArray[np.intp]
    """Ideas that were compared with each other, or say the same, are of one group and are never told apart; shape
    (n,)."""
    criteria: Mapping[str, Floats] = field(default_factory=dict)
    """Ratings on single criteria, each of shape (n,)."""
    pairs: Sequence[Pair] = ()
    vectors: Vectors | None = None
    """Embeddings, shape (n, d), where predicted feedback is to be learnt, too."""
    feedback: Feedback | None = None
    """As it was before; its column is learnt anew from whatever is learnt from."""

    def __len__(self) -> int:
        return len(self.ratings)

    @property
    def names(self) -> list[str]:
        """Of the columns."""
        return list(self.weights)

    def split(self, kept: Rows, held: Rows) -> tuple[Floats, Floats]:
        """The columns of the rows to learn from and of those left out, neither of which saw its own rating."""
        if self.feedback is None or self.vectors is None or Feedback.name not in self.names:
            return self.parts[kept], self.parts[held]
        learnt, made = self.feedback.learn(self.vectors[kept], self.ratings[kept])
        column, scale = self.names.index(Feedback.name), learnt.scale
        seen, unseen = self.parts[kept].copy(), self.parts[held].copy()
        for rows, said in ((seen, np.clip(made.left_out, 0, 1)), (unseen, learnt.predict(self.vectors[held]))):
            rows[:, column] = said if scale is None else scale.share(said)
        return seen, unseen

    def relearnt(self) -> Feedback | None:
        """Predicted feedback as all ratings have it; None where it is not to be learnt."""
        if self.feedback is None or self.vectors is None:
            return None
        return self.feedback.learn(self.vectors, self.ratings)[0]


def teaching_of(
    cards: Sequence[Scorecard], weights: Mapping[str, float], ratings: Floats, *, corrected: bool = True
) -> Teaching:
    """Of the Creativity Index or the User Satisfaction Score, told apart by their parts: the index is made of raw parts
    and the score of scaled ones. `corrected`: which way of originality the index takes."""
    index = "originality" in weights or "feasibility" in weights
    columns = [[_number(card, name, raw=index, corrected=corrected) for card in cards] for name in weights]
    parts = np.array(columns, dtype=float).reshape(len(weights), len(cards)).T
    return Teaching(parts, weights, ratings, _same_words(cards))


def told_apart(teaching: Teaching, pairs: Sequence[Pair]) -> Teaching:
    """With these pairs; groups that are linked by pairs become one."""
    names, group = np.unique(teaching.groups, return_inverse=True)
    first, second = (group[[getattr(pair, side) for pair in pairs]] for side in ("first", "second"))
    size = (len(names), len(names))
    links = csr_array((np.ones(len(pairs)), (first, second)), shape=size)  # type: ignore[no-untyped-call]
    linked = connected_components(links, directed=False)[1].astype(np.intp)
    return replace(teaching, pairs=tuple(pairs), groups=linked[group])


def _same_words(cards: Sequence[Scorecard]) -> NDArray[np.intp]:
    """One idea on two topics is rated twice, and its embedding would carry a rating over to where it is left out."""
    words = [normal_title(card.subject.whole) or card.subject.id for card in cards]
    return np.unique(words, return_inverse=True)[1].astype(np.intp)


def _number(card: Scorecard, name: str, *, raw: bool, corrected: bool) -> float | None:
    if corrected and raw and name == "originality":
        name = "originality_corrected"
    part = card.parts.get(name)
    return None if part is None else part.raw if raw else part.scaled
