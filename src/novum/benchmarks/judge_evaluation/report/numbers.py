"""From what reviewers said to what it comes to, each figure with an interval over papers."""

from __future__ import annotations

from collections.abc import Mapping

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun
from novum.benchmarks.judge_evaluation.report.columns import Papers, Said
from novum.benchmarks.judge_evaluation.report.records import (
    DecisionFigures,
    JudgeEvaluation,
    LikenessFigures,
    PreferenceFigures,
    RatingFigures,
    ReviewerResult,
    SpreadFigures,
    TextFigures,
)
from novum.benchmarks.judge_evaluation.report.statistics import (
    Decisions,
    Statistics,
    estimates,
    on_base,
    on_preferences,
    on_ratings,
    on_spread,
    on_texts,
)
from novum.statistics.calibration import reliability_table
from novum.statistics.estimate import NOTHING, Estimate

Found = Mapping[str, Estimate]


def judge_evaluation(run: JudgeEvaluationRun, *, draws: int = 1000) -> JudgeEvaluation:
    """Everything that the page shows. `draws`: of papers, for the intervals; seconds for ten thousand papers."""
    papers = Papers(run)
    columns = [Said(each) for each in run.reviewers]
    constant = next(each for each in columns if each.reviewer.kind == "constant")
    ridge = next(each for each in columns if each.reviewer.kind == "ridge")
    bases = {trained: each for each in columns for trained in each.reviewer.of}
    lines = [_Line(papers, each, constant, ridge, bases.get(each.reviewer.name)) for each in columns]
    asked = {f"{number} {name}": of for number, line in enumerate(lines) for name, of in line.statistics.items()}
    found = estimates(asked, len(run.papers), draws, run.seed)
    standings = [
        line.standing({name: found[f"{number} {name}"] for name in line.statistics})
        for number, line in enumerate(lines)
    ]
    return JudgeEvaluation(run=run, standings=tuple(standings), draws=draws)


class _Line:
    """One reviewer: what is to be computed of it, and what comes of that."""

    def __init__(self, papers: Papers, said: Said, constant: Said, ridge: Said, base: Said | None) -> None:
        self._run, self._said = papers.run, said
        self._rated, ratings = on_ratings(papers, said, constant, ridge)
        self._decisions = Decisions(papers, said, ridge)
        self._several, spread = on_spread(papers, said)
        self._texts, texts = on_texts(said)
        trained = on_base(papers, said, base) if base else {}
        decisions, preferences = self._decisions.statistics(), on_preferences(said)
        self.statistics: Statistics = ratings | trained | decisions | spread | texts | preferences

    def standing(self, found: Found) -> ReviewerResult:
        """`found`: its figures by name."""
        reviewer = self._said.reviewer
        known = [each for each in reviewer.reviews if each is not None]
        wrote = reviewer.kind in {"model", "trained", "base", "expected"}
        without = sum(rating is None for each in known for rating in each.ratings)
        lost = sum(each.lost for each in known)
        return ReviewerResult(
            name=reviewer.name,
            kind=reviewer.kind,
            of=reviewer.of,
            asked=sum(len(each.ratings) for each in known) if wrote else 0,
            lost=lost,
            unrated=without - lost,
            undecided=sum(each.undecided for each in known),
            unreached=len(reviewer.reviews) - len(known) if wrote else 0,
            rating=self._rating(found),
            decision=self._decision(found),
            spread=SpreadFigures(papers=self._several, **_named(found, "icc", "difference", "noise")),
            texts=self._in_words(found) if self._texts else None,
            preference=self._preference(found),
        )

    def _rating(self, found: Found) -> RatingFigures:
        names = (
            "rmse", "mae", "level_rmse", "spearman", "over_constant", "over_ridge", "level_over_ridge",
            "spearman_over_ridge", "over_base", "level_over_base", "spearman_over_base",
        )  # fmt: skip
        rated = self._said.rating[self._rated]
        return RatingFigures(
            papers=len(rated), mean=float(rated.mean()) if len(rated) else None, **_named(found, *names)
        )

    def _decision(self, found: Found) -> DecisionFigures:
        of = self._decisions
        if not len(of.rows):
            return DecisionFigures(papers=0)
        share = float(of.came.mean())
        return DecisionFigures(
            papers=len(of.rows),
            accepted=share,
            said=float(of.said.mean()) if of.usable else None,
            own=of.own,
            calibrated=not of.own,
            brier_of_share=share * (1 - share),
            bins=reliability_table(of.probabilities, of.came) if of.usable else (),
            **_named(found, "accuracy", "auc", "auc_over_ridge", "brier", "error"),
        )

    def _in_words(self, found: Found) -> TextFigures:
        sides = {
            side: LikenessFigures(
                **{name: found.get(f"{side}_{name}", NOTHING) for name in ("precision", "recall", "f")}
            )
            for side in ("same", "other")
        }
        ranks = _named(found, "nearest", "reciprocal_rank")
        return TextFigures(papers=self._texts, among=len(self._run.papers), **sides, **ranks)

    def _preference(self, found: Found) -> PreferenceFigures | None:
        asked = [each.preferred for each in self._said.reviews if each and each.preferred]
        if not asked:
            return None
        firsts = [points if place == 0 else 1 - points
                  for both in asked for place, points in enumerate(both) if points is not None]  # fmt: skip
        return PreferenceFigures(
            papers=sum(None not in both for both in asked),
            share=found.get("preferred", NOTHING),
            first_seat=sum(firsts) / len(firsts) if firsts else None,
            missing=sum(points is None for both in asked for points in both),
        )


def _named(found: Found, *names: str) -> dict[str, Estimate]:
    return {name: found[name] for name in names if name in found}
