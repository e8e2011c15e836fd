"""Win rates without ties: a panel decides each pair by majority, experts say how much better (DeepInnovator, 5.1, A.4).

An even split, and a pair of which an expert finds both bad, decides nothing: it is left out of the rate, and counted.
The six desiderata of the rubric are decided in the same way, item by item.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import Literal, get_args

from novum.core.comparison import JudgedPair, Kind
from novum.core.record import Value
from novum.statistics.estimate import Estimate

Grade = Literal["much better", "better", "worse", "much worse", "both bad"]
"""What an expert says of the first idea beside the second."""
GRADES: tuple[Grade, ...] = get_args(Grade)
BETTER: Mapping[Grade, bool | None] = dict(zip(GRADES, (True, True, False, False, None), strict=True))


class Share(Value):
    """How many of the decided cases went one way."""

    yes: int
    """Won, or satisfied."""
    no: int
    undecided: int
    """Both bad, an even split, or no vote at all: not in the rate."""
    rate: Estimate
    """`yes` over `yes` and `no`, 0 to 1, with Wilson's interval; none where nothing was decided."""


def majority(votes: Iterable[bool | None]) -> bool | None:
    """What more than half of the votes say; None for an even split, or without votes (None is no vote)."""
    balance = sum(1 if vote else -1 for vote in votes if vote is not None)
    return None if balance == 0 else balance > 0


def share(cases: Iterable[bool | None], level: float = 0.95) -> Share:
    """The rate among what was decided; None is undecided."""
    return _share(Counter(cases), level)


def _share(cases: Mapping[bool | None, int], level: float) -> Share:
    yes, no = cases.get(True, 0), cases.get(False, 0)
    return Share(yes=yes, no=no, undecided=cases.get(None, 0), rate=wilson(yes, yes + no, level))


def wilson(yes: int, of: int, level: float = 0.95) -> Estimate:
    """A share with Wilson's score interval: sound for few cases, and for none or all of them."""
    if not of:
        return Estimate(level=level)
    z = NormalDist().inv_cdf((1 + level) / 2)
    rate, spread = yes / of, z * z / of
    middle = (rate + spread / 2) / (1 + spread)
    reach = math.sqrt(spread * rate * (1 - rate) + spread * spread / 4) / (1 + spread)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return Estimate(value=rate, low=0.0 if yes == 0 else low, high=1.0 if yes == of else high, level=level)


def panel_win_shares(
    bouts: Iterable[JudgedPair], subject: str, baseline: str, kind: Kind = "idea", level: float = 0.95
) -> dict[str, Share]:
    """By criterion, the share of topics on which the panel's majority prefers the subject to the baseline.

    Every verdict is a vote, each judge's of both orders too; a tie, where a judge says so in spite of all, is none. A
    judge that follows the seat thereby votes once for either side. A topic that was asked and left without a verdict
    is undecided.
    """
    asked = [each for each in bouts if each.kind == kind and {each.first, each.second} == {subject, baseline}]
    votes: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for bout in asked:
        for verdict in bout.verdicts:
            if verdict.outcome != "tie":
                votes[verdict.criterion][bout.topic].append((verdict.outcome == "first") == (bout.first == subject))
    topics = dict.fromkeys(bout.topic for bout in asked)
    criteria = dict.fromkeys(verdict.criterion for bout in asked for verdict in bout.verdicts)
    return {name: share([majority(votes[name][topic]) for topic in topics], level) for name in criteria}


def expert_share(counts: Mapping[Grade, int], level: float = 0.95) -> Share:
    """The win rate of one cell of experts' answers: better or much better, among all that are not "both bad".

    Raises ValueError for a count below 0.
    """
    if min(counts.values(), default=0) < 0:
        raise ValueError("a count of answers cannot be below 0")
    cases: Counter[bool | None] = Counter()
    for grade, count in counts.items():
        cases[BETTER[grade]] += count
    return _share(cases, level)


def rubric_shares(
    ideas: Sequence[Sequence[Mapping[str, bool]]], items: Sequence[str], level: float = 0.95
) -> dict[str, Share]:
    """By item of the rubric, the share of ideas that satisfy it by the panel's majority.

    `ideas` has, for each idea, one mapping from item to satisfied for each judge that gave a usable answer.
    """
    return {item: share([majority(judge.get(item) for judge in panel) for panel in ideas], level) for item in items}
