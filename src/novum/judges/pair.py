"""Two ideas side by side, in both orders, by five criteria (Chain of Ideas, section 4.4 and Table 24).

A judge tends to like one seat. So every pair is asked twice with the seats exchanged, and a preference that follows
the seat instead of the idea is counted as a tie.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from typing import Literal

from novum.core import Idea, Match, Outcome, Topic, Verdict, shorten
from novum.errors import NoUsableAnswer
from novum.judges.registry import judge
from novum.llm import Answer, ModelName, Question, prose

CRITERIA: Mapping[str, str] = {
    "novelty": "Is the problem or the approach new against what is known, and the difference from it clear?",
    "significance": "Would it matter to the whole topic as worded? Would others build on it? Is it worth solving?",
    "clarity": "Is it well organised and precise enough that an informed reader knows what is meant?",
    "feasibility": "Can it be done with existing means? Is it sound enough to draw up an experiment from it?",
    "effectiveness": "How likely is a proposed method to beat present ones, or a test to decide its question?",
}

Choice = Literal["A", "B", "tie"]
_SEAT = re.compile(r"\b[Ii]dea ([AB])\b")


class CriterionChoice(Answer):
    """One criterion's decision, the reason first."""

    reason: str = prose(300, "one sentence naming what decides it")
    better: Choice


class Comparison(Answer):
    """The answer to `compare_ideas`."""

    novelty: CriterionChoice
    significance: CriterionChoice
    clarity: CriterionChoice
    feasibility: CriterionChoice
    effectiveness: CriterionChoice


Asked = Generator[Sequence[Question[Comparison]], Sequence[Comparison | NoUsableAnswer], tuple[Match, Match]]


@judge("pair")
def compare_in_both_orders(topic: Topic, first: Idea, second: Idea, model: ModelName) -> Asked:
    """Two matches: `first` in seat A, then `second` in seat A. An answer that cannot be used makes a match without
    verdicts.
    """
    orders = ((first, second), (second, first))
    answers = yield [_question(topic, a, b, model) for a, b in orders]
    there, back = (_match(a, b, model, answer) for (a, b), answer in zip(orders, answers, strict=True))
    return there, back


def _question(topic: Topic, a: Idea, b: Idea, model: ModelName) -> Question[Comparison]:
    needs = {"topic": topic.text, "a": a.text, "b": b.text, "criteria": CRITERIA}
    return Question("compare_ideas", needs, Comparison, role=model, temperature=0.0)


def _match(a: Idea, b: Idea, model: ModelName, answer: Comparison | NoUsableAnswer) -> Match:
    if isinstance(answer, NoUsableAnswer):
        return Match(first_id=a.id, second_id=b.id, judge=model.short, failure=str(answer))
    outcomes: dict[Choice, Outcome] = {"A": "first", "B": "second", "tie": "tie"}
    choices = {name: getattr(answer, name) for name in CRITERIA}
    verdicts = tuple(
        Verdict(criterion=name, outcome=outcomes[each.better], reason=by_title(each.reason, a, b))
        for name, each in choices.items()
    )
    return Match(first_id=a.id, second_id=b.id, judge=model.short, verdicts=verdicts)


def by_title(reason: str, a: Idea, b: Idea) -> str:
    """A reason that can be read without knowing who sat where."""
    names = {"A": shorten(a.title, 60), "B": shorten(b.title, 60)}
    return _SEAT.sub(lambda seat: f"«{names[seat[1]]}»", reason)
