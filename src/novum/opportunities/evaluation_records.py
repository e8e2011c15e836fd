"""The results of an evaluation as records, every number with its interval."""

from __future__ import annotations

from novum.core import Value
from novum.statistics.records import Estimate

MODEL = "the model"


class ScoreEvaluation(Value):
    """Measures of the ranking of pairs by one score: means over the years."""

    name: str
    auc: Estimate
    average_precision: Estimate
    precision_at_k: Estimate


class ModelMargin(Value):
    """The measure of the model minus that of the best simple score."""

    measure: str
    best: str
    """The simple score with the best value of this measure."""
    difference: Estimate

    @property
    def sure(self) -> bool:
        """Whether the model is better with 95 % confidence."""
        return self.difference.low is not None and self.difference.low > 0

    @property
    def verdict(self) -> str:
        """The comparison in words; empty without bootstrap samples."""
        if self.difference.low is None or self.difference.high is None:
            return ""
        return "surely better" if self.sure else "surely worse" if self.difference.high < 0 else "not surely better"


class ProbabilityBin(Value):
    """Pairs of about the same probability, with the predicted (`told`) and the actual (`came`) share of linked
    pairs."""

    pairs: int
    told: float
    came: Estimate


class CalibrationEvaluation(Value):
    """Quality of the probabilities. `ratio`: predicted number of linked pairs divided by the actual one, 1 at best;
    `error`: mean absolute difference of the two shares over the bins, weighted by pairs."""

    ratio: Estimate
    error: float
    bins: tuple[ProbabilityBin, ...]


class YearEvaluation(Value):
    """The forecast from one year. `pairs`: evaluated pairs, of `of` unlinked ones; `joined`: pairs that became linked;
    `told`: their predicted number, the sum of the probabilities."""

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
    """Pairs of concepts of one field: measures of the model, and of `best`, the best simple score over all pairs."""

    field: str
    best: str
    pairs: int
    joined: int
    auc: Estimate
    average_precision: Estimate
    best_auc: Estimate
    best_average_precision: Estimate


class AttentionEvaluation(Value):
    """Rank correlation of the expected with the actual citation rank of first joint papers, and for comparison that of
    preferential attachment."""

    pairs: int
    model: Estimate
    attachment: Estimate


class ForecastEvaluation(Value):
    """Forecasts of past years compared with actual links. `draws`: number of bootstrap samples."""

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
    """Fields with too few newly linked pairs for an evaluation, and the number of these pairs."""
    attention: AttentionEvaluation | None = None
    skipped: dict[int, str] = {}
    """Years with too few data, and the reason."""
    titles_only: bool = False
    """Whether titles and keywords alone were read, because hardly any paper has an abstract."""
