"""Win rate: the share of its comparisons that an idea won, 0 to 1, a tie half (Chain of Ideas, section 3.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import mean

from novum.core import Match

_POINTS = {"first": 1.0, "tie": 0.5, "second": 0.0}


def seat_free_points(there: Match, back: Match) -> dict[str, float]:
    """Points of `there.first_id` per criterion, from a match and the same with exchanged seats.

    1 won in both orders, 0 lost in both, 0.5 otherwise: a preference that changes with the seat is none. A criterion
    that only one order decided counts by that order, one that neither decided is left out.
    """
    forth = {each.criterion: _POINTS[each.outcome] for each in there.verdicts}
    reverse = {each.criterion: 1.0 - _POINTS[each.outcome] for each in back.verdicts}
    points = {}
    for criterion in [*forth, *(name for name in reverse if name not in forth)]:
        seen = [order[criterion] for order in (forth, reverse) if criterion in order]
        points[criterion] = seen[0] if len(set(seen)) == 1 else 0.5
    return points


def win_rates(pairs: Iterable[tuple[Match, Match]], ids: Sequence[str]) -> dict[str, float | None]:
    """Mean points of each idea over its opponents and criteria; None for one that was never judged."""
    earned: dict[str, list[float]] = defaultdict(list)
    for there, back in pairs:
        for points in seat_free_points(there, back).values():
            earned[there.first_id].append(points)
            earned[there.second_id].append(1.0 - points)
    return {each: mean(earned[each]) if each in earned else None for each in ids}
