"""Who is asked next: ideas that are lacking, spread over the questions as evenly as can be, round after round."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_IN_VAIN = 2
"""Rounds without anything new after which a question is asked no more."""


class Turn(NamedTuple):
    """One unit of work: its outcome depends on it and on the seed, never on what else is done."""

    question: int
    number: int
    """Of the turns of its question, from 0; each has a seed of its own."""
    ideas: int
    """How many are asked for; 0: as many as the method has."""


@dataclass
class Asked:
    """How a question stands."""

    sizes: list[int] = field(default_factory=list)
    """What each of its turns was asked for."""
    kept: int = 0
    in_vain: int = 0
    """Rounds in a row that brought nothing new of it."""

    @property
    def turns(self) -> int:
        """How many it has had."""
        return len(self.sizes)


@dataclass
class Rounds:
    """`largest_turn`: ideas that one turn is asked for at most, 0 where the method has as many as it likes."""

    number: int
    largest_turn: int
    asked: list[Asked]
    done: int = 0
    _usual: float = 0.0
    """Ideas that a turn brought, in the mean, whether or not they were new."""
    _dry: bool = False
    """Whether that was less than turns were asked for."""
    _begun: list[Turn] = field(default_factory=list)

    @classmethod
    def over(cls, questions: int, number: int, largest_turn: int) -> Rounds:
        """Before the first round."""
        return cls(number, largest_turn, [Asked() for _ in range(questions)])

    @property
    def kept(self) -> int:
        """Ideas that differ, so far."""
        return sum(each.kept for each in self.asked)

    def next_round(self) -> list[Turn]:
        """The turns of the next round, first those that come first in each question; empty when nothing is lacking, or
        nothing is left to ask."""
        turns = [
            Turn(question, number, ideas)
            for question, need in enumerate(self._needs())
            if need
            for number, ideas in self._turns(question, need)
        ]
        self._begun = sorted(turns, key=lambda turn: (turn.number, turn.question))
        for turn in self._begun:
            self.asked[turn.question].sizes.append(turn.ideas)
        return self._begun

    def end_round(self, brought: Sequence[int], new: Sequence[int]) -> None:
        """`brought`: ideas of each turn that had any; `new`: by question, those that differ from all others."""
        self.done += 1
        if not self._usual:
            self._usual = sum(brought) / max(len(brought), 1)
            self._dry = self._usual * len(self._begun) < sum(turn.ideas for turn in self._begun)
        for question in {turn.question for turn in self._begun}:
            asked = self.asked[question]
            asked.kept += new[question]
            asked.in_vain = 0 if new[question] else asked.in_vain + 1

    def _needs(self) -> list[float]:
        """How many more of each question, those with the fewest first."""
        needs = [0.0] * len(self.asked)
        waiting = [(float(each.kept), at) for at, each in enumerate(self.asked) if each.in_vain < _IN_VAIN]
        heapq.heapify(waiting)
        step, lacking = self._step(), float(self.number - self.kept)
        while lacking > 0 and waiting:
            had, at = heapq.heappop(waiting)
            needs[at] += step
            lacking -= step
            if self.largest_turn or self.done:
                heapq.heappush(waiting, (had + step, at))
        return needs

    def _step(self) -> float:
        """What a question is given at a time. Of a method that has as many ideas as it likes: what a turn of it usually
        brings; in the first round, when that is unknown, each question has a single turn."""
        return 1.0 if self.largest_turn else max(self._usual, 1.0)

    def _turns(self, question: int, need: float) -> list[tuple[int, int]]:
        """Numbers of turns, and what each is asked for, in shares as even as can be."""
        first = self.asked[question].turns
        if not self.largest_turn:
            return [(first + at, 0) for at in range(round(need / self._step()))]
        whole = round(need)
        count = math.ceil(whole / self._turn_size())
        return [(first + at, whole // count + (at < whole % count)) for at in range(count)]

    def _turn_size(self) -> int:
        """Ideas that a turn is asked for at most: where the questions have turned out to bring fewer than that, no more
        than they bring, so that the next round makes up for the whole lack and not for a part of it."""
        return min(self.largest_turn, math.ceil(self._usual)) if self._usual and self._dry else self.largest_turn
