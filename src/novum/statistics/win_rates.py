"""Win rates: mean points over all comparisons, and shares of decided comparisons with Wilson's interval."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist, mean
from typing import Literal, get_args

from novum.core import Match
from novum.core.comparison import ComparisonKind, JudgedPair
from novum.core.record import Value
from novum.statistics.records import Estimate

Grade = Literal["much better", "better", "worse", "much worse", "both bad"]
"""What an expert says of the first idea compared with the second."""
GRADES: tuple[Grade, ...] = get_args(Grade)
BETTER: Mapping[Grade, bool | None] = dict(zip(GRADES, (True, True, False, False, None), strict=True))
_POINTS = {"first": 1.0, "tie": 0.5, "second": 0.0}


def position_free_points(forward: Match, reverse: Match) -> dict[str, float]:
    """Points of `forward.first_id` by criterion, from a comparison and the same one with exchanged positions.

    1 won in both orders, 0 lost in both, 0.5 otherwise: a preference that changes with the position is none. A
    criterion that was decided in one order only counts by that order; one that was decided in neither is left out.
    """
    there = {each.criterion: _POINTS[each.outcome] for each in forward.verdicts}
    back = {each.criterion: 1.0 - _POINTS[each.outcome] for each in reverse.verdicts}
    points = {}
    for criterion in [*there, *(name for name in back if name not in there)]:
        both = {order[criterion] for order in (there, back) if criterion in order}
        points[criterion] = both.pop() if len(both) == 1 else 0.5
    return points


def win_rates(pairs: Iterable[tuple[Match, Match]], ids: Sequence[str]) -> dict[str, float | None]:
    """Mean points of each idea over its opponents and criteria, 0 to 1, a tie half (Chain of Ideas, section 3.3).

    None for an idea that was never judged.
    """
    earned: dict[str, list[float]] = defaultdict(list)
    for forward, reverse in pairs:
        for points in position_free_points(forward, reverse).values():
            earned[forward.first_id].append(points)
            earned[forward.second_id].append(1.0 - points)
    return {each: mean(earned[each]) if each in earned else None for each in ids}


class WinShare(Value):
    """How many of the decided cases went one way (DeepInnovator, 5.1 and A.4)."""

    yes: int
    """Won, or satisfied."""
    no: int
    undecided: int
    """Both bad, an even split, or no vote: not counted in the rate."""
    rate: Estimate
    """`yes` over `yes` and `no`, 0 to 1, with Wilson's interval; no value when nothing was decided."""


def majority(votes: Iterable[bool | None]) -> bool | None:
    """The majority of the votes; None (which is no vote) for an even split or without votes."""
    balance = sum(1 if vote else -1 for vote in votes if vote is not None)
    return None if balance == 0 else balance > 0


def decided_share(cases: Iterable[bool | None], level: float = 0.95) -> WinShare:
    """The rate among the decided cases; None is undecided."""
    return _share(Counter(cases), level)


def _share(cases: Mapping[bool | None, int], level: float) -> WinShare:
    yes, no = cases.get(True, 0), cases.get(False, 0)
    return WinShare(yes=yes, no=no, undecided=cases.get(None, 0), rate=wilson_interval(yes, yes + no, level))


def wilson_interval(yes: int, of: int, level: float = 0.95) -> Estimate:
    """A proportion with Wilson's score interval, valid for few cases and for proportions of 0 and 1.

    The same as `scipy.stats.binomtest(yes, of).proportion_ci(level, "wilson")`, without the import of `scipy.stats`.
    """
    if not of:
        return Estimate(level=level)
    z = NormalDist().inv_cdf((1 + level) / 2)
    rate, spread = yes / of, z * z / of
    middle = (rate + spread / 2) / (1 + spread)
    reach = math.sqrt(spread * rate * (1 - rate) + spread * spread / 4) / (1 + spread)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return Estimate(value=rate, low=0.0 if yes == 0 else low, high=1.0 if yes == of else high, level=level)


def panel_win_shares(
    judged: Iterable[JudgedPair], subject: str, baseline: str, kind: ComparisonKind = "idea", level: float = 0.95
) -> dict[str, WinShare]:
    """By criterion, the share of topics on which the majority of the panel prefers the subject to the baseline.

    Every verdict is a vote, of each judge in each order; a tie is no vote. A judge that follows the position thereby
    votes once for either side, so that a verdict does not count where the judge has none in the other order, which was
    requested too. A topic that was judged without any verdict is undecided.
    """
    relevant = [each for each in judged if each.kind == kind and {each.first, each.second} == {subject, baseline}]
    criteria_of = {
        (pair.topic, pair.judge, pair.first): {verdict.criterion for verdict in pair.verdicts} for pair in relevant
    }
    votes: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for pair in relevant:
        reverse = criteria_of.get((pair.topic, pair.judge, pair.second))
        for verdict in pair.verdicts:
            if verdict.outcome != "tie" and (reverse is None or verdict.criterion in reverse):
                votes[verdict.criterion][pair.topic].append((verdict.outcome == "first") == (pair.first == subject))
    topics = dict.fromkeys(pair.topic for pair in relevant)
    criteria = dict.fromkeys(verdict.criterion for pair in relevant for verdict in pair.verdicts)
    return {name: decided_share([majority(votes[name][topic]) for topic in topics], level) for name in criteria}


def expert_share(counts: Mapping[Grade, int], level: float = 0.95) -> WinShare:
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
) -> dict[str, WinShare]:
    """By item of the rubric, the share of ideas that satisfy it by the majority of the panel.

    `ideas` has, for each idea, one mapping from item to satisfied for each judge that gave a usable answer.
    """
    return {
        item: decided_share([majority(judge.get(item) for judge in panel) for panel in ideas], level) for item in items
    }
