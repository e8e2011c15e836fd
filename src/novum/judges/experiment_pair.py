"""Compare two experiment plans by three criteria, in both orders (Chain of Ideas, section 4.4, Table 25)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from novum.core import Experiment, Idea, Topic, shorten
from novum.judges.both_orders import MatchRequests, PairwiseComparison
from novum.judges.pair import CriterionChoice
from novum.llm import Answer, ModelName

CRITERIA: Mapping[str, str] = {
    "feasibility": "Can the experiment be carried out with existing technology, data and means, or are there technical "
    "obstacles? Is the plan detailed, are its steps clear and in a logical order, and is it free of obvious errors and "
    "unreasonable parts? How likely is it that the idea can be implemented successfully in this way?",
    "quality": "Is there a reason for each step? Are baselines and measures chosen appropriately? Does the design take "
    "account of the strengths and limitations of the methods that it uses? Would its outcome support or refute what "
    "the idea claims?",
    "clarity": "Is the plan clearly written and well organised? Does it give an expert reader enough information to "
    "understand the experiment and to carry it out?",
}
"""The three criteria of Tables 7 and 25, in our own words."""

PLAN_POSITION = re.compile(r"\b[Pp]lan ([AB])\b")


class ExperimentComparison(Answer):
    """The answer to `compare_experiments`."""

    feasibility: CriterionChoice
    quality: CriterionChoice
    clarity: CriterionChoice


@dataclass(frozen=True)
class PlanOfIdea:
    """An experiment plan and the idea that it is to test. `idea` is None where only the plan is known."""

    plan: Experiment
    idea: Idea | None = None

    @property
    def id(self) -> str:
        """The id of the plan."""
        return self.plan.id

    @property
    def text(self) -> str:
        """What the judge sees: the plan, then the idea, without which nobody can say whether the plan tests it."""
        return f"{self.plan.text}\n\nThe idea that it tests:\n{self.idea.text}" if self.idea else self.plan.text


def by_hypothesis(plan: Experiment) -> str:
    """The name of a plan in the reason of a verdict."""
    return f"the plan for «{shorten(plan.hypothesis, 60)}»"


_COMPARISON: PairwiseComparison[PlanOfIdea] = PairwiseComparison(
    "compare_experiments", ExperimentComparison, CRITERIA, PLAN_POSITION, lambda each: by_hypothesis(each.plan)
)


def compare_experiments_in_both_orders(
    topic: Topic, first: PlanOfIdea, second: PlanOfIdea, model: ModelName
) -> MatchRequests:
    """Two matches: `first` in position A, then `second` in position A. A match without a usable answer has no
    verdicts.
    """
    return _COMPARISON.in_both_orders(topic, first, second, model)
