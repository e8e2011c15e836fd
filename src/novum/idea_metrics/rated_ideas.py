"""Ideas that people rated, as columns from which weights and predicted feedback are learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from novum.core import Scorecard, normal_title
from novum.core.arrays import Floats, Vectors
from novum.idea_metrics.feedback import Feedback

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class HumanPreference:
    """People's preference between two rated ideas."""

    first: int
    """Row of the first idea."""
    second: int
    preference: int
    """1 to 5 (eq. 28)."""


@dataclass(frozen=True)
class RatedIdeas:
    """`n` rated ideas. An unknown number is NaN."""

    columns: Floats
    """Shape (n, k): the metrics of a composite, each on the scale on which it enters it."""
    weights: Mapping[str, float]
    """Present weights of these k metrics, in the order of the columns."""
    ratings: Floats
    """By people, from 0 to 1, shape (n,)."""
    groups: Rows
    """Ideas that were compared with each other, or have the same text, share a group and are never separated; shape
    (n,)."""
    criteria: Mapping[str, Floats] = field(default_factory=dict)
    """Ratings on single criteria, each of shape (n,)."""
    pairs: Sequence[HumanPreference] = ()
    vectors: Vectors | None = None
    """Embeddings, shape (n, d), when predicted feedback is learned too."""
    feedback: Feedback | None = None
    """The present one; its column is learned anew from the training rows."""

    def __len__(self) -> int:
        return len(self.ratings)

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return list(self.weights)

    def split(self, train: Rows, test: Rows) -> tuple[Floats, Floats]:
        """The columns of the training rows and of the test rows; no predicted feedback saw its own rating."""
        if self.feedback is None or self.vectors is None or Feedback.name not in self.names:
            return self.columns[train], self.columns[test]
        learned, fitted = self.feedback.learn(self.vectors[train], self.ratings[train])
        column, scale = self.names.index(Feedback.name), learned.scale
        seen, unseen = self.columns[train].copy(), self.columns[test].copy()
        for rows, predicted in ((seen, np.clip(fitted.left_out, 0, 1)), (unseen, learned.predict(self.vectors[test]))):
            rows[:, column] = predicted if scale is None else scale.share(predicted)
        return seen, unseen

    def relearned_feedback(self) -> Feedback | None:
        """Predicted feedback learned from all ratings; None when it is not learned."""
        if self.feedback is None or self.vectors is None:
            return None
        return self.feedback.learn(self.vectors, self.ratings)[0]


def rated_ideas(
    cards: Sequence[Scorecard], weights: Mapping[str, float], ratings: Floats, *, corrected: bool = True
) -> RatedIdeas:
    """Columns for the Creativity Index, made of raw values, or for the User Satisfaction Score, made of scaled ones;
    `weights` shows which. `corrected`: which form of originality the index uses."""
    index = "originality" in weights or "feasibility" in weights
    columns = [[_number(card, name, raw=index, corrected=corrected) for card in cards] for name in weights]
    values = np.array(columns, dtype=float).reshape(len(weights), len(cards)).T
    return RatedIdeas(values, weights, ratings, _same_words(cards))


def with_pairs(ideas: RatedIdeas, pairs: Sequence[HumanPreference]) -> RatedIdeas:
    """The ideas with these pairs; groups that are connected by pairs become one."""
    names, group = np.unique(ideas.groups, return_inverse=True)
    first, second = (group[[getattr(pair, side) for pair in pairs]] for side in ("first", "second"))
    size = (len(names), len(names))
    links = csr_array((np.ones(len(pairs)), (first, second)), shape=size)  # type: ignore[no-untyped-call]
    linked = connected_components(links, directed=False)[1].astype(np.intp)
    return replace(ideas, pairs=tuple(pairs), groups=linked[group])


def _same_words(cards: Sequence[Scorecard]) -> Rows:
    """Groups of ideas with equal text: one idea rated on two topics would leak its rating through its embedding."""
    words = [normal_title(card.subject.whole) or card.subject.id for card in cards]
    return np.unique(words, return_inverse=True)[1].astype(np.intp)


def _number(card: Scorecard, name: str, *, raw: bool, corrected: bool) -> float | None:
    if corrected and raw and name == "originality":
        name = "originality_corrected"
    part = card.parts.get(name)
    return None if part is None else part.raw if raw else part.scaled
