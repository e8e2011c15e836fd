"""What an evaluation found, as records: every number with its interval."""

from __future__ import annotations

from novum.core import Value
from novum.statistics.records import Estimate

MODEL = "the model"


class ScoreEvaluation(Value):
    """How well one score ranked the pairs: means over the years."""

    name: str
    auc: Estimate
    average_precision: Estimate
    precision_at_k: Estimate


class ModelMargin(Value):
    """The model less the best of the simple scores. `sure`: the interval holds no zero."""

    measure: str
    best: str
    """The simple score that did best by this measure."""
    difference: Estimate

    @property
    def sure(self) -> bool:
        """Whether the model is surely better."""
        return self.difference.low is not None and self.difference.low > 0

    @property
    def verdict(self) -> str:
        """The same in words; empty where nothing was drawn to be sure by."""
        if self.difference.low is None or self.difference.high is None:
            return ""
        return "surely better" if self.sure else "surely worse" if self.difference.high < 0 else "not surely better"


class ProbabilityBin(Value):
    """Pairs of about the same probability: predicted (`told`) and actual (`came`) share."""

    pairs: int
    told: float
    came: Estimate


class CalibrationEvaluation(Value):
    """Quality of the probabilities. `ratio`: linked pairs, predicted over actual, 1 at best; `error`: mean difference
    of the two over the bins, weighted by pairs."""

    ratio: Estimate
    error: float
    bins: tuple[ProbabilityBin, ...]


class YearEvaluation(Value):
    """The forecast from one year. `pairs`: evaluated, out of `of` unlinked ones; `told`: predicted number of links, the
    sum of the probabilities."""

    year: int
    concepts: int
    pairs: int
    of: int
    joined: int
    told: float
    auc: float | None
    average_precision: float | None
    precision_at_k: float | None


class FieldEvaluation(Value):
    """Pairs of concepts of one field: the model, and the score that did best over all, `best`."""

    field: str
    best: str
    pairs: int
    joined: int
    auc: Estimate
    average_precision: Estimate
    best_auc: Estimate
    best_average_precision: Estimate


class AttentionEvaluation(Value):
    """Rank correlation of the expected standing of first joint papers with what it became; beside it that of
    preferential attachment."""

    pairs: int
    model: Estimate
    attachment: Estimate


class ForecastEvaluation(Value):
    """Forecasts of past years, held against what came."""

    horizon: int
    joint: int
    fewest: int
    k: int
    draws: int
    years: tuple[YearEvaluation, ...]
    scores: tuple[ScoreEvaluation, ...]
    """The model first."""
    margins: tuple[ModelMargin, ...]
    calibration: CalibrationEvaluation
    fields: tuple[FieldEvaluation, ...] = ()
    thin: dict[str, int] = {}
    """Fields of which too few pairs were joined to say anything, and how many."""
    attention: AttentionEvaluation | None = None
    skipped: dict[int, str] = {}
    """Years that taught too little, and why."""
    titles_only: bool = False
    """Whether titles and keywords alone were read, because hardly any paper has an abstract."""
