"""Choose the better of two ideas by four criteria and overall, without ties (DeepInnovator, sections 5.1 and A.4).

In the paper each judge of a panel sees every pair once, and each criterion goes to the majority. Changed here: each
judge sees both orders. A judge that favours a position then votes once for either side and decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from novum.core import Idea, Topic
from novum.judges.both_orders import MatchRequests, PairwiseComparison
from novum.judges.pair import IDEA_POSITION, by_title
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


CHOOSE_WINNER = PairwiseComparison("choose_winner", Winners, WIN_RATE_CRITERIA, IDEA_POSITION, by_title)


@judge("win-rate")
def choose_winner_in_both_orders(topic: Topic, first: Idea, second: Idea, model: ModelName) -> MatchRequests:
    """Two matches: `first` in position A, then `second` in position A. A match without a usable answer has no
    verdicts.
    """
    return CHOOSE_WINNER.in_both_orders(topic, first, second, model)
