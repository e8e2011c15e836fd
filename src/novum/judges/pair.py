"""Compare two ideas by five criteria, in both orders; ties are allowed (Chain of Ideas, section 4.4 and Table 24).

A judge tends to favour one position. A preference that follows the position instead of the idea counts as a tie.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from novum.core import Idea, Topic, shorten
from novum.judges.both_orders import MatchRequests, PairwiseComparison
from novum.judges.registry import judge
from novum.llm import Answer, ModelName, prose

CRITERIA: Mapping[str, str] = {
    "novelty": "Is the problem or the approach new against what is known, and the difference from it clear?",
    "significance": "Would it matter to the whole topic as worded? Would others build on it? Is it worth solving?",
    "clarity": "Is it well organised and precise enough that an informed reader knows what is meant?",
    "feasibility": "Can it be done with existing means? Is it sound enough to draw up an experiment from it?",
    "effectiveness": "How likely is a proposed method to beat present ones, or a test to decide its question?",
}

Choice = Literal["A", "B", "tie"]


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


IDEA_POSITION = re.compile(r"\b[Ii]dea ([AB])\b")


def by_title(idea: Idea) -> str:
    """The name of an idea in the reason of a verdict."""
    return f"«{shorten(idea.title, 60)}»"


COMPARE_IDEAS = PairwiseComparison("compare_ideas", Comparison, CRITERIA, IDEA_POSITION, by_title)


@judge("pair")
def compare_in_both_orders(topic: Topic, first: Idea, second: Idea, model: ModelName) -> MatchRequests:
    """Two matches: `first` in position A, then `second` in position A. A match without a usable answer has no
    verdicts.
    """
    return COMPARE_IDEAS.in_both_orders(topic, first, second, model)
