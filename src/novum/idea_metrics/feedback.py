"""Predicted feedback, PAUF (eq. 11): the expected rating of an idea by people, by a linear model of its embedding.

Without ratings the model is a prior, fitted to the predicted rating of the library's papers (`review_rating`); where
that has no basis, in another field, to their citation percentile within their year; and one half for every idea where
no citations are known either. With ratings it is a ridge regression towards the weights of the prior, as far from them
as predicts held-out ratings best. The constant is not regularised, since the mean of ratings differs from that of the
prior.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, cast, get_args

import numpy as np
from pydantic import JsonValue

from novum.core.arrays import Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.review_rating import default_rating_model
from novum.idea_metrics.ridge import Ridge, ridge
from novum.statistics.quantile_table import QuantileTable, share_below

FeedbackSource = Literal["constant", "citations", "predicted ratings", "ratings"]
MOST_PAPERS = 20_000
"""Papers that the prior is fitted to at most; of more, a random sample."""
SCALED_BY = 1000
"""Stored papers from which the distribution of predictions in the library is computed."""
_FEWEST_CITED = 30
"""Papers with known citations that the prior needs; otherwise it is one half."""
_RATABLE = 0.5
"""Share of the papers that the rating model must have a basis for; otherwise the library is of another field."""


@dataclass(frozen=True)
class Feedback:
    """A linear function of the embedding, clipped to 0 to 1."""

    name: ClassVar[str] = "feedback"
    better: ClassVar[int] = 1

    weights: Floats
    """Weights of the embedding, followed by the constant, shape (d + 1,)."""
    prior: Floats
    """The weights of the prior, shape (d + 1,)."""
    source: FeedbackSource
    """What the weights were fitted to."""
    learnt_from: int
    """Number of papers or ratings."""
    error: float
    """Root mean squared error on held-out targets; NaN where nothing was fitted."""
    prior_learnt_from: int
    prior_error: float
    sample: Vectors
    """Embeddings of a sample of the library's papers, shape (m, d)."""
    prior_source: FeedbackSource
    """What the prior was fitted to."""

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """Fits the prior."""
        rng = np.random.default_rng(seed)
        sample = corpus.vectors[np.sort(rng.permutation(len(corpus))[:SCALED_BY])]
        targets, source = _prior_targets(corpus)
        rows = np.sort(rng.permutation(np.flatnonzero(np.isfinite(targets)))[:MOST_PAPERS])
        none = np.zeros(corpus.vectors.shape[1])
        if len(rows) < _FEWEST_CITED or np.ptp(targets[rows]) == 0:
            half = np.append(none, 0.5)
            return cls(half, half, "constant", 0, np.nan, 0, np.nan, sample, "constant")
        fitted = ridge(corpus.vectors[rows].astype(float), targets[rows], none)
        weights, error = _with_constant(fitted), fitted.error(targets[rows])
        return cls(weights, weights, source, len(rows), error, len(rows), error, sample, source)

    def learn(self, vectors: Vectors, ratings: Floats) -> tuple[Self, Ridge]:
        """The metric fitted to people's ratings of n ideas, 0 to 1, shape (n,), with their embeddings, shape (n, d);
        and the regression, which has the prediction of each idea from the ratings of the others. It starts from the
        prior, not from earlier ratings.

        Raises ValueError where the shapes do not fit together, and for fewer than two ratings.
        """
        if vectors.shape != (len(ratings), len(self.prior) - 1) or len(ratings) < 2:
            raise ValueError(f"ratings of shape {ratings.shape} do not belong to vectors of shape {vectors.shape}")
        fitted = ridge(vectors.astype(float), ratings, self.prior[:-1])
        weights, error = _with_constant(fitted), fitted.error(ratings)
        changes: dict[str, Any] = {"weights": weights, "source": "ratings", "learnt_from": len(ratings), "error": error}
        return dataclasses.replace(self, **changes), fitted

    def without_ratings(self) -> Self:
        """The metric before any ratings: the prior."""
        return dataclasses.replace(
            self,
            weights=self.prior,
            source=self.prior_source,
            learnt_from=self.prior_learnt_from,
            error=self.prior_error,
        )

    def predict(self, vectors: Vectors) -> Floats:
        """Predicted ratings, 0 to 1, shape (n,). `vectors`: embeddings, shape (n, d)."""
        predicted: Floats = np.clip(vectors @ self.weights[:-1] + self.weights[-1], 0, 1)
        return predicted

    @property
    def scale(self) -> QuantileTable | None:
        """The distribution of predictions for papers of the library; None without stored papers."""
        return QuantileTable.of(self.predict(self.sample))

    @property
    def quality(self) -> JsonValue:
        """What the model was fitted to, and its error on held-out targets."""
        return {"learnt_from": self.source, "number": self.learnt_from, "error_left_out": _finite(self.error)}

    def measure(self, batch: SubjectBatch) -> Floats:
        """Predicted ratings, 0 to 1, shape (n,); NaN for a subject without text."""
        return np.where(batch.empty, np.nan, self.predict(batch.vectors))

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        """What the prediction is based on."""
        if not np.isfinite(raw):
            return "the idea has no text"
        if self.source == "ratings":
            return f"predicted from {self.learnt_from:,} ratings by people; error on held-out ones: {self.error:.2f}"
        if self.source == "predicted ratings":
            return f"no ratings yet: the predicted rating of papers like it, from {self.learnt_from:,} papers"
        if self.source == "citations":
            return f"no ratings yet: predicted citation percentile in its year, from {self.learnt_from:,} papers"
        return "no ratings yet, and citations are unknown: one half for every idea"

    def state(self) -> ModelState:
        """Weights, prior and sample."""
        facts: dict[str, JsonValue] = {
            "source": self.source,
            "learnt_from": self.learnt_from,
            "error": _finite(self.error),
            "prior_learnt_from": self.prior_learnt_from,
            "prior_error": _finite(self.prior_error),
            "prior_source": self.prior_source,
        }
        return ModelState({"weights": self.weights, "prior": self.prior, "sample": self.sample}, facts)

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The metric from its stored state. Raises KeyError or ValueError where that is damaged."""
        weights, prior = (np.asarray(state.arrays[name], dtype=float) for name in ("weights", "prior"))
        sample = np.asarray(state.arrays["sample"], dtype=np.float32)
        if weights.ndim != 1 or weights.shape != prior.shape or sample.shape[1:] != (len(weights) - 1,):
            raise ValueError("the weights of feedback have different sizes")
        error, prior_error = (
            np.nan if state.facts[name] is None else state.number(name) for name in ("error", "prior_error")
        )
        n, papers = int(state.number("learnt_from")), int(state.number("prior_learnt_from"))
        before = _source(state.facts.get("prior_source", "citations" if papers else "constant"))  # older models: unsaid
        return cls(weights, prior, _source(state.facts["source"]), n, error, papers, prior_error, sample, before)


def _prior_targets(corpus: Corpus) -> tuple[Floats, FeedbackSource]:
    """What the prior is fitted to, 0 to 1, shape (n,), NaN where unknown: for each paper the share of reviewed papers
    with a lower predicted rating, or its citation percentile."""
    looked_at = range(min(len(corpus), MOST_PAPERS))
    made = default_rating_model().predict(corpus.subjects(looked_at))
    shares = np.full(len(corpus), np.nan)
    shares[: len(made)] = [np.nan if each.share is None else each.share for each in made]
    if np.isfinite(shares[: len(made)]).mean() >= _RATABLE:
        return shares, "predicted ratings"
    return percentiles(corpus.citations, corpus.years), "citations"


def percentiles(citations: Floats, years: Floats) -> Floats:
    """Citation percentile of each paper within its year, shape (n,): the share of its papers with fewer citations,
    equal ones counting half, 0 to 1. NaN where citations or year are unknown, and for the only paper of a year."""
    values = np.full(len(citations), np.nan)
    known = np.isfinite(citations) & np.isfinite(years)
    for year in np.unique(years[known]):
        rows = np.flatnonzero(known & (years == year))
        if len(rows) > 1:
            values[rows] = share_below(np.sort(citations[rows]), citations[rows])
    return values


def _with_constant(fitted: Ridge) -> Floats:
    return np.append(fitted.weights, fitted.constant)


def _finite(error: float) -> float | None:
    return error if np.isfinite(error) else None


def _source(value: JsonValue) -> FeedbackSource:
    if value not in get_args(FeedbackSource):
        raise ValueError(f"unknown source of feedback: {value!r}")
    return cast(FeedbackSource, value)
