"""Potential impact (equation 3): predicted citations divided by the largest prediction for a paper of the library.

Citations grow with the age of a paper, and an idea has none. So all predictions are for one year of publication, the
median of the training papers: the citations that the idea would have today had it been published then.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from novum.core.arrays import Floats, Vectors
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.impact.booster import Predictor
from novum.idea_metrics.impact.evaluation import evaluate_predictor
from novum.idea_metrics.impact.features import GROUPS, ImpactFeatures
from novum.idea_metrics.impact.training import FEWEST, Target, target_of, train, training_rows
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.publication_history import PublicationHistory

_LEAST_EFFECT = 0.05
"""Smallest effect of a group of columns on the logarithm of citations that an explanation names, about 5 %."""
_NOTHING = f"too few papers of the library have known citations ({FEWEST} are needed), or all have the same"
_MOST = 50.0
"""Upper limit of the logarithm of citations, also for a model from another source."""


@dataclass(frozen=True)
class _BatchImpact:
    """Data for the explanations of a batch: predicted citations, shape (n,), and the effect of each group of columns,
    shape (n,)."""

    citations: Floats
    effects: Mapping[str, Floats]


@dataclass(frozen=True)
class FittedImpact:
    """The fitted predictor. `year`: the year of publication for which citations are predicted, NaN where no paper has a
    year; `highest`: the largest prediction for a paper of the library."""

    features: ImpactFeatures
    predictor: Predictor
    year: float
    highest: float

    @classmethod
    def of(cls, corpus: Corpus, history: PublicationHistory, target: Target, seed: int) -> Self:
        """Fits to all papers whose citations are known."""
        rows = training_rows(target.rows, seed)
        features = ImpactFeatures.fit(corpus, rows, history, seed)
        matrix = features.of_papers(corpus, np.arange(len(corpus)))
        predictor = train(features, matrix[rows], target.values[rows], seed)
        dated = corpus.years[rows][~np.isnan(corpus.years[rows])]
        result = cls(features, predictor, float(np.median(dated).round()) if len(dated) else math.nan, 0.0)
        return cls(features, predictor, result.year, max(float(result.citations(matrix).max()), 1e-9))

    def citations(self, matrix: Vectors) -> Floats:
        """Predicted citations, 0 or more, shape (n,). `matrix`: columns of `ImpactFeatures`."""
        predicted = np.clip(self.predictor.predict(self._of_year(matrix)), 0, _MOST)
        citations: Floats = np.expm1(predicted)
        return citations

    def effects(self, matrix: Vectors) -> dict[str, Floats]:
        """The effect of each group of columns except the year on the logarithm of citations, shape (n,); NaN where all
        columns of the group are missing."""
        shares = self.predictor.shares(self._of_year(matrix))
        places = {group: self.features.columns(group) for group in GROUPS if group != "year"}
        return {
            group: np.where(np.isnan(matrix[:, at]).all(axis=1), np.nan, shares[:, at].sum(axis=1))
            for group, at in places.items()
        }

    def _of_year(self, matrix: Vectors) -> Vectors:
        copied = matrix.copy()
        copied[:, self.features.columns("year")] = self.features.aged(np.array([self.year]))
        return copied


@dataclass(frozen=True)
class Impact:
    """Predicted citations of a subject. `fitted`: None where too few citations are known; `quality`: the evaluation of
    the predictor and of simpler models on later years."""

    name: ClassVar[str] = "impact"
    better: ClassVar[int] = 1

    fitted: FittedImpact | None
    quality: Mapping[str, JsonValue]

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of training papers and of trees."""
        papers = self.quality.get("papers")
        if self.fitted is None or not isinstance(papers, int):
            return {}
        return {"impact_papers": papers, "trees": len(self.fitted.predictor.trees.roots)}

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """Evaluates the predictor on later years, then fits it to all papers. Not available where too few citations are
        known."""
        past = PublicationHistory.of(corpus)
        target = target_of(corpus, past)
        if target is None:
            return cls(None, {"untested": _NOTHING})
        quality = evaluate_predictor(corpus, past, target, seed)
        return cls(FittedImpact.of(corpus, past, target, seed), quality)

    def measure(self, batch: SubjectBatch) -> Floats:
        """Potential impact, 0 to 1, shape (n,); NaN for a subject without text."""
        if self.fitted is None or not len(batch):
            return np.full(len(batch), np.nan)
        citations = self.fitted.citations(self.fitted.features.matrix(batch.subjects, batch.vectors))
        return np.where(batch.empty, np.nan, np.minimum(citations / self.fitted.highest, 1.0))

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        if self.fitted is None:
            return _NOTHING
        if np.isnan(raw):
            return "the idea has no text to predict citations from"
        fitted = self.fitted
        values = batch.once(self, lambda: _batch_impact(fitted, batch))
        year = "" if math.isnan(fitted.year) else f", had it been published in {fitted.year:.0f}"
        effects = {group: float(by[row]) for group, by in values.effects.items() if not np.isnan(by[row])}
        return (
            f"about {values.citations[row]:,.0f} citations{year}; most in the library: "
            f"{fitted.highest:,.0f}{_effects_in_words(effects)}"
        )

    def state(self) -> ModelState:
        facts: dict[str, JsonValue] = {"quality": dict(self.quality)}
        if self.fitted is None:
            return ModelState(facts=facts)
        features, predictor = self.fitted.features, self.fitted.predictor.state()
        facts |= {"venues": list(features.venues), "fields": list(features.fields), "highest": self.fitted.highest}
        facts["year"] = None if math.isnan(self.fitted.year) else self.fitted.year
        arrays: dict[str, NDArray[np.generic]] = {"middle": features.middle, "axes": features.axes}
        return ModelState({**arrays, **features.past.arrays(), **predictor.arrays}, facts, predictor.files)

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        quality = state.facts["quality"]
        if not isinstance(quality, dict):
            raise ValueError("the quality of the citation predictor is damaged")
        return cls(_fitted(state) if "highest" in state.facts else None, quality)


def _batch_impact(fitted: FittedImpact, batch: SubjectBatch) -> _BatchImpact:
    matrix = fitted.features.matrix(batch.subjects, batch.vectors)
    return _BatchImpact(fitted.citations(matrix), fitted.effects(matrix))


def _fitted(state: ModelState) -> FittedImpact:
    middle, axes = (state.arrays[name].astype(np.float32) for name in ("middle", "axes"))
    if axes.ndim != 2 or middle.shape != axes.shape[1:]:
        raise ValueError("the axes of the embedding are damaged")
    names = {name: tuple(state.texts(name)) for name in ("venues", "fields")}
    features = ImpactFeatures(
        middle, axes, names["venues"], names["fields"], PublicationHistory.from_arrays(state.arrays)
    )
    year = math.nan if state.facts["year"] is None else state.number("year")
    highest = state.number("highest")
    if not highest > 0:
        raise ValueError("the largest predicted number of citations is not above 0")
    return FittedImpact(features, Predictor.of_state(state, len(features.groups)), year, highest)


def _effects_in_words(effects: Mapping[str, float]) -> str:
    """Such as `; raised by text (×1.4), lowered by venue (×0.8)`, the largest effects first."""
    largest = [
        each for each in sorted(effects.items(), key=lambda each: -abs(each[1])) if abs(each[1]) >= _LEAST_EFFECT
    ]
    texts = {group: f"{group} (×{math.exp(min(effect, _MOST)):.2g})" for group, effect in largest}
    raised = ", ".join(text for group, text in texts.items() if effects[group] > 0)
    lowered = ", ".join(text for group, text in texts.items() if effects[group] < 0)
    parts = [f"{how} by {which}" for how, which in (("raised", raised), ("lowered", lowered)) if which]
    return "; " + "; ".join(parts) if parts else ""
