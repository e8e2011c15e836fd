"""Two things side by side before one judge, asked about twice with the seats exchanged.

A judge tends to like one seat. What follows the seat instead of the thing shows in the two answers, and whoever counts
them can make nothing of it (Chain of Ideas, section 4.4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from novum.core import Match, Outcome, Topic, Verdict
from novum.errors import NoUsableAnswer
from novum.llm import Answer, ModelName, Question

_OUTCOMES: Mapping[str, Outcome] = {"A": "first", "B": "second", "tie": "tie"}


class Judged(Protocol):
    """What can be compared: a record with a text that says nothing of its maker."""

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...


Thing = TypeVar("Thing", bound=Judged)
Asked = Generator[Sequence[Question[Any]], Sequence[Any], tuple[Match, Match]]


@dataclass(frozen=True)
class Comparing(Generic[Thing]):
    """How things are compared. The answer, a `form`, has for each of the `criteria` a reason and which is `better`: A,
    B, or tie where that is allowed. `seat` finds a seat in a reason, its letter in the first group; `called` is what is
    put there, so that the reason can be read without knowing who sat where.
    """

    prompt: str
    form: type[Answer]
    criteria: Mapping[str, str]
    seat: re.Pattern[str]
    called: Callable[[Thing], str]

    def in_both_orders(self, topic: Topic, first: Thing, second: Thing, model: ModelName) -> Asked:
        """Two matches: `first` in seat A, then `second` in seat A. An answer that cannot be used makes a match without
        verdicts.
        """
        orders = ((first, second), (second, first))
        answers = yield [self._question(topic, a, b, model) for a, b in orders]
        there, back = (self._match(a, b, model, answer) for (a, b), answer in zip(orders, answers, strict=True))
        return there, back

    def _question(self, topic: Topic, a: Thing, b: Thing, model: ModelName) -> Question[Any]:
        needs = {"topic": topic.text, "a": a.text, "b": b.text, "criteria": self.criteria}
        return Question(self.prompt, needs, self.form, role=model, temperature=0.0)

    def _match(self, a: Thing, b: Thing, model: ModelName, answer: Answer | NoUsableAnswer) -> Match:
        if isinstance(answer, NoUsableAnswer):
            return Match(first_id=a.id, second_id=b.id, judge=model.short, failure=str(answer))
        seated = {"A": self.called(a), "B": self.called(b)}
        verdicts = tuple(self._verdict(name, getattr(answer, name), seated) for name in self.criteria)
        return Match(first_id=a.id, second_id=b.id, judge=model.short, verdicts=verdicts)

    def _verdict(self, criterion: str, choice: Any, seated: Mapping[str, str]) -> Verdict:
        reason = self.seat.sub(lambda seat: seated[seat[1]], choice.reason)
        return Verdict(criterion=criterion, outcome=_OUTCOMES[choice.better], reason=reason)
