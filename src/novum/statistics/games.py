"""From what judges said of pairs to games between players: two orders of one pair are one game.

A judge tends to like a seat, so every pair is asked twice with the seats exchanged, and a preference that changes with
the seat is none: a tie. What failed is no game; it is counted, and is never a win for anyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novum.core.comparison import JudgedPair, Kind
from novum.core.match import Outcome
from novum.core.record import Value

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AVERAGE = "average"
"""In place of a criterion: all criteria together, each pair of ideas weighing as much as on one of them."""
POINTS: Mapping[Outcome, float] = {"first": 1.0, "tie": 0.5, "second": 0.0}
"""For the one in the first seat."""


@dataclass(frozen=True, eq=False)
class Games:
    """Games between players, in columns; a player is its place in `players`.

    `outcome` is 1 where `first` won, 0 where `second` won, 0.5 for a tie. `weight`: how much each counts (None: 1).
    `group`: number of the topic, which is what a bootstrap draws (None: each game by itself). Lengths are those of the
    two texts, in any unit, NaN where unknown. Raises ValueError for columns that do not fit together.
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
    """Names of the judges, where `judge` has their places."""
    seated: bool = True
    """Whether `first` sat in the first seat; after two orders became one game, nobody did."""

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
        seats = np.concatenate([self.first, self.second])
        if seats.size and not (seats.min() >= 0 and seats.max() < len(self.players)):
            raise ValueError(f"a player has a place from 0 to {len(self.players) - 1}")

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def weights(self) -> Floats:
        """How much each game counts."""
        return np.ones(len(self)) if self.weight is None else self.weight

    def where(self, mask: NDArray[np.bool_]) -> Games:
        """Some of the games, the same players."""
        columns = ((name, getattr(self, name)) for name in _COLUMNS)
        kept: dict[str, Any] = {name: column[mask] for name, column in columns if column is not None}
        return replace(self, **kept)


_COLUMNS = ("first", "second", "outcome", "weight", "group", "judge", "lengths_first", "lengths_second")


class Tally(Value):
    """What became of the bouts that were asked for."""

    asked: int
    """Bouts: one judge, one pair, one order."""
    failed: int
    """Bouts without any verdict."""
    silent: int
    """Verdicts that are missing in bouts with verdicts on other criteria."""
    games: int
    ties: int
    """Games that nobody won, `split` ones included."""
    split: int
    """Games whose two orders disagree."""
    single: int
    """Games of a pair that was asked in one order only."""
    dropped: int
    """Verdicts that count for nothing because the other order failed."""


@dataclass(frozen=True, eq=False)
class Settled:
    """The games of one criterion, and what they were made from."""

    games: Games
    tally: Tally
    topics: tuple[str, ...]
    """Names of the numbers in `games.group`."""


def settled(
    bouts: Iterable[JudgedPair],
    kind: Kind,
    criterion: str,
    *,
    players: Sequence[str] = (),
    each_order: bool = False,
    keep_lone: bool = False,
    lengths: Mapping[tuple[str, str], float] | None = None,
) -> Settled:
    """Games on one criterion, or on `AVERAGE`.

    The two orders of a pair, by one judge on one topic, are one game; where they disagree, a tie. `each_order`: every
    order is a game of its own. When one order failed, the other counts only with `keep_lone`. A pair that was asked in
    one order only, as people often are, counts as it is. Asked several times in both orders, the first there goes with
    the first back, and so on.

    `players` fixes who is in it and in which order; without it, all in order of appearance. `lengths` is the length of
    what an entrant handed in, by (topic, entrant). Raises ValueError for a bout of somebody who is not in `players`.
    """
    asked = [bout for bout in bouts if bout.kind == kind]
    names = tuple(players) or tuple(dict.fromkeys(name for bout in asked for name in (bout.first, bout.second)))
    strangers = {name for bout in asked for name in (bout.first, bout.second)} - set(names)
    if strangers:
        raise ValueError(f"{sorted(strangers)[0]!r} was judged, but is not among the players")
    pairs = _pairs(asked)
    wanted = dict.fromkeys(each.criterion for bout in asked for each in bout.verdicts)
    found = _Found(each_order, keep_lone)
    for (topic, judge, *_), orders in pairs.items():
        by_criterion = [found.games(orders, each) for each in (wanted if criterion == AVERAGE else (criterion,))]
        share = sum(1 for games in by_criterion if games)
        for games in by_criterion:
            found.rows.extend((topic, judge, *game, 1 / share) for game in games)
    topics, judges = (tuple(dict.fromkeys(getattr(bout, each) for bout in asked)) for each in ("topic", "judge"))
    return Settled(found.columns(names, topics, judges, lengths), found.tally(asked), topics)


Orders = tuple[list[JudgedPair], list[JudgedPair]]
"""All askings of one pair by one judge on one topic: as it was first seated, and the other way round."""


def _pairs(bouts: Iterable[JudgedPair]) -> dict[tuple[str, str, str, str], Orders]:
    pairs: dict[tuple[str, str, str, str], Orders] = {}
    for bout in bouts:
        back = pairs.get((bout.topic, bout.judge, bout.second, bout.first))
        if back is not None:
            back[1].append(bout)
        else:
            pairs.setdefault((bout.topic, bout.judge, bout.first, bout.second), ([], []))[0].append(bout)
    return pairs


Row = tuple[str, str, float]
"""Who sat first, who second, and the points of the first."""


class _Found:
    """Games as they are found, and how they were."""

    def __init__(self, each_order: bool, keep_lone: bool) -> None:
        self.each_order, self.keep_lone = each_order, keep_lone
        self.rows: list[tuple[str, str, str, str, float, float]] = []
        self.silent = self.split = self.single = self.dropped = 0

    def games(self, orders: Orders, criterion: str) -> list[Row]:
        """Of one pair, one judge and one topic."""
        games: list[Row] = []
        for pair in zip_longest(*orders):
            asked = [bout for bout in pair if bout is not None]
            said = [(bout, points) for bout in asked if (points := self._points(bout, criterion)) is not None]
            if self.each_order:
                games += [(bout.first, bout.second, points) for bout, points in said]
            elif len(said) == 2:
                (bout, forth), (_, back) = said
                agreed = forth == 1 - back
                self.split += not agreed
                games.append((bout.first, bout.second, forth if agreed else 0.5))
            elif said and (self.keep_lone or len(asked) == 1):
                self.single += len(asked) == 1
                games.append((said[0][0].first, said[0][0].second, said[0][1]))
            else:
                self.dropped += len(said)
        return games

    def _points(self, bout: JudgedPair, criterion: str) -> float | None:
        outcome = next((each.outcome for each in bout.verdicts if each.criterion == criterion), None)
        self.silent += outcome is None and bool(bout.verdicts)
        return None if outcome is None else POINTS[outcome]

    def tally(self, bouts: Sequence[JudgedPair]) -> Tally:
        return Tally(
            asked=len(bouts),
            failed=sum(not bout.verdicts for bout in bouts),
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
        measured = None if lengths is None else lengths
        return Games(
            players=players,
            first=_places(first, players),
            second=_places(second, players),
            outcome=np.array(outcome, dtype=float),
            weight=np.array(weight, dtype=float),
            group=_places(topic, topics),
            judge=_places(judge, judges),
            lengths_first=None if measured is None else _measured(topic, first, measured),
            lengths_second=None if measured is None else _measured(topic, second, measured),
            judges=judges,
            seated=self.each_order,
        )


def _places(names: Iterable[str], among: Sequence[str]) -> Ints:
    place = {name: at for at, name in enumerate(among)}
    return np.array([place[name] for name in names], dtype=np.int64)


def _measured(topics: Iterable[str], entrants: Iterable[str], lengths: Mapping[tuple[str, str], float]) -> Floats:
    return np.array([lengths.get(each, np.nan) for each in zip(topics, entrants, strict=True)], dtype=float)
