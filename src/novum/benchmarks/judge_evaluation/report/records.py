"""The report on reviewers as a record: every number that its page shows, with its interval."""

from __future__ import annotations

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun, ReviewerKind
from novum.core.record import Value
from novum.statistics.calibration import ReliabilityBin
from novum.statistics.estimate import NOTHING, Estimate


class RatingFigures(Value):
    """The mean predicted rating against the real mean, all on the scale from 0 to 1."""

    papers: int
    """With a rating of this reviewer."""
    mean: float | None = None
    rmse: Estimate = NOTHING
    mae: Estimate = NOTHING
    level_rmse: Estimate = NOTHING
    """RMSE less the mean error of the other papers of its venue and year."""
    spearman: Estimate = NOTHING
    """Within each venue and year."""
    over_constant: Estimate = NOTHING
    """RMSE less that of the constant on the same papers: below 0 is better."""
    over_ridge: Estimate = NOTHING
    level_over_ridge: Estimate = NOTHING
    spearman_over_ridge: Estimate = NOTHING
    over_base: Estimate = NOTHING
    """For what was trained: RMSE less that of its untuned base, on the papers that both have."""
    level_over_base: Estimate = NOTHING
    spearman_over_base: Estimate = NOTHING


class DecisionFigures(Value):
    """Accepted or rejected, of papers that were either."""

    papers: int
    """With a decision and something said by this reviewer."""
    accepted: float | None = None
    """Share that was accepted; saying so of all would be right as often."""
    said: float | None = None
    """Share that the reviewer accepts."""
    own: bool = False
    """Whether the reviewer decides itself; else its rating was turned into a decision by what it meant in other
    papers."""
    accuracy: Estimate = NOTHING
    auc: Estimate = NOTHING
    """Of utility, or of the rating where there is none; within each venue and year."""
    auc_over_ridge: Estimate = NOTHING
    calibrated: bool = False
    """Probabilities come from the ratings by cross-fitted logistic regression, not from utilities."""
    brier: Estimate = NOTHING
    brier_of_share: float | None = None
    """Of saying the share of accepted papers of every paper."""
    error: Estimate = NOTHING
    """Expected calibration error."""
    bins: tuple[ReliabilityBin, ...] = ()


class SpreadFigures(Value):
    """Several reports on one paper beside each other."""

    papers: int
    """With two ratings or more."""
    icc: Estimate = NOTHING
    difference: Estimate = NOTHING
    """Mean absolute difference of two ratings of one paper."""
    noise: Estimate = NOTHING
    """RMSE that is left for one who knew what ever so many such referees would say of each paper on average."""


class LikenessFigures(Value):
    """Precision, recall and F, each from 0 to 1."""

    precision: Estimate = NOTHING
    recall: Estimate = NOTHING
    f: Estimate = NOTHING


class TextFigures(Value):
    """Reports in words."""

    papers: int
    same: LikenessFigures = LikenessFigures()
    """With real reviews of the same paper."""
    other: LikenessFigures = LikenessFigures()
    """With real reviews of another."""
    nearest: Estimate = NOTHING
    """Share of reports whose criticism is nearest to its own paper, of all papers."""
    reciprocal_rank: Estimate = NOTHING
    among: int = 0
    """Papers to be told apart."""


class PreferenceFigures(Value):
    """Compared with a real report, in both orders."""

    papers: int
    """With a usable answer in either order; the others count for nothing."""
    share: Estimate = NOTHING
    """Of comparisons in which this reviewer's report was preferred, ties as half."""
    first_seat: float | None = None
    """Share of comparisons that went to the report shown first, ties as half: 0.5 is no leaning."""
    missing: int = 0


class ReviewerResult(Value):
    """One reviewer."""

    name: str
    kind: ReviewerKind
    of: tuple[str, ...] = ()
    asked: int
    """Reports that were asked for."""
    lost: int
    """Of these without a usable answer."""
    unrated: int
    """Usable, but without a rating."""
    undecided: int
    """Decisions without a usable answer."""
    unreached: int
    """Papers that it has not been asked about yet."""
    rating: RatingFigures
    decision: DecisionFigures
    spread: SpreadFigures
    texts: TextFigures | None = None
    preference: PreferenceFigures | None = None


class JudgeEvaluation(Value):
    """All of it. The run's reviews lie in it too, one by one."""

    run: JudgeEvaluationRun
    standings: tuple[ReviewerResult, ...]
    """Reviewers in their order, then what stands beside them."""
    draws: int

    @property
    def asked(self) -> tuple[ReviewerResult, ...]:
        """Those that are no baseline."""
        return tuple(each for each in self.standings if each.kind not in {"constant", "ridge", "real"})

    def of_kind(self, kind: ReviewerKind) -> ReviewerResult | None:
        """The first of this kind."""
        return next((each for each in self.standings if each.kind == kind), None)
