"""The outcome of each pair of entrants by each judge, topic and criterion, in columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats, Ints
from novum.core.comparison import ComparisonKind, JudgedPair
from novum.statistics.games import games_of


@dataclass(frozen=True, eq=False)
class PairOutcomes:
    """Columns of equal length, with positions in the tuples of names. No judge has two rows for the same pair."""

    players: tuple[str, ...]
    judges: tuple[str, ...]
    topics: tuple[str, ...]
    criteria: tuple[str, ...]
    judge: Ints
    topic: Ints
    criterion: Ints
    low: Ints
    """The entrant with the lower position."""
    high: Ints
    points: Floats
    """Of `low`: 1 a win, 0 a loss, 0.5 a tie."""

    @property
    def item(self) -> Ints:
        """A number for each combination of topic, criterion and pair."""
        size = len(self.players)
        return ((self.topic * len(self.criteria) + self.criterion) * size + self.low) * size + self.high

    def where(self, mask: NDArray[np.bool_]) -> PairOutcomes:
        """Some of the rows."""
        return replace(self, **{name: getattr(self, name)[mask] for name in _COLUMNS})


_COLUMNS = ("judge", "topic", "criterion", "low", "high", "points")


def pair_outcomes(judged_pairs: Iterable[JudgedPair], kind: ComparisonKind) -> PairOutcomes:
    """Of all judges and criteria, the two orders settled as in `settled`.

    A pair that one judge judged more often goes to whom it preferred more often.
    """
    of_kind = [judged for judged in judged_pairs if judged.kind == kind]
    criteria = tuple(dict.fromkeys(each.criterion for judged in of_kind for each in judged.verdicts))
    players = tuple(dict.fromkeys(name for judged in of_kind for name in (judged.first, judged.second)))
    judges, topics = (tuple(dict.fromkeys(getattr(judged, each) for judged in of_kind)) for each in ("judge", "topic"))
    parts = [_of_criterion(of_kind, kind, name, place, players) for place, name in enumerate(criteria)]
    columns = np.concatenate(parts, axis=1) if parts else np.zeros((len(_COLUMNS), 0))
    *places, points = columns
    judge, topic, criterion, low, high = (each.astype(np.int64) for each in places)
    return PairOutcomes(players, judges, topics, criteria, judge, topic, criterion, low, high, points)


def _of_criterion(
    of_kind: list[JudgedPair], kind: ComparisonKind, name: str, place: int, players: tuple[str, ...]
) -> Floats:
    """The columns of one criterion, as rows of an array."""
    games = games_of(of_kind, kind, name, players=players).games
    assert games.judge is not None
    assert games.group is not None
    low, high = np.minimum(games.first, games.second), np.maximum(games.first, games.second)
    points = np.where(games.first == low, games.outcome, 1 - games.outcome)
    seen = np.stack([games.judge, games.group, np.full(len(games), place), low, high])
    different, line = np.unique(seen, axis=1, return_inverse=True)
    mean = np.bincount(line.ravel(), points, minlength=different.shape[1]) / np.maximum(np.bincount(line.ravel()), 1)
    return np.vstack([different, (1 + np.sign(mean - 0.5)) / 2])
