"""Potential impact (equation 3): predicted citations by the largest that is predicted in the library.

Citations grow with the years that a paper has had, whatever it is worth, and an idea has had none. So all are asked as
of one year, the middle one of the papers learnt from: what would this be cited today if it had appeared then?
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

_FELT = 0.05
"""A group that moves the prediction by less, about 5 %, is not told."""
_NOTHING = f"too few papers of the library have known citations ({FEWEST} are needed), or all have the same"
_MOST = 50.0
"""No logarithm of citations is larger, whatever a model from elsewhere may say."""


@dataclass(frozen=True)
class _BatchImpact:
    """What explanations of a batch are made of: predicted citations, shape (n,), and what moved them."""

    citations: Floats
    moved: Mapping[str, Floats]


@dataclass(frozen=True)
class LearnedImpact:
    """`year`: as of which all are asked, NaN where the library knows none; `highest`: the largest number of citations
    predicted for a paper of the library."""

    features: ImpactFeatures
    predictor: Predictor
    year: float
    highest: float

    @classmethod
    def of(cls, corpus: Corpus, history: PublicationHistory, target: Target, seed: int) -> Self:
        """From all papers whose citations are known, of early years and late."""
        rows = training_rows(target.rows, seed)
        features = ImpactFeatures.fit(corpus, rows, history, seed)
        matrix = features.of_papers(corpus, np.arange(len(corpus)))
        predictor = train(features, matrix[rows], target.values[rows], seed)
        dated = corpus.years[rows][~np.isnan(corpus.years[rows])]
        result = cls(features, predictor, float(np.median(dated).round()) if len(dated) else math.nan, 0.0)
        return cls(features, predictor, result.year, max(float(result.citations(matrix).max()), 1e-9))

    def citations(self, matrix: Vectors) -> Floats:
        """As of that year; 0 or more."""
        predicted = np.clip(self.predictor.predict(self._of_that_year(matrix)), 0, _MOST)
        citations: Floats = np.expm1(predicted)
        return citations

    def moved_by(self, matrix: Vectors) -> dict[str, Floats]:
        """By how much each group raises the logarithm of citations, shape (n,), the year left out; NaN where nothing is
        known of the group."""
        shares = self.predictor.shares(self._of_that_year(matrix))
        places = {group: self.features.columns(group) for group in GROUPS if group != "year"}
        return {
            group: np.where(np.isnan(matrix[:, at]).all(axis=1), np.nan, shares[:, at].sum(axis=1))
            for group, at in places.items()
        }

    def _of_that_year(self, matrix: Vectors) -> Vectors:
        asked = matrix.copy()
        asked[:, self.features.columns("year")] = self.features.aged(np.array([self.year]))
        return asked


@dataclass(frozen=True)
class Impact:
    """`learnt`: None where the library knows too little of citations; `quality`: how the predictor did on later years,
    and how simpler ones did."""

    name: ClassVar[str] = "impact"
    better: ClassVar[int] = 1

    learned: LearnedImpact | None
    quality: Mapping[str, JsonValue]

    @property
    def sizes(self) -> dict[str, int]:
        """Papers that it learnt from, and trees that it grew."""
        papers = self.quality.get("papers")
        if self.learned is None or not isinstance(papers, int):
            return {}
        return {"impact_papers": papers, "trees": len(self.learned.predictor.trees.roots)}

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """Tried on later years first, then learnt anew from all. Says nothing where there is too little to learn."""
        past = PublicationHistory.of(corpus)
        target = target_of(corpus, past)
        if target is None:
            return cls(None, {"untested": _NOTHING})
        quality = evaluate_predictor(corpus, past, target, seed)
        return cls(LearnedImpact.of(corpus, past, target, seed), quality)

    def measure(self, batch: SubjectBatch) -> Floats:
        """0 to 1; an idea without a text has none."""
        if self.learned is None or not len(batch):
            return np.full(len(batch), np.nan)
        citations = self.learned.citations(self.learned.features.matrix(batch.subjects, batch.vectors))
        return np.where(batch.empty, np.nan, np.minimum(citations / self.learned.highest, 1.0))

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        if self.learned is None:
            return _NOTHING
        if np.isnan(raw):
            return "there is no text to foretell citations from"
        learned = self.learned
        values = batch.once(self, lambda: _told(learned, batch))
        asked = "" if math.isnan(learned.year) else f", had it appeared in {learned.year:.0f}"
        moved = {group: float(by[row]) for group, by in values.moved.items() if not np.isnan(by[row])}
        return (
            f"about {values.citations[row]:,.0f} citations{asked}; most in the library: "
            f"{learned.highest:,.0f}{_moved(moved)}"
        )

    def state(self) -> ModelState:
        facts: dict[str, JsonValue] = {"quality": dict(self.quality)}
        if self.learned is None:
            return ModelState(facts=facts)
        features, predictor = self.learned.features, self.learned.predictor.state()
        facts |= {"venues": list(features.venues), "fields": list(features.fields), "highest": self.learned.highest}
        facts["year"] = None if math.isnan(self.learned.year) else self.learned.year
        arrays: dict[str, NDArray[np.generic]] = {"middle": features.middle, "axes": features.axes}
        return ModelState({**arrays, **features.past.arrays(), **predictor.arrays}, facts, predictor.files)

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        quality = state.facts["quality"]
        if not isinstance(quality, dict):
            raise ValueError("the quality of the citation predictor is no record")
        return cls(_learnt(state) if "highest" in state.facts else None, quality)


def _told(learned: LearnedImpact, batch: SubjectBatch) -> _BatchImpact:
    matrix = learned.features.matrix(batch.subjects, batch.vectors)
    return _BatchImpact(learned.citations(matrix), learned.moved_by(matrix))


def _learnt(state: ModelState) -> LearnedImpact:
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
        raise ValueError("the largest number of citations is none")
    return LearnedImpact(features, Predictor.of_state(state, len(features.groups)), year, highest)


def _moved(by: Mapping[str, float]) -> str:
    """`; raised by text (×1.4), lowered by venue (×0.8)`: largest first."""
    largest = sorted(by, key=lambda group: -abs(by[group]))
    mapping = {
        group: f"{group} (×{math.exp(min(by[group], _MOST)):.2g})" for group in largest if abs(by[group]) >= _FELT
    }
    raised = ", ".join(text for group, text in mapping.items() if by[group] > 0)
    lowered = ", ".join(text for group, text in mapping.items() if by[group] < 0)
    parts = [f"{how} by {which}" for how, which in (("raised", raised), ("lowered", lowered)) if which]
    return "; " + "; ".join(parts) if parts else ""
