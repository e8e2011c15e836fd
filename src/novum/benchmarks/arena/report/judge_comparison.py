"""Pairwise comparison of judges: on single matches, and on the ratings that follow from their verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from novum.benchmarks.arena.report.records import JudgeComparison
from novum.benchmarks.arena.statistics.agreement import agreement_of_judges, agreement_of_ratings
from novum.benchmarks.arena.statistics.comparisons import pair_outcomes
from novum.core.comparison import CRITERIA, ComparisonKind, JudgedPair
from novum.core.match import Outcome, Verdict
from novum.statistics.bradley_terry import strengths
from novum.statistics.games import games_of

_OUTCOMES: tuple[Outcome, ...] = ("second", "tie", "first")
"""By twice the points of the first."""
CriterionRatings = Mapping[str, tuple[float, ...]]
"""By criterion, of all players; NaN for one without a game."""


def compare_judges(
    judged_pairs: Iterable[JudgedPair],
    kind: ComparisonKind,
    *,
    together: Mapping[str, Sequence[str]] | None = None,
    draws: int = 1000,
    seed: int = 0,
) -> tuple[JudgeComparison, ...]:
    """Every two judges, in order of appearance.

    `together`: groups of judges that also count as one judge. On a match a group prefers what most of its members
    prefer; its ratings are from all their verdicts.
    """
    of_kind = [each for each in judged_pairs if each.kind == kind]
    groups = {name: set(members) for name, members in (together or {}).items()}
    pooled = [judged for name, members in groups.items() for judged in majority(_by(of_kind, members), kind, name)]
    players = tuple(dict.fromkeys(name for judged in of_kind for name in (judged.first, judged.second)))
    pairs = agreement_of_judges([*pooled, *of_kind], kind, draws=draws, seed=seed)
    names = dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second))
    rated = {name: ratings_by(_by(of_kind, groups.get(name, {name})), kind, players) for name in names}
    return tuple(
        JudgeComparison(
            first=pair.first,
            second=pair.second,
            matches=pair,
            ratings=agreement_of_ratings(rated[pair.first], rated[pair.second]),
            entrants=_rated_by_both(rated[pair.first], rated[pair.second]),
        )
        for pair in pairs
    )


def majority(judged_pairs: Sequence[JudgedPair], kind: ComparisonKind, name: str) -> list[JudgedPair]:
    """The majority of the judges on each pair, as judged pairs of one judge called `name`; an even split is a tie."""
    outcomes = pair_outcomes(judged_pairs, kind)
    votes: dict[tuple[int, int, int], dict[int, float]] = {}
    columns = (outcomes.topic, outcomes.low, outcomes.high, outcomes.criterion, outcomes.points)
    for topic, low, high, criterion, points in zip(*(each.tolist() for each in columns), strict=True):
        balances = votes.setdefault((topic, low, high), {})
        balances[criterion] = balances.get(criterion, 0.0) + points - 0.5
    return [
        JudgedPair(
            topic=outcomes.topics[topic],
            kind=kind,
            first=outcomes.players[low],
            second=outcomes.players[high],
            judge=name,
            verdicts=tuple(
                Verdict(criterion=outcomes.criteria[criterion], outcome=_OUTCOMES[1 + int(np.sign(balance))])
                for criterion, balance in balances.items()
            ),
        )
        for (topic, low, high), balances in votes.items()
    ]


def ratings_by(judged_pairs: Sequence[JudgedPair], kind: ComparisonKind, players: Sequence[str]) -> CriterionRatings:
    """Bradley-Terry ratings of the players on each criterion that was decided on."""
    decided = {each.criterion for judged in judged_pairs for each in judged.verdicts}
    return {name: _ratings(judged_pairs, kind, name, players) for name in CRITERIA[kind] if name in decided}


def _ratings(
    judged_pairs: Sequence[JudgedPair], kind: ComparisonKind, criterion: str, players: Sequence[str]
) -> tuple[float, ...]:
    games = games_of(judged_pairs, kind, criterion, players=players).games
    played = np.isin(np.arange(len(players)), np.concatenate([games.first, games.second]))
    return tuple(np.where(played, strengths(games).elo, np.nan).tolist())


def _by(judged_pairs: Iterable[JudgedPair], judges: Iterable[str]) -> list[JudgedPair]:
    wanted = set(judges)
    return [judged for judged in judged_pairs if judged.judge in wanted]


def _rated_by_both(first: CriterionRatings, second: CriterionRatings) -> int:
    """By the criterion on which most are."""
    shared = (np.isfinite(first[name]) & np.isfinite(second[name]) for name in first if name in second)
    return max((int(both.sum()) for both in shared), default=0)
