"""Rounds: the ideas that are still missing, spread over the questions as evenly as possible."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_DRY_ROUNDS = 2
"""Rounds without a new idea after which a question is exhausted."""


class Turn(NamedTuple):
    """One application of the method to a question. Its outcome depends on the turn and the seed alone."""

    question: int
    number: int
    """Among the turns of its question, from 0. Each has its own seed."""
    ideas: int
    """Number of ideas requested; 0 for as many as the method generates."""


@dataclass
class QuestionState:
    """The turns of a question so far, and what came of them."""

    sizes: list[int] = field(default_factory=list)
    """Ideas requested in each of its turns."""
    new: int = 0
    """Ideas that differ from all others."""
    dry_rounds: int = 0
    """Rounds in a row without a new idea."""

    @property
    def turns(self) -> int:
        """Number of turns."""
        return len(self.sizes)


@dataclass
class Rounds:
    """Plans the rounds of a run. `largest_turn`: ideas requested in one turn at most; 0 where the method decides."""

    number: int
    largest_turn: int
    questions: list[QuestionState]
    done: int = 0
    _usual: float = 0.0
    """Mean number of ideas of a turn, new or not."""
    _dry: bool = False
    """Whether that was less than turns requested."""
    _begun: list[Turn] = field(default_factory=list)

    @classmethod
    def over(cls, questions: int, number: int, largest_turn: int) -> Rounds:
        """Before the first round."""
        return cls(number, largest_turn, [QuestionState() for _ in range(questions)])

    @property
    def new(self) -> int:
        """Number of ideas that differ, so far."""
        return sum(each.new for each in self.questions)

    def next_round(self) -> list[Turn]:
        """The turns of the next round, the first of each question first. Empty when there are enough ideas, or every
        question is exhausted."""
        turns = [
            Turn(question, number, ideas)
            for question, need in enumerate(self._needs())
            if need
            for number, ideas in self._turns(question, need)
        ]
        self._begun = sorted(turns, key=lambda turn: (turn.number, turn.question))
        for turn in self._begun:
            self.questions[turn.question].sizes.append(turn.ideas)
        return self._begun

    def end_round(self, ideas: Sequence[int], new: Sequence[int]) -> None:
        """Records a round. `ideas`: the number of ideas of each turn that had any. `new`: by question, the number that
        differ from all others."""
        self.done += 1
        if not self._usual:
            self._usual = sum(ideas) / max(len(ideas), 1)
            self._dry = self._usual * len(self._begun) < sum(turn.ideas for turn in self._begun)
        for question in {turn.question for turn in self._begun}:
            state = self.questions[question]
            state.new += new[question]
            state.dry_rounds = 0 if new[question] else state.dry_rounds + 1

    def _needs(self) -> list[float]:
        """How many more ideas each question should bring: those with the fewest get theirs first."""
        needs = [0.0] * len(self.questions)
        waiting = [(float(each.new), at) for at, each in enumerate(self.questions) if each.dry_rounds < _DRY_ROUNDS]
        heapq.heapify(waiting)
        step, missing = self._step(), float(self.number - self.new)
        while missing > 0 and waiting:
            had, at = heapq.heappop(waiting)
            needs[at] += step
            missing -= step
            if self.largest_turn or self.done:
                heapq.heappush(waiting, (had + step, at))
        return needs

    def _step(self) -> float:
        """Ideas that a question is assigned at a time: for a method that decides itself how many it generates, the
        usual number of a turn. In the first round, when that is unknown, each question has a single turn."""
        return 1.0 if self.largest_turn else max(self._usual, 1.0)

    def _turns(self, question: int, need: float) -> list[tuple[int, int]]:
        """The numbers of further turns, each with the ideas requested, in shares as even as possible."""
        first = self.questions[question].turns
        if not self.largest_turn:
            return [(first + at, 0) for at in range(round(need / self._step()))]
        whole = round(need)
        count = math.ceil(whole / self._turn_size())
        return [(first + at, whole // count + (at < whole % count)) for at in range(count)]

    def _turn_size(self) -> int:
        """Ideas requested in a turn at most. Where turns brought fewer than that, no more than they usually bring, so
        that the next round makes up for all that is missing."""
        return min(self.largest_turn, math.ceil(self._usual)) if self._usual and self._dry else self.largest_turn
