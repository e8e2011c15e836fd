"""Predicted feedback, PAUF (eq. 11): what people would say of an idea, by a regression on its embedding.

Until people have rated ideas, there is a prior: how far up among the papers of its year a paper like this would come by
citations, which is what the field, not a reader, made of it. Where no citations are known either, the prior is one half
for everything. Ratings then move the regression away from the prior as far as they foretell each other; its constant
follows them at once, since people's grades have a mean of their own.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar, Literal, Self, get_args

import numpy as np
from pydantic import JsonValue

from novum.core.arrays import Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.ridge import Ridge, ridge
from novum.statistics.quantile_table import QuantileTable, share_below

FeedbackSource = Literal["constant", "citations", "ratings"]
MOST_PAPERS = 20_000
"""Papers that the prior is fitted to; of more, as many are drawn."""
SCALED_BY = 1000
"""Papers that are kept to tell how predictions lie in the library, whatever they are learnt from."""
_FEWEST_CITED = 30
"""Papers with known citations without which there is no prior but one half."""


@dataclass(frozen=True)
class Feedback:
    """A linear function of the embedding, cut off at 0 and 1."""

    name: ClassVar[str] = "feedback"
    better: ClassVar[int] = 1

    weights: Floats
    """Of the embedding, and last of a constant; shape (d + 1,)."""
    prior: Floats
    """The weights before any rating."""
    source: FeedbackSource
    """What the weights were learnt from."""
    learnt_from: int
    """Papers or ratings."""
    error: float
    """Root mean squared error on what was left out; NaN where nothing was learnt."""
    prior_learnt_from: int
    prior_error: float
    sample: Vectors
    """Some of the library's papers, shape (m, d)."""

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """The prior."""
        rng = np.random.default_rng(seed)
        sample = corpus.vectors[np.sort(rng.permutation(len(corpus))[:SCALED_BY])]
        taken_up = percentiles(corpus.citations, corpus.years)
        rows = np.sort(rng.permutation(np.flatnonzero(np.isfinite(taken_up)))[:MOST_PAPERS])
        none = np.zeros(corpus.vectors.shape[1])
        if len(rows) < _FEWEST_CITED or np.ptp(taken_up[rows]) == 0:
            half = np.append(none, 0.5)
            return cls(half, half, "constant", 0, np.nan, 0, np.nan, sample)
        result = ridge(corpus.vectors[rows].astype(float), taken_up[rows], none)
        weights, error = _with_constant(result), result.error(taken_up[rows])
        return cls(weights, weights, "citations", len(rows), error, len(rows), error, sample)

    def learn(self, vectors: Vectors, ratings: Floats) -> tuple[Self, Ridge]:
        """What people said of n ideas, from 0 to 1, with the embeddings of these: the part that has learnt it, always
        from the prior on and not from earlier ratings, and the regression, which tells what is said of each idea by the
        ratings of the others.

        Raises ValueError where these do not fit together, and for less than two ratings.
        """
        if vectors.shape != (len(ratings), len(self.prior) - 1) or len(ratings) < 2:
            raise ValueError(f"ratings of shape {ratings.shape} do not belong to vectors of shape {vectors.shape}")
        result = ridge(vectors.astype(float), ratings, self.prior[:-1])
        learned = dataclasses.replace(
            self,
            weights=_with_constant(result),
            source="ratings",
            learnt_from=len(ratings),
            error=result.error(ratings),
        )
        return learned, result

    def untaught(self) -> Self:
        """As it was before any rating."""
        source: FeedbackSource = "citations" if self.prior_learnt_from else "constant"
        return dataclasses.replace(
            self, weights=self.prior, source=source, learnt_from=self.prior_learnt_from, error=self.prior_error
        )

    def predict(self, vectors: Vectors) -> Floats:
        """Shape (n,), from 0 to 1."""
        predicted: Floats = np.clip(vectors @ self.weights[:-1] + self.weights[-1], 0, 1)
        return predicted

    @property
    def scale(self) -> QuantileTable | None:
        """How predictions lie among the library's papers."""
        return QuantileTable.of(self.predict(self.sample))

    @property
    def quality(self) -> JsonValue:
        """What the prediction rests on, and how far off it is on what was left out."""
        return {"learnt_from": self.source, "number": self.learnt_from, "error_left_out": _told(self.error)}

    def measure(self, batch: SubjectBatch) -> Floats:
        """Shape (n,), from 0 to 1; NaN where the idea has no text."""
        return np.where(batch.empty, np.nan, self.predict(batch.vectors))

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """Whose opinion it is."""
        if not np.isfinite(raw):
            return "the idea has no text that people could like"
        if self.source == "ratings":
            return f"predicted from {self.learnt_from:,} ratings by people, off by {self.error:.2f} where left out"
        if self.source == "citations":
            return f"no ratings yet: predicted place in its year by citations, from {self.learnt_from:,} papers"
        return "no ratings yet, and citations are not known: one half for every idea"

    def state(self) -> ModelState:
        """Weights and sample."""
        facts: dict[str, JsonValue] = {
            "source": self.source,
            "learnt_from": self.learnt_from,
            "error": _told(self.error),
            "prior_learnt_from": self.prior_learnt_from,
            "prior_error": _told(self.prior_error),
        }
        return ModelState({"weights": self.weights, "prior": self.prior, "sample": self.sample}, facts)

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """Raises KeyError or ValueError where the state is damaged."""
        weights, prior = (np.asarray(state.arrays[name], dtype=float) for name in ("weights", "prior"))
        sample = np.asarray(state.arrays["sample"], dtype=np.float32)
        if weights.ndim != 1 or weights.shape != prior.shape or sample.shape[1:] != (len(weights) - 1,):
            raise ValueError("weights of feedback are of different sizes")
        error, prior_error = (
            np.nan if state.facts[name] is None else state.number(name) for name in ("error", "prior_error")
        )
        n, papers = int(state.number("learnt_from")), int(state.number("prior_learnt_from"))
        return cls(weights, prior, _source(state.facts["source"]), n, error, papers, prior_error, sample)


def percentiles(citations: Floats, years: Floats) -> Floats:
    """For each paper the share of those of its year that are cited less, equals counting half: from 0 to 1, one half on
    average. NaN where citations or year are not known, and for the only paper of a year."""
    values = np.full(len(citations), np.nan)
    known = np.isfinite(citations) & np.isfinite(years)
    for year in np.unique(years[known]):
        rows = np.flatnonzero(known & (years == year))
        if len(rows) > 1:
            values[rows] = share_below(np.sort(citations[rows]), citations[rows])
    return values


def _with_constant(made: Ridge) -> Floats:
    return np.append(made.weights, made.constant)


def _told(error: float) -> float | None:
    return error if np.isfinite(error) else None


def _source(value: JsonValue) -> FeedbackSource:
    for known in get_args(FeedbackSource):
        if value == known:
            result: FeedbackSource = known
            return result
    raise ValueError(f"unknown source of feedback: {value!r}")
