"""Two experiment designs side by side, in both orders, by three criteria (Chain of Ideas, section 4.4, Table 25).

As with ideas, a judge tends to like one seat: every pair is asked twice with the seats exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence

from novum.core import Experiment, Match, Outcome, Topic, Verdict, shorten
from novum.errors import NoUsableAnswer
from novum.judges.pair import Choice, CriterionChoice
from novum.judges.registry import judge
from novum.llm import Answer, ModelName, Question

CRITERIA: Mapping[str, str] = {
    "feasibility": "Can it be carried out with the time, data, tools and people that it says or that can be had?",
    "quality": "Does its outcome decide the question? Are baselines, measures and controls those of a sceptic?",
    "clarity": "Is each step told so that an informed reader could carry it out, and knows why it is there?",
}

_SEAT = re.compile(r"\b[Pp]lan ([AB])\b")


class ExperimentComparison(Answer):
    """The answer to `compare_experiments`."""

    feasibility: CriterionChoice
    quality: CriterionChoice
    clarity: CriterionChoice


Asked = Generator[
    Sequence[Question[ExperimentComparison]], Sequence[ExperimentComparison | NoUsableAnswer], tuple[Match, Match]
]


@judge("experiment-pair")
def compare_experiments_in_both_orders(topic: Topic, first: Experiment, second: Experiment, model: ModelName) -> Asked:
    """Two matches: `first` in seat A, then `second` in seat A. An answer that cannot be used makes a match without
    verdicts.
    """
    orders = ((first, second), (second, first))
    answers = yield [_question(topic, a, b, model) for a, b in orders]
    there, back = (_match(a, b, model, answer) for (a, b), answer in zip(orders, answers, strict=True))
    return there, back


def _question(topic: Topic, a: Experiment, b: Experiment, model: ModelName) -> Question[ExperimentComparison]:
    needs = {"topic": topic.text, "a": a.text, "b": b.text, "criteria": CRITERIA}
    return Question("compare_experiments", needs, ExperimentComparison, role=model, temperature=0.0)


def _match(a: Experiment, b: Experiment, model: ModelName, answer: ExperimentComparison | NoUsableAnswer) -> Match:
    if isinstance(answer, NoUsableAnswer):
        return Match(first_id=a.id, second_id=b.id, judge=model.short, failure=str(answer))
    outcomes: dict[Choice, Outcome] = {"A": "first", "B": "second", "tie": "tie"}
    choices = {name: getattr(answer, name) for name in CRITERIA}
    verdicts = tuple(
        Verdict(criterion=name, outcome=outcomes[each.better], reason=_by_hypothesis(each.reason, a, b))
        for name, each in choices.items()
    )
    return Match(first_id=a.id, second_id=b.id, judge=model.short, verdicts=verdicts)


def _by_hypothesis(reason: str, a: Experiment, b: Experiment) -> str:
    """A reason that can be read without knowing which plan sat where."""
    names = {"A": shorten(a.hypothesis, 60), "B": shorten(b.hypothesis, 60)}
    return _SEAT.sub(lambda seat: f"the plan for «{names[seat[1]]}»", reason)
