"""How often judges that do not know the authors prefer one entrant to another.

A comparison is one judge that sees two ideas in one order. The idea that is better on more criteria wins it. Only pairs
that a judge compared in both orders count, so that a preference for a position wins nothing; pairs that were judged in
one order alone, as by people, count as they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from novum.core.comparison import ComparisonKind, JudgedPair
from novum.core.record import Value
from novum.statistics.clustered_share import clustered_share
from novum.statistics.games import POINTS
from novum.statistics.records import Estimate
from novum.statistics.significance import sign_flip_test


class BlindWins(Value):
    """One entrant against one opponent."""

    entrant: str
    opponent: str
    won: int
    """Comparisons, as the next two."""
    tied: int
    lost: int
    topics: int
    """Topics with a comparison."""
    rate: Estimate
    """Share of comparisons won, a tie as half, 0 to 1; the interval takes topics as clusters (`clustered_share`)."""
    p: float | None
    """Two-sided p-value of the hypothesis that neither is better, by flipping the sign of whole topics. None without a
    difference on any topic."""

    @property
    def comparisons(self) -> int:
        return self.won + self.tied + self.lost


def blind_wins(
    judged_pairs: Iterable[JudgedPair], entrant: str, opponent: str, kind: ComparisonKind = "idea", seed: int = 0
) -> BlindWins:
    """The comparisons of two entrants, in whichever order they were shown."""
    scores = _scores(judged_pairs, entrant, opponent, kind)
    every = np.array([score for of_topic in scores.values() for score in of_topic])
    cases = np.array([float(len(each)) for each in scores.values()])
    points = np.array([sum(each) for each in scores.values()])
    return BlindWins(
        entrant=entrant,
        opponent=opponent,
        won=int((every == 1).sum()),
        tied=int((every == 0.5).sum()),
        lost=int((every == 0).sum()),
        topics=len(scores),
        rate=clustered_share(points, cases),
        p=sign_flip_test(2 * points - cases, seed),
    )


def _scores(
    judged_pairs: Iterable[JudgedPair], entrant: str, opponent: str, kind: ComparisonKind
) -> Mapping[str, Sequence[float]]:
    """By topic, the outcome of each comparison for the entrant: 1, 0.5 or 0."""
    by_judge: dict[tuple[str, str], list[JudgedPair]] = defaultdict(list)
    for judged in judged_pairs:
        if judged.kind == kind and {judged.first, judged.second} == {entrant, opponent}:
            by_judge[judged.topic, judged.judge].append(judged)
    scores: dict[str, list[float]] = {}
    for (topic, _), comparisons in by_judge.items():
        if found := _balanced([(each.first == entrant, _outcome(each, entrant)) for each in comparisons]):
            scores.setdefault(topic, []).extend(found)
    return scores


def _balanced(comparisons: Sequence[tuple[bool, float | None]]) -> list[float]:
    """The outcomes of one judge on one topic, as many with the entrant first as with the opponent first.

    `comparisons`: whether the entrant was first, and the outcome, None for a failed request.
    """
    orders = {first for first, _ in comparisons}
    usable: dict[bool, list[float]] = {True: [], False: []}
    for first, outcome in comparisons:
        if outcome is not None:
            usable[first].append(outcome)
    if len(orders) == 1:
        return usable[orders.pop()]
    fewest = min(map(len, usable.values()))
    return [outcome for outcomes in usable.values() for outcome in outcomes[:fewest]]


def _outcome(judged: JudgedPair, entrant: str) -> float | None:
    """1 where the entrant is better on more criteria, 0.5 where on as many as the other; None without a verdict."""
    if not judged.verdicts:
        return None
    balance = sum(POINTS[each.outcome] - 0.5 for each in judged.verdicts)
    if judged.first != entrant:
        balance = -balance
    return (1 + float(np.sign(balance))) / 2
