"""Two ideas side by side, in both orders, by five criteria (Chain of Ideas, section 4.4 and Table 24).

A judge tends to like one seat. So every pair is asked twice with the seats exchanged, and a preference that follows
the seat instead of the idea is counted as a tie.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from novum.core import Idea, Topic, shorten
from novum.judges.both_orders import Asked, Comparing
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


IDEA_SEAT = re.compile(r"\b[Ii]dea ([AB])\b")


def by_title(idea: Idea) -> str:
    """What an idea is called in a reason."""
    return f"«{shorten(idea.title, 60)}»"


_COMPARING = Comparing("compare_ideas", Comparison, CRITERIA, IDEA_SEAT, by_title)


@judge("pair")
def compare_in_both_orders(topic: Topic, first: Idea, second: Idea, model: ModelName) -> Asked:
    """Two matches: `first` in seat A, then `second` in seat A. An answer that cannot be used makes a match without
    verdicts.
    """
    return _COMPARING.in_both_orders(topic, first, second, model)
