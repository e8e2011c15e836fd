"""Compare two texts with one judge, twice with the positions exchanged.

A judge tends to favour one position. A preference that follows the position instead of the text shows in the two
answers, and whoever counts them can discard it (Chain of Ideas, section 4.4).
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
MatchRequests = Generator[Sequence[Question[Any]], Sequence[Any], tuple[Match, Match]]
"""Yields the requests of a comparison, receives their answers, and returns the match of each order."""


class ComparableText(Protocol):
    """A record that can be compared: its text does not reveal who made it."""

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...


Compared = TypeVar("Compared", bound=ComparableText)


@dataclass(frozen=True)
class PairwiseComparison(Generic[Compared]):
    """How two texts are compared: the prompt, the form of the answer, and the criteria.

    The answer has one field for each criterion: a reason, and which is `better` (A, B, or tie where the form allows
    it). `position` matches a position in a reason, its letter as the first group; it is replaced by the `name` of the
    text, so that the reason can be read without knowing which text was in which position.
    """

    prompt: str
    form: type[Answer]
    criteria: Mapping[str, str]
    position: re.Pattern[str]
    name: Callable[[Compared], str]

    def in_both_orders(self, topic: Topic, first: Compared, second: Compared, model: ModelName) -> MatchRequests:
        """Two matches: `first` in position A, then `second` in position A. A match without a usable answer has no
        verdicts.
        """
        orders = ((first, second), (second, first))
        answers = yield [self.question(topic, a, b, model) for a, b in orders]
        forward, reverse = (self.match(a, b, model, answer) for (a, b), answer in zip(orders, answers, strict=True))
        return forward, reverse

    def question(self, topic: Topic, a: Compared, b: Compared, model: ModelName) -> Question[Any]:
        """The request for one order, `a` in the first position."""
        needs = {"topic": topic.text, "a": a.text, "b": b.text, "criteria": self.criteria}
        return Question(self.prompt, needs, self.form, role=model, temperature=0.0)

    def match(self, a: Compared, b: Compared, model: ModelName, answer: Answer | NoUsableAnswer) -> Match:
        """The match that an answer to `question` makes."""
        if isinstance(answer, NoUsableAnswer):
            return Match(first_id=a.id, second_id=b.id, judge=model.short, failure=str(answer))
        names = {"A": self.name(a), "B": self.name(b)}
        if names["A"] == names["B"]:  # as of two versions of one idea
            names = {"A": "the one shown first", "B": "the one shown second"}
        verdicts = tuple(self._verdict(criterion, getattr(answer, criterion), names) for criterion in self.criteria)
        return Match(first_id=a.id, second_id=b.id, judge=model.short, verdicts=verdicts)

    def _verdict(self, criterion: str, choice: Any, names: Mapping[str, str]) -> Verdict:
        reason = self.position.sub(lambda letter: names[letter[1]], choice.reason)
        return Verdict(criterion=criterion, outcome=_OUTCOMES[choice.better], reason=reason)
