"""Which of two ideas wins, with no ties: four criteria and overall (DeepInnovator, sections 5.1 and A.4).

Source: every pair is put before each judge of a panel once, and each criterion goes to the majority. Changed: every
pair is asked in both orders, so that a judge who likes a seat votes once for either side and decides nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Literal

from novum.core import Idea, Match, Outcome, Topic, Verdict
from novum.errors import NoUsableAnswer
from novum.judges.pair import by_title
from novum.judges.registry import judge
from novum.llm import Answer, ModelName, Question, prose

WIN_RATE_CRITERIA: Mapping[str, str] = {
    "effectiveness": "Which is likelier to bring about what it sets out to, if done with usual care? Look at the "
    "mechanism and at whether it meets the problem itself.",
    "novelty": "Which departs further from what is known? Leave aside whether it can be done.",
    "detailedness": "Which tells more fully what is done with what, on which assumptions, so that others could set to "
    "work? Length alone is no detail.",
    "feasibility": "Which could sooner be carried out with the means of today?",
    "overall": "Which would you rather see pursued: coherent, grounded, without hidden contradictions?",
}


class Choice(Answer):
    """One criterion's winner, the reason first."""

    reason: str = prose(300, "one sentence naming what decides it")
    winner: Literal["A", "B"]


class Winners(Answer):
    """The answer to `choose_winner`."""

    effectiveness: Choice
    novelty: Choice
    detailedness: Choice
    feasibility: Choice
    overall: Choice


Asked = Generator[Sequence[Question[Winners]], Sequence[Winners | NoUsableAnswer], tuple[Match, Match]]


@judge("win-rate")
def choose_winner_in_both_orders(topic: Topic, first: Idea, second: Idea, model: ModelName) -> Asked:
    """Two matches: `first` in seat A, then `second` in seat A. An answer that cannot be used makes a match without
    verdicts.
    """
    orders = ((first, second), (second, first))
    answers = yield [_question(topic, a, b, model) for a, b in orders]
    there, back = (_match(a, b, model, answer) for (a, b), answer in zip(orders, answers, strict=True))
    return there, back


def _question(topic: Topic, a: Idea, b: Idea, model: ModelName) -> Question[Winners]:
    needs = {"topic": topic.text, "a": a.text, "b": b.text, "criteria": WIN_RATE_CRITERIA}
    return Question("choose_winner", needs, Winners, role=model, temperature=0.0)


def _match(a: Idea, b: Idea, model: ModelName, answer: Winners | NoUsableAnswer) -> Match:
    if isinstance(answer, NoUsableAnswer):
        return Match(first_id=a.id, second_id=b.id, judge=model.short, failure=str(answer))
    seats: dict[str, Outcome] = {"A": "first", "B": "second"}
    choices = {name: getattr(answer, name) for name in WIN_RATE_CRITERIA}
    verdicts = tuple(
        Verdict(criterion=name, outcome=seats[each.winner], reason=by_title(each.reason, a, b))
        for name, each in choices.items()
    )
    return Match(first_id=a.id, second_id=b.id, judge=model.short, verdicts=verdicts)
