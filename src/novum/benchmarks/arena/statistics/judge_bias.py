"""Biases of each judge of an arena: for a position, for the longer text and for entrants of its own model family; and
how often it ties, contradicts itself, or fails.

A preference of 0.5 is no preference. Verdicts on one topic depend on each other: intervals are from a bootstrap over
topics, p-values from flipping the sign of whole topics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.arena.statistics.comparisons import PairOutcomes, pair_outcomes
from novum.core.arrays import Floats, Ints
from novum.core.comparison import ComparisonKind, JudgedPair
from novum.core.match import Outcome
from novum.core.record import Value
from novum.statistics.bootstrap import bootstrap_weights, estimate
from novum.statistics.bradley_terry import bradley_terry
from novum.statistics.games import AVERAGE, POINTS, Games, games_of
from novum.statistics.records import NO_ESTIMATE, Estimate
from novum.statistics.significance import sign_flip_test

_ENOUGH = 10
"""Least number of verdicts for `JudgeBias.always`."""


class Preference(Value):
    """How often one of two kinds is preferred, among verdicts that name a winner."""

    share: Estimate
    decided: int
    p: float | None
    """Two-sided p-value of a share of 0.5."""


class JudgeBias(Value):
    """One judge, over all criteria."""

    judge: str
    asked: int
    """Requests, as are `failed`."""
    failed: int
    silent: int
    """Verdicts missing in judged pairs that have others."""
    verdicts: int
    ties: float | None
    """Share of verdicts."""
    always: Outcome | None
    """The outcome of all its verdicts, if they are ten or more and all the same."""
    both_orders: int
    """Pairs, by criterion, with a verdict in both orders."""
    inconsistent: float | None
    """Share of these in which the two orders disagree."""
    first_seat: Preference
    """Over pairs judged in both orders, so that strengths cancel; over all pairs when there are none."""
    longer: Preference
    """Good ideas may be long, so this alone is no evidence of bias."""
    length_points: Estimate
    """Elo points for twice the length, given the strengths that this judge sees."""
    own_family: Estimate
    """Share of points that it gives entrants of its own family against others."""
    own_family_beyond: Estimate
    """The same minus what judges of other families give them on the same pairs: self-preference."""


def bias_of_judges(
    judged_pairs: Iterable[JudgedPair],
    kind: ComparisonKind = "idea",
    *,
    lengths: Mapping[tuple[str, str], float] | None = None,
    judge_families: Mapping[str, str] | None = None,
    entrant_families: Mapping[str, str] | None = None,
    draws: int = 1000,
    seed: int = 0,
) -> tuple[JudgeBias, ...]:
    """Every judge, in order of appearance.

    `lengths`: by (topic, entrant). Families: which organisation's model a judge is, and which one wrote an entrant's
    ideas; a name in neither mapping has none.
    """
    of_kind = [judged for judged in judged_pairs if judged.kind == kind]
    own = _own_family(pair_outcomes(of_kind, kind), judge_families or {}, entrant_families or {})
    judges = dict.fromkeys(judged.judge for judged in of_kind)
    return tuple(
        _bias(name, [judged for judged in of_kind if judged.judge == name], kind, own[name], lengths, draws, seed)
        for name in judges
    )


def _bias(
    judge: str,
    judged_pairs: Sequence[JudgedPair],
    kind: ComparisonKind,
    own: tuple[_TopicMeans, _TopicMeans],
    lengths: Mapping[tuple[str, str], float] | None,
    draws: int,
    seed: int,
) -> JudgeBias:
    verdicts = _VerdictColumns.of(judged_pairs, lengths or {})
    result = games_of(judged_pairs, kind, AVERAGE, lengths=lengths)
    both = result.tally.games - result.tally.single
    decided = verdicts.points != 0.5
    by_position = decided & (verdicts.balanced if verdicts.balanced.any() else True)
    measured = decided & (verdicts.longer != 0)
    return JudgeBias(
        judge=judge,
        asked=result.tally.asked,
        failed=result.tally.failed,
        silent=result.tally.silent,
        verdicts=len(verdicts.points),
        ties=float(1 - decided.mean()) if decided.size else None,
        always=verdicts.always(),
        both_orders=both,
        inconsistent=result.tally.split / both if both else None,
        first_seat=_preference(verdicts.points[by_position] == 1, verdicts.topic[by_position], draws, seed),
        longer=_preference(
            (verdicts.points == 1)[measured] == (verdicts.longer > 0)[measured], verdicts.topic[measured], draws, seed
        ),
        length_points=_length_points(result.games, draws, seed),
        own_family=own[0].estimate(draws, seed),
        own_family_beyond=own[1].estimate(draws, seed),
    )


@dataclass(frozen=True, eq=False)
class _VerdictColumns:
    """One judge's verdicts, one line each."""

    topic: Ints
    points: Floats
    """Of the entrant in the first position."""
    longer: Floats
    """1 if the first text is longer, -1 if it is shorter, 0 if the lengths are equal or unknown."""
    balanced: NDArray[np.bool_]
    """Whether the same pair has as many verdicts on the criterion in the other order."""

    @classmethod
    def of(cls, judged_pairs: Sequence[JudgedPair], lengths: Mapping[tuple[str, str], float]) -> _VerdictColumns:
        counts: dict[tuple[str, str, str, str], int] = {}
        for judged in judged_pairs:
            for verdict in judged.verdicts:
                key = (judged.topic, verdict.criterion, judged.first, judged.second)
                counts[key] = counts.get(key, 0) + 1
        place = {name: at for at, name in enumerate(dict.fromkeys(judged.topic for judged in judged_pairs))}
        rows = [
            (
                place[judged.topic],
                POINTS[verdict.outcome],
                _longer(lengths.get((judged.topic, judged.first)), lengths.get((judged.topic, judged.second))),
                counts[judged.topic, verdict.criterion, judged.first, judged.second]
                == counts.get((judged.topic, verdict.criterion, judged.second, judged.first)),
            )
            for judged in judged_pairs
            for verdict in judged.verdicts
        ]
        topic, points, longer, balanced = zip(*rows, strict=True) if rows else ((), (), (), ())
        return cls(
            np.array(topic, dtype=np.int64), np.array(points, float), np.array(longer, float), np.array(balanced, bool)
        )

    def always(self) -> Outcome | None:
        if len(self.points) < _ENOUGH or np.ptp(self.points):
            return None
        return next(name for name, points in POINTS.items() if points == self.points[0])


def _longer(first: float | None, second: float | None) -> float:
    return float(first > second) - float(first < second) if first is not None and second is not None else 0.0


def _length_points(games: Games, draws: int, seed: int) -> Estimate:
    if games.lengths_first is None or games.lengths_second is None:
        return NO_ESTIMATE
    apart = games.lengths_first - games.lengths_second
    if not (np.isfinite(apart) & (apart != 0)).any():
        return NO_ESTIMATE
    return bradley_terry(games, length=True, draws=draws, seed=seed).effects[0].points


def _preference(preferred: NDArray[np.bool_], topic: Ints, draws: int, seed: int) -> Preference:
    leaning = np.bincount(topic, preferred - 0.5) if topic.size else np.empty(0)
    return Preference(
        share=_TopicMeans.of(preferred.astype(float), topic).estimate(draws, seed),
        decided=len(preferred),
        p=sign_flip_test(leaning, seed) if topic.size else None,
    )


@dataclass(frozen=True, eq=False)
class _TopicMeans:
    """A mean over rows that belong to topics."""

    total: Floats
    count: Floats

    @classmethod
    def of(cls, values: Floats, topic: Ints) -> _TopicMeans:
        _, place = np.unique(topic, return_inverse=True)
        return cls(np.bincount(place, values).astype(float), np.bincount(place).astype(float))

    def estimate(self, draws: int, seed: int) -> Estimate:
        """The mean, with its interval if there are two topics."""
        if not self.count.size:
            return NO_ESTIMATE
        several = len(self.count) if len(self.count) > 1 else 0
        samples = [weights @ self.total / (weights @ self.count) for weights in bootstrap_weights(several, draws, seed)]
        return estimate(float(self.total.sum() / self.count.sum()), np.concatenate(samples) if samples else np.empty(0))


def _own_family(
    outcomes: PairOutcomes, judge_families: Mapping[str, str], entrant_families: Mapping[str, str]
) -> dict[str, tuple[_TopicMeans, _TopicMeans]]:
    """By judge: points of entrants of its family against others, and the same less what other judges gave."""
    of_judge = np.array([judge_families.get(name, "") for name in outcomes.judges])
    of_entrant = np.array([entrant_families.get(name, "") for name in outcomes.players])
    items, item = np.unique(outcomes.item, return_inverse=True)
    means = {}
    for place, name in enumerate(outcomes.judges):
        family = of_judge[place]
        low, high = (of_entrant[each] == family for each in (outcomes.low, outcomes.high))
        mine = (outcomes.judge == place) & (low != high) & (family != "")
        points = np.where(low, outcomes.points, 1 - outcomes.points)
        others = of_judge[outcomes.judge] != family
        given, judgements = (
            np.bincount(item[others], each[others], minlength=len(items)) for each in (points, np.ones_like(points))
        )
        compared = mine & (judgements[item] > 0)
        beyond = points[compared] - given[item[compared]] / judgements[item[compared]]
        means[name] = (
            _TopicMeans.of(points[mine], outcomes.topic[mine]),
            _TopicMeans.of(beyond, outcomes.topic[compared]),
        )
    return means
