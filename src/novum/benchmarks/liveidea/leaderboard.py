"""The leaderboard of a run: the scores of each model, the counts behind them and what is missing."""

from __future__ import annotations

from collections import Counter

from novum.benchmarks.liveidea.records import FLUENCY, IdeaFate, LiveIdeaRun
from novum.benchmarks.liveidea.statistics.columns import judgements_of
from novum.benchmarks.liveidea.statistics.scores import ModelScores, score_models
from novum.core.record import Value


class LiveIdeaRow(Value):
    """One model."""

    scores: ModelScores
    ideas: int
    """Number of ideas, judged or not."""
    fates: dict[IdeaFate, int]
    first_refused: int
    """First answers that are refusals."""
    first_refused_as_released: int
    """The same by the published code's matching."""
    pairs: int
    """Keywords with compared ideas."""

    @property
    def missing(self) -> int:
        """Requested scores that are missing."""
        return sum(each.missing for each in self.scores.judgements.values())

    def refusal_rate(self, *, as_released: bool = False) -> float | None:
        """Share of refusals among the first answers; None without answers."""
        refused = self.first_refused_as_released if as_released else self.first_refused
        return refused / self.ideas if self.ideas else None


class LiveIdeaLeaderboard(Value):
    """Best average first; models without an average at the end, by name."""

    lines: tuple[LiveIdeaRow, ...]
    draws: int
    without_severity: bool = False


def leaderboard(run: LiveIdeaRun, *, draws: int = 1000, without_severity: bool = False) -> LiveIdeaLeaderboard:
    """Scores of all models with 95 % intervals from `draws` bootstrap samples of keywords, seeded by the run's seed.

    `without_severity`: correct for the severity of each judge.
    """
    scored = score_models(judgements_of(run), draws=draws, seed=run.seed, without_severity=without_severity)
    ideas = {name: [idea for idea in run.ideas if idea.model == name] for name in run.models}
    pairs = Counter(model for model, _ in {(e.model, e.keyword) for e in run.judgements if FLUENCY in e.scores})
    lines = [
        LiveIdeaRow(
            scores=scores,
            ideas=len(ideas[scores.model]),
            fates=dict(Counter(idea.fate for idea in ideas[scores.model])),
            first_refused=sum(idea.first_refused for idea in ideas[scores.model]),
            first_refused_as_released=sum(idea.first_refused_as_released for idea in ideas[scores.model]),
            pairs=pairs[scores.model],
        )
        for scores in scored
    ]
    lines.sort(key=_standing)
    return LiveIdeaLeaderboard(lines=tuple(lines), draws=draws, without_severity=without_severity)


def _standing(line: LiveIdeaRow) -> tuple[bool, float, str]:
    average = line.scores.average.value
    return average is None, -(average or 0.0), line.scores.model
