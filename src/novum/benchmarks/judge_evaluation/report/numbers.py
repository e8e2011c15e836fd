"""Compute the report: every figure with a bootstrap interval over papers."""

from __future__ import annotations

from collections.abc import Mapping

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun
from novum.benchmarks.judge_evaluation.report.columns import EvaluationColumns, ReviewerColumns
from novum.benchmarks.judge_evaluation.report.records import (
    DecisionFigures,
    GroupFigures,
    JudgeEvaluation,
    PreferenceFigures,
    RatingFigures,
    ReviewerResult,
    SimilarityFigures,
    SpreadFigures,
    TextFigures,
)
from novum.benchmarks.judge_evaluation.report.statistics import (
    DecisionStatistics,
    Statistics,
    base_statistics,
    estimates,
    group_statistics,
    preference_statistics,
    rating_statistics,
    spread_statistics,
    text_statistics,
)
from novum.statistics.calibration import reliability_table
from novum.statistics.records import NO_ESTIMATE, Estimate

Estimates = Mapping[str, Estimate]


def judge_evaluation_report(run: JudgeEvaluationRun, *, draws: int = 1000) -> JudgeEvaluation:
    """Every number of the page. `draws`: bootstrap samples of papers; takes seconds for ten thousand papers."""
    papers = EvaluationColumns(run)
    columns = [ReviewerColumns(each) for each in run.reviewers]
    constant = next(each for each in columns if each.reviewer.kind == "constant")
    ridge = next(each for each in columns if each.reviewer.kind == "ridge")
    bases = {trained: each for each in columns for trained in each.reviewer.of}
    rows = [_ReviewerStatistics(papers, each, constant, ridge, bases.get(each.reviewer.name)) for each in columns]
    statistics = {f"{number} {name}": of for number, row in enumerate(rows) for name, of in row.statistics.items()}
    known = estimates(statistics, len(run.papers), draws, run.seed)
    standings = [
        row.result({name: known[f"{number} {name}"] for name in row.statistics}) for number, row in enumerate(rows)
    ]
    return JudgeEvaluation(run=run, standings=tuple(standings), draws=draws)


class _ReviewerStatistics:
    """The statistics of one reviewer, and its result made from their estimates."""

    def __init__(
        self,
        papers: EvaluationColumns,
        reviewer: ReviewerColumns,
        constant: ReviewerColumns,
        ridge: ReviewerColumns,
        base: ReviewerColumns | None,
    ) -> None:
        self._run, self._columns = papers.run, reviewer
        self._rated, ratings = rating_statistics(papers, reviewer, constant, ridge)
        self._decisions = DecisionStatistics(papers, reviewer, ridge)
        self._several, spread = spread_statistics(papers, reviewer)
        self._mixed, mixed = group_statistics(papers, reviewer, papers.mixed)
        self._uniform, uniform = group_statistics(papers, reviewer, ~papers.mixed)
        groups = {f"mixed {name}": of for name, of in mixed.items()}
        groups |= {f"uniform {name}": of for name, of in uniform.items()}
        self._texts, texts = text_statistics(reviewer)
        trained = base_statistics(papers, reviewer, base) if base else {}
        decisions, preferences = self._decisions.statistics(), preference_statistics(reviewer)
        self.statistics: Statistics = ratings | trained | decisions | groups | spread | texts | preferences

    def result(self, estimates: Estimates) -> ReviewerResult:
        """The result. `estimates`: of the statistics, by name."""
        reviewer = self._columns.reviewer
        known = [each for each in reviewer.reviews if each is not None]
        is_model = reviewer.kind in {"model", "trained", "base", "expected"}
        without = sum(rating is None for each in known for rating in each.ratings)
        lost = sum(each.lost for each in known)
        return ReviewerResult(
            name=reviewer.name,
            kind=reviewer.kind,
            of=reviewer.of,
            asked=sum(len(each.ratings) for each in known) if is_model else 0,
            lost=lost,
            unrated=without - lost,
            undecided=sum(each.undecided for each in known),
            unreached=len(reviewer.reviews) - len(known) if is_model else 0,
            rating=self._rating(estimates),
            decision=self._decision(estimates),
            mixed=_of_group("mixed", self._mixed, estimates),
            uniform=_of_group("uniform", self._uniform, estimates),
            spread=SpreadFigures(papers=self._several, **_named(estimates, "icc", "difference", "noise")),
            texts=self._texts_of(estimates) if self._texts else None,
            preference=self._preference(estimates),
        )

    def _rating(self, estimates: Estimates) -> RatingFigures:
        names = (
            "rmse", "mae", "level_rmse", "spearman", "over_constant", "over_ridge", "level_over_ridge",
            "spearman_over_ridge", "over_base", "level_over_base", "spearman_over_base",
        )  # fmt: skip
        rated = self._columns.rating[self._rated]
        return RatingFigures(
            papers=len(rated), mean=float(rated.mean()) if len(rated) else None, **_named(estimates, *names)
        )

    def _decision(self, estimates: Estimates) -> DecisionFigures:
        of = self._decisions
        if not len(of.rows):
            return DecisionFigures(papers=0)
        share = float(of.came.mean())
        return DecisionFigures(
            papers=len(of.rows),
            accepted=share,
            said=float(of.accepts.mean()) if of.usable else None,
            own=of.own,
            calibrated=not of.own,
            brier_of_share=share * (1 - share),
            bins=reliability_table(of.probabilities, of.came) if of.usable else (),
            **_named(estimates, "accuracy", "auc", "auc_over_ridge", "brier", "error"),
        )

    def _texts_of(self, estimates: Estimates) -> TextFigures:
        sides = {
            side: SimilarityFigures(
                **{name: estimates.get(f"{side}_{name}", NO_ESTIMATE) for name in ("precision", "recall", "f")}
            )
            for side in ("same", "other")
        }
        ranks = _named(estimates, "nearest", "reciprocal_rank")
        return TextFigures(papers=self._texts, among=len(self._run.papers), **sides, **ranks)

    def _preference(self, estimates: Estimates) -> PreferenceFigures | None:
        compared = [each.preferred for each in self._columns.reviews if each and each.preferred]
        if not compared:
            return None
        firsts = [points if place == 0 else 1 - points
                  for both in compared for place, points in enumerate(both) if points is not None]  # fmt: skip
        return PreferenceFigures(
            papers=sum(None not in both for both in compared),
            share=estimates.get("preferred", NO_ESTIMATE),
            first_seat=sum(firsts) / len(firsts) if firsts else None,
            missing=sum(points is None for both in compared for points in both),
        )


def _of_group(kind: str, papers: int, estimates: Estimates) -> GroupFigures | None:
    if not papers:
        return None
    known = {name: estimates.get(f"{kind} {name}", NO_ESTIMATE) for name in ("spearman", "icc")}
    return GroupFigures(papers=papers, **known)


def _named(estimates: Estimates, *names: str) -> dict[str, Estimate]:
    return {name: estimates[name] for name in names if name in estimates}
