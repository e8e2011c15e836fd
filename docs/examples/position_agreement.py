"""Position agreement: how often a judge decides the same when two ideas exchange their positions."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import mean

from novum.core import Match, Outcome

_SEEN_FROM_THE_OTHER_POSITION: dict[Outcome, Outcome] = {"first": "second", "second": "first", "tie": "tie"}


def position_agreement(pairs: Iterable[tuple[Match, Match]]) -> float | None:
    """Share of criteria, 0 to 1, on which both orders of a pair agree; None when no criterion was judged in both."""
    same = []
    for there, back in pairs:
        reverse = {each.criterion: _SEEN_FROM_THE_OTHER_POSITION[each.outcome] for each in back.verdicts}
        same += [reverse[each.criterion] == each.outcome for each in there.verdicts if each.criterion in reverse]
    return mean(same) if same else None
