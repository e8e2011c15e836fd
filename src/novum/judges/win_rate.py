"""Which of two ideas wins, with no ties: four criteria and overall (DeepInnovator, sections 5.1 and A.4).

Source: every pair is put before each judge of a panel once, and each criterion goes to the majority. Changed: every
pair is asked in both orders, so that a judge who likes a seat votes once for either side and decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from novum.core import Idea, Topic
from novum.judges.both_orders import Asked, Comparing
from novum.judges.pair import IDEA_SEAT, by_title
from novum.judges.registry import judge
from novum.llm import Answer, ModelName, prose

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
    better: Literal["A", "B"]


class Winners(Answer):
    """The answer to `choose_winner`."""

    effectiveness: Choice
    novelty: Choice
    detailedness: Choice
    feasibility: Choice
    overall: Choice


_COMPARING = Comparing("choose_winner", Winners, WIN_RATE_CRITERIA, IDEA_SEAT, by_title)


@judge("win-rate")
def choose_winner_in_both_orders(topic: Topic, first: Idea, second: Idea, model: ModelName) -> Asked:
    """Two matches: `first` in seat A, then `second` in seat A. An answer that cannot be used makes a match without
    verdicts.
    """
    return _COMPARING.in_both_orders(topic, first, second, model)
