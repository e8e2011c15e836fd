"""The report on reviewers as records: every number of its page, with its interval."""

from __future__ import annotations

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun, ReviewerKind
from novum.core.record import Value
from novum.statistics.calibration import ReliabilityBin
from novum.statistics.records import NO_ESTIMATE, Estimate


class RatingFigures(Value):
    """Predicted mean ratings compared with real ones, from 0 to 1."""

    papers: int
    """Papers with a rating of this reviewer."""
    mean: float | None = None
    rmse: Estimate = NO_ESTIMATE
    mae: Estimate = NO_ESTIMATE
    level_rmse: Estimate = NO_ESTIMATE
    """RMSE of errors minus the mean error of the other papers of the venue and year."""
    spearman: Estimate = NO_ESTIMATE
    """Within each venue and year."""
    over_constant: Estimate = NO_ESTIMATE
    """RMSE minus that of the constant on the same papers: below 0 is better."""
    over_ridge: Estimate = NO_ESTIMATE
    level_over_ridge: Estimate = NO_ESTIMATE
    spearman_over_ridge: Estimate = NO_ESTIMATE
    over_base: Estimate = NO_ESTIMATE
    """For trained reviewers: RMSE minus that of the untuned base, on the papers that both have."""
    level_over_base: Estimate = NO_ESTIMATE
    spearman_over_base: Estimate = NO_ESTIMATE


class DecisionFigures(Value):
    """Decisions on papers that were accepted or rejected."""

    papers: int
    """Papers with a decision and a usable answer of this reviewer."""
    accepted: float | None = None
    """Share of accepted papers; the accuracy of accepting all."""
    said: float | None = None
    """Share of papers that the reviewer accepts."""
    own: bool = False
    """Whether the reviewer decides itself; else its ratings are turned into decisions, fitted on other papers."""
    accuracy: Estimate = NO_ESTIMATE
    auc: Estimate = NO_ESTIMATE
    """Of the utility, or of the rating where there is none; within each venue and year."""
    auc_over_ridge: Estimate = NO_ESTIMATE
    calibrated: bool = False
    """Probabilities come from the ratings by cross-fitted logistic regression, not from utilities."""
    brier: Estimate = NO_ESTIMATE
    brier_of_share: float | None = None
    """Of the share of accepted papers as the probability of every paper."""
    error: Estimate = NO_ESTIMATE
    """Expected calibration error."""
    bins: tuple[ReliabilityBin, ...] = ()


class SpreadFigures(Value):
    """Agreement of several reports on one paper."""

    papers: int
    """Papers with two ratings or more."""
    icc: Estimate = NO_ESTIMATE
    difference: Estimate = NO_ESTIMATE
    """Mean absolute difference of two ratings of one paper."""
    noise: Estimate = NO_ESTIMATE
    """RMSE of a perfect prediction of the mean over infinitely many such reviewers."""


class SimilarityFigures(Value):
    """Precision, recall and F, each from 0 to 1."""

    precision: Estimate = NO_ESTIMATE
    recall: Estimate = NO_ESTIMATE
    f: Estimate = NO_ESTIMATE


class GroupFigures(Value):
    """Papers of venues and years of one kind: with both decisions, or nearly all with the same."""

    papers: int
    """With a rating of this reviewer."""
    spearman: Estimate = NO_ESTIMATE
    """Within each venue and year."""
    icc: Estimate = NO_ESTIMATE
    """Of the real reviewers of these papers."""


class TextFigures(Value):
    """Texts of reports."""

    papers: int
    same: SimilarityFigures = SimilarityFigures()
    """Similarity to real reviews of the same paper."""
    other: SimilarityFigures = SimilarityFigures()
    """Similarity to real reviews of another paper."""
    nearest: Estimate = NO_ESTIMATE
    """Share of reports whose criticism is nearer to its own paper than to all others."""
    reciprocal_rank: Estimate = NO_ESTIMATE
    among: int = 0
    """Number of papers that are compared."""


class PreferenceFigures(Value):
    """Comparisons with a real report, in both orders."""

    papers: int
    """Papers with a usable answer in both orders; others are ignored."""
    share: Estimate = NO_ESTIMATE
    """Share of comparisons that preferred this reviewer's report, ties as half."""
    first_seat: float | None = None
    """Share of comparisons that preferred the report in the first position, ties as half: 0.5 is no bias."""
    missing: int = 0


class ReviewerResult(Value):
    """The results of one reviewer."""

    name: str
    kind: ReviewerKind
    of: tuple[str, ...] = ()
    asked: int
    """Requested reports."""
    lost: int
    """Reports without a usable answer."""
    unrated: int
    """Usable reports without a rating."""
    undecided: int
    """Decisions without a usable answer."""
    unreached: int
    """Papers without a request so far."""
    rating: RatingFigures
    decision: DecisionFigures
    mixed: GroupFigures | None = None
    """Where at least a tenth was accepted and a tenth rejected; None without such papers."""
    uniform: GroupFigures | None = None
    """The other venues and years."""
    spread: SpreadFigures
    texts: TextFigures | None = None
    preference: PreferenceFigures | None = None


class JudgeEvaluation(Value):
    """The whole report, with every review in `run`."""

    run: JudgeEvaluationRun
    standings: tuple[ReviewerResult, ...]
    """Reviewers in their order, then baselines."""
    draws: int

    @property
    def evaluated(self) -> tuple[ReviewerResult, ...]:
        """The results of reviewers, without baselines."""
        return tuple(each for each in self.standings if each.kind not in {"constant", "ridge", "real"})

    def of_kind(self, kind: ReviewerKind) -> ReviewerResult | None:
        """The first result of a kind."""
        return next((each for each in self.standings if each.kind == kind), None)
