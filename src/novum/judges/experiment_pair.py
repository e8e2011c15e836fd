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
    "feasibility": "Can it be carried out with the time, data, tools and people that it says or that can be had?",
    "quality": "Does its outcome decide the question? Are baselines, measures and controls those of a sceptic?",
    "clarity": "Is each step told so that an informed reader could carry it out, and knows why it is there?",
}

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
        """What the judge sees."""
        return self.plan.text


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
