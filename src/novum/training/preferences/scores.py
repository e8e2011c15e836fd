"""The scores behind a preference, from a fitted model.

Candidates come with their vectors, and a topic is embedded once for all of its ideas: a paid embedder embeds nothing
twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from novum.core import Scorecard, Subject
from novum.core.arrays import Floats, Vectors
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.model import embedded
from novum.literature import Embedder
from novum.training.preferences.records import Better, Form

_BATCH = 256
_CREATIVITY: Final[dict[str, str]] = {
    "fitted": "creativity",
    "published": "creativity_published",
    "corrected": "creativity_corrected",
}


class Scorer(Protocol):
    """Scores ideas; a fitted model is one."""

    @property
    def embedder(self) -> Embedder:
        """The embedder of the candidates' vectors."""
        ...

    def score_batch(self, batch: SubjectBatch, *, explain: bool = True) -> list[Scorecard]:
        """A card for each subject, in their order."""
        ...


@dataclass(frozen=True)
class Scores:
    """The scores of each candidate, shape (n,); NaN if the model has none."""

    creativity: Floats
    satisfaction: Floats
    rating: Floats
    """The predicted rating."""

    def ranks(self, better: Better) -> tuple[Floats, ...]:
        """The scores that decide, as the share of candidates that score lower, equal scores counting half. Margins use
        these ranks, since the scores lie in a narrow band whose width depends on the library."""
        if better == "published":
            return _ranks(self.creativity), _ranks(self.satisfaction)
        return (_ranks(self.rating),)


async def score_candidates(
    model: Scorer, subjects: Sequence[Subject], vectors: Vectors, form: Form,
    progress: Callable[[int], None] = lambda done: None,
) -> Scores:  # fmt: skip
    """Scores all subjects in batches. `vectors`: one unit vector each. `progress` is called with the number done."""
    interests_once = list(dict.fromkeys(each.interests for each in subjects))
    interest = dict(zip(interests_once, await embedded(interests_once, model.embedder), strict=True))
    creativity, satisfaction, rating = np.full((3, len(subjects)), np.nan)
    for begin in range(0, len(subjects), _BATCH):
        some = subjects[begin : begin + _BATCH]
        interests = np.stack([interest[each.interests] for each in some])
        samples = [await embedded(each.samples, model.embedder) for each in some]
        batch = SubjectBatch(some, vectors[begin : begin + _BATCH], interests, samples)
        for row, card in enumerate(await asyncio.to_thread(model.score_batch, batch, explain=False), begin):
            creativity[row] = _number(card.of(_CREATIVITY[form]))
            satisfaction[row] = _number(card.of("satisfaction"))
            rating[row] = _number(card.of("rating"))
        progress(min(begin + _BATCH, len(subjects)))
    return Scores(creativity, satisfaction, rating)


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def _ranks(values: Floats) -> Floats:
    known = np.sort(values[~np.isnan(values)])
    low, high = np.searchsorted(known, values, "left"), np.searchsorted(known, values, "right")
    shares = (low + high) / (2 * max(1, len(known)))
    return np.where(np.isnan(values), np.nan, shares)
