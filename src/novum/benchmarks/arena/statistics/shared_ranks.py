"""Ranks that entrants share where the comparisons do not distinguish them, and who leads, if anybody does."""

from __future__ import annotations

import numpy as np

from novum.core.arrays import Bools
from novum.core.record import Value
from novum.statistics.bradley_terry import BradleyTerry

FEWEST_TOPICS = 6
"""Topics from which on an order can be more than chance: with five, all of them speak for one side by chance in 1 of 16
cases, more than the 5% that a two-sided test allows; with six, in 1 of 32."""
CLEAR = 0.975
"""Share of bootstrap samples in which one entrant is the stronger: from it on the 95% interval excludes 0."""


class SharedRank(Value):
    """The ranks that an entrant may have: after all that are clearly stronger, before all that are clearly weaker."""

    best: int
    """1 is the highest; an entrant with 1 is not clearly weaker than anybody."""
    worst: int


def clearly_stronger(fitted: BradleyTerry) -> Bools:
    """Players × players: whether the row's player is stronger than the column's by more than chance between topics.

    False for everybody without bootstrap samples, from fewer than `FEWEST_TOPICS` topics, and between players that no
    games connect.
    """
    size = len(fitted.ratings)
    if not fitted.ahead or fitted.topics < FEWEST_TOPICS:
        return np.zeros((size, size), dtype=np.bool_)
    part = {name: number for number, names in enumerate(fitted.parts) for name in names}
    group = np.array([part.get(each.player, -1) for each in fitted.ratings])
    clear: Bools = (np.array(fitted.ahead) >= CLEAR) & (group[:, None] == group[None, :])
    return clear


def shared_ranks(fitted: BradleyTerry) -> tuple[SharedRank | None, ...]:
    """The shared rank of each player in the order of `fitted.ratings`; None for a player without games."""
    played = np.array([each.rank is not None for each in fitted.ratings], dtype=np.bool_)
    clear = clearly_stronger(fitted) & played[:, None] & played[None, :]
    stronger, weaker = clear.sum(axis=0), clear.sum(axis=1)
    return tuple(
        SharedRank(best=1 + int(above), worst=int(played.sum()) - int(below)) if there else None
        for there, above, below in zip(played, stronger, weaker, strict=True)
    )


def leading(fitted: BradleyTerry) -> tuple[str, ...]:
    """The player with the highest rating, and after it those that are not clearly weaker; a single one leads.

    Empty where fewer than two players have games.
    """
    rated = sorted(
        (place for place, each in enumerate(fitted.ratings) if each.rank is not None),
        key=lambda place: fitted.ratings[place].rank or 0,
    )
    if len(rated) < 2:
        return ()
    clear, first = clearly_stronger(fitted), rated[0]
    return tuple(fitted.ratings[place].player for place in rated if place == first or not clear[first, place])
