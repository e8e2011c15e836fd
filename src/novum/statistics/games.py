"""Games between players, made of judged pairs: the two orders of one pair are one game.

Judges tend to prefer one position, so every pair is judged in both orders, and a preference that changes with the
position is a tie. A failed comparison is no game; it is counted, and is never a win for anyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np

from novum.core.arrays import Bools, Floats, Ints
from novum.core.comparison import ComparisonKind, JudgedPair
from novum.core.match import Outcome
from novum.core.record import Value

AVERAGE = "average"
"""In place of a criterion: all criteria together, each pair of ideas weighing as much as on one of them."""
POINTS: Mapping[Outcome, float] = {"first": 1.0, "tie": 0.5, "second": 0.0}
"""For the idea in the first position."""


@dataclass(frozen=True, eq=False)
class Games:
    """Games between players, as columns; a player is its index in `players`.

    `outcome` is 1 where `first` won, 0 where `second` won, 0.5 for a tie. `weight`: how much each counts (None: 1).
    `group`: number of the topic, the unit of the bootstrap (None: each game by itself). Lengths are those of the two
    texts, in any unit, NaN where unknown. Raises ValueError for columns that do not fit together.
    """

    players: tuple[str, ...]
    first: Ints
    second: Ints
    outcome: Floats
    weight: Floats | None = None
    group: Ints | None = None
    judge: Ints | None = None
    lengths_first: Floats | None = None
    lengths_second: Floats | None = None
    judges: tuple[str, ...] = ()
    """Names of the judges that `judge` refers to."""
    positioned: bool = True
    """Whether `first` was in the first position; False after two orders became one game."""

    def __post_init__(self) -> None:
        for name in _COLUMNS:
            column = getattr(self, name)
            if column is not None and column.shape != self.outcome.shape:
                raise ValueError(f"{column.size} entries in {name!r} for {self.outcome.size} games")
        if len(set(self.players)) < len(self.players):
            raise ValueError("two players have the same name")
        if not np.isin(self.outcome, (0.0, 0.5, 1.0)).all():
            raise ValueError("the outcome of a game is 1, 0.5 or 0")
        if (self.first == self.second).any():
            raise ValueError("a player cannot play against itself")
        indices = np.concatenate([self.first, self.second])
        if indices.size and not (indices.min() >= 0 and indices.max() < len(self.players)):
            raise ValueError(f"the index of a player is from 0 to {len(self.players) - 1}")

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def weights(self) -> Floats:
        """How much each game counts."""
        return np.ones(len(self)) if self.weight is None else self.weight

    def where(self, mask: Bools) -> Games:
        """Some of the games, with the same players."""
        columns = ((name, getattr(self, name)) for name in _COLUMNS)
        selected: dict[str, Any] = {name: column[mask] for name, column in columns if column is not None}
        return replace(self, **selected)

    def crosstable(self) -> tuple[Floats, Floats]:
        """Games won by the row's player against the column's, and ties of the two, by weight: players × players."""
        size = len(self.players)
        first_won, tied = self.outcome == 1, self.outcome == 0.5
        winner = np.where(first_won, self.first, self.second)
        loser = np.where(first_won, self.second, self.first)
        wins, ties = np.zeros((size, size)), np.zeros((size, size))
        np.add.at(wins, (winner[~tied], loser[~tied]), self.weights[~tied])
        np.add.at(ties, (self.first[tied], self.second[tied]), self.weights[tied])
        return wins, ties + ties.T

    def connected_players(self) -> tuple[tuple[str, ...], ...]:
        """Groups of players that are connected by games, the largest first."""
        label = np.arange(len(self.players))
        for first, second in np.unique(np.column_stack([self.first, self.second]), axis=0):
            label[label == label[second]] = label[first]
        groups = [
            tuple(name for name, own in zip(self.players, label, strict=True) if own == each)
            for each in np.unique(label)
        ]
        return tuple(sorted(groups, key=len, reverse=True))


_COLUMNS = ("first", "second", "outcome", "weight", "group", "judge", "lengths_first", "lengths_second")


class Tally(Value):
    """How the requested comparisons became games."""

    asked: int
    """Comparisons: one judge, one pair, one order."""
    failed: int
    """Comparisons without any verdict."""
    silent: int
    """Missing verdicts of comparisons that have verdicts on other criteria."""
    games: int
    ties: int
    """Games that nobody won, including `split` ones."""
    split: int
    """Games whose two orders disagree."""
    single: int
    """Games of a pair that was judged in one order only."""
    dropped: int
    """Verdicts that do not count because the other order failed."""


@dataclass(frozen=True, eq=False)
class JudgedGames:
    """The games of one criterion, and how they were made."""

    games: Games
    tally: Tally
    topics: tuple[str, ...]
    """Names of the numbers in `games.group`."""


def games_of(
    pairs: Iterable[JudgedPair],
    kind: ComparisonKind,
    criterion: str,
    *,
    players: Sequence[str] = (),
    each_order: bool = False,
    keep_unpaired: bool = False,
    lengths: Mapping[tuple[str, str], float] | None = None,
) -> JudgedGames:
    """Games on one criterion, or on `AVERAGE`.

    The two orders of a pair, by one judge on one topic, are one game; a tie where they disagree. `each_order`: every
    order is a game. When one order failed, the other counts only with `keep_unpaired`. A pair that was judged in one
    order only, as often by people, counts as it is. If it was judged several times in both orders, the first in one
    order is paired with the first in the other, and so on.

    `players` fixes who takes part and in which order; without it, all in order of appearance. `lengths`: the length of
    what an entrant handed in, by (topic, entrant). Raises ValueError for a judged entrant that is not in `players`.
    """
    judged = [pair for pair in pairs if pair.kind == kind]
    names = tuple(players) or tuple(dict.fromkeys(name for pair in judged for name in (pair.first, pair.second)))
    strangers = {name for pair in judged for name in (pair.first, pair.second)} - set(names)
    if strangers:
        raise ValueError(f"{sorted(strangers)[0]!r} was judged, but is not among the players")
    criteria = tuple(dict.fromkeys(each.criterion for pair in judged for each in pair.verdicts))
    builder = _GamesBuilder(each_order, keep_unpaired)
    for (topic, judge, *_), orders in _by_pair(judged).items():
        by_criterion = [builder.games(orders, each) for each in (criteria if criterion == AVERAGE else (criterion,))]
        share = sum(1 for games in by_criterion if games)
        for games in by_criterion:
            builder.rows.extend((topic, judge, *game, 1 / share) for game in games)
    topics, judges = (tuple(dict.fromkeys(getattr(pair, each) for pair in judged)) for each in ("topic", "judge"))
    return JudgedGames(builder.columns(names, topics, judges, lengths), builder.tally(judged), topics)


Orders = tuple[list[JudgedPair], list[JudgedPair]]
"""All judgements of one pair by one judge on one topic: in the order that came first, and in the other."""


def _by_pair(pairs: Iterable[JudgedPair]) -> dict[tuple[str, str, str, str], Orders]:
    by_pair: dict[tuple[str, str, str, str], Orders] = {}
    for pair in pairs:
        reverse = by_pair.get((pair.topic, pair.judge, pair.second, pair.first))
        if reverse is not None:
            reverse[1].append(pair)
        else:
            by_pair.setdefault((pair.topic, pair.judge, pair.first, pair.second), ([], []))[0].append(pair)
    return by_pair


class _GamesBuilder:
    """Collects games and counts how they were made."""

    def __init__(self, each_order: bool, keep_unpaired: bool) -> None:
        self.each_order, self.keep_unpaired = each_order, keep_unpaired
        self.rows: list[tuple[str, str, str, str, float, float]] = []
        self.silent = self.split = self.single = self.dropped = 0

    def games(self, orders: Orders, criterion: str) -> list[tuple[str, str, float]]:
        """First player, second player and points of the first, for one pair, one judge and one topic."""
        games: list[tuple[str, str, float]] = []
        for both in zip_longest(*orders):
            judged = [pair for pair in both if pair is not None]
            decided = [(pair, points) for pair in judged if (points := self._points(pair, criterion)) is not None]
            if self.each_order:
                games += [(pair.first, pair.second, points) for pair, points in decided]
            elif len(decided) == 2:
                (pair, forward), (_, reverse) = decided
                agreed = forward == 1 - reverse
                self.split += not agreed
                games.append((pair.first, pair.second, forward if agreed else 0.5))
            elif decided and (self.keep_unpaired or len(judged) == 1):
                self.single += len(judged) == 1
                games.append((decided[0][0].first, decided[0][0].second, decided[0][1]))
            else:
                self.dropped += len(decided)
        return games

    def _points(self, pair: JudgedPair, criterion: str) -> float | None:
        outcome = next((each.outcome for each in pair.verdicts if each.criterion == criterion), None)
        self.silent += outcome is None and bool(pair.verdicts)
        return None if outcome is None else POINTS[outcome]

    def tally(self, pairs: Sequence[JudgedPair]) -> Tally:
        return Tally(
            asked=len(pairs),
            failed=sum(not pair.verdicts for pair in pairs),
            silent=self.silent,
            games=len(self.rows),
            ties=sum(row[4] == 0.5 for row in self.rows),
            split=self.split,
            single=self.single,
            dropped=self.dropped,
        )

    def columns(
        self,
        players: tuple[str, ...],
        topics: tuple[str, ...],
        judges: tuple[str, ...],
        lengths: Mapping[tuple[str, str], float] | None,
    ) -> Games:
        topic, judge, first, second, outcome, weight = zip(*self.rows, strict=True) if self.rows else ((),) * 6
        return Games(
            players=players,
            first=_indices(first, players),
            second=_indices(second, players),
            outcome=np.array(outcome, dtype=float),
            weight=np.array(weight, dtype=float),
            group=_indices(topic, topics),
            judge=_indices(judge, judges),
            lengths_first=None if lengths is None else _lengths(topic, first, lengths),
            lengths_second=None if lengths is None else _lengths(topic, second, lengths),
            judges=judges,
            positioned=self.each_order,
        )


def _indices(names: Iterable[str], among: Sequence[str]) -> Ints:
    index = {name: at for at, name in enumerate(among)}
    return np.array([index[name] for name in names], dtype=np.int64)


def _lengths(topics: Iterable[str], entrants: Iterable[str], lengths: Mapping[tuple[str, str], float]) -> Floats:
    return np.array([lengths.get(each, np.nan) for each in zip(topics, entrants, strict=True)], dtype=float)
