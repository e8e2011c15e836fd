"""Compare two ideas by five criteria, in both orders; ties are allowed (Chain of Ideas, section 4.4 and Table 24).

A judge tends to favour one position. A preference that follows the position instead of the idea counts as a tie.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from novum.core import Idea, Topic, shorten
from novum.judges.both_orders import MatchRequests, PairwiseComparison
from novum.judges.registry import judge
from novum.llm import Answer, ModelName, prose

CRITERIA: Mapping[str, str] = {
    "novelty": "Is the problem or the approach new, or is it a new combination of known techniques that has a reason? "
    "Is it clear how it differs from earlier work? Is related work referenced adequately and correctly?",
    "significance": "Is the problem important for the whole topic as worded? Would researchers or practitioners use "
    "the idea or build on it? Does it solve a difficult problem better than earlier work, or offer an approach, in "
    "theory or in practice, that others do not have?",
    "clarity": "Is it clearly written and well organised? Are its terms explained? Does it tell an informed reader "
    "what is needed to understand it?",
    "feasibility": "Can it be carried out with existing technology and methods, or are there technical obstacles? Is "
    "it logical, without an obvious error or an unreasonable part? Could an experiment be designed from it?",
    "effectiveness": "How likely is the idea to work well, for example better than existing methods, or, where it is a "
    "test or a measurement, to decide its question?",
}
"""The five criteria of Tables 6 and 24, in our own words."""

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


COMPARE_IDEAS: PairwiseComparison[Idea] = PairwiseComparison(
    "compare_ideas", Comparison, CRITERIA, IDEA_POSITION, by_title
)


@dataclass(frozen=True)
class CheckedIdea:
    """An idea with what a novelty check found, which the judge sees below it. An empty finding changes nothing."""

    idea: Idea
    finding: str = ""

    @property
    def id(self) -> str:
        """The id of the idea."""
        return self.idea.id

    @property
    def text(self) -> str:
        """What the judge sees."""
        return (
            f"{self.idea.text}\n\nNovelty check by somebody else:\n{self.finding}" if self.finding else self.idea.text
        )


_COMPARE_CHECKED: PairwiseComparison[CheckedIdea] = PairwiseComparison(
    "compare_ideas", Comparison, CRITERIA, IDEA_POSITION, lambda each: by_title(each.idea)
)


def compare_checked_ideas(topic: Topic, first: CheckedIdea, second: CheckedIdea, model: ModelName) -> MatchRequests:
    """Two matches, as `compare_in_both_orders`, by a judge that also sees the novelty findings."""
    return _COMPARE_CHECKED.in_both_orders(topic, first, second, model)


@judge("pair")
def compare_in_both_orders(topic: Topic, first: Idea, second: Idea, model: ModelName) -> MatchRequests:
    """Two matches: `first` in position A, then `second` in position A. A match without a usable answer has no
    verdicts.
    """
    return COMPARE_IDEAS.in_both_orders(topic, first, second, model)
