"""`novum-1`, the first version of Novum's comparison of ideas and plans: arenas begun with it continue with it.

Prompts, criteria and forms of answers enter the keys of recorded answers. They never change here: a change makes a new
protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from novum.core import Experiment, Idea, Topic
from novum.judges.both_orders import MatchRequests, PairwiseComparison
from novum.judges.experiment_pair import PLAN_POSITION, PlanOfIdea, by_hypothesis
from novum.judges.pair import IDEA_POSITION, by_title
from novum.llm import Answer, ModelName, prose

IDEA_QUESTIONS: Mapping[str, str] = {
    "novelty": "Is the problem or the approach new against what is known, and the difference from it clear?",
    "significance": "Would it matter to the whole topic as worded? Would others build on it? Is it worth solving?",
    "clarity": "Is it well organised and precise enough that an informed reader knows what is meant?",
    "feasibility": "Can it be done with existing means? Is it sound enough to draw up an experiment from it?",
    "effectiveness": "How likely is a proposed method to beat present ones, or a test to decide its question?",
}
PLAN_QUESTIONS: Mapping[str, str] = {
    "feasibility": "Can it be carried out with the time, data, tools and people that it says or that can be had?",
    "quality": "Does its outcome decide the question? Are baselines, measures and controls those of a sceptic?",
    "clarity": "Is each step told so that an informed reader could carry it out, and knows why it is there?",
}


class FirstChoice(Answer):
    """One criterion's decision, the reason first."""

    reason: str = prose(300, "one sentence naming what decides it")
    better: Literal["A", "B", "tie"]


class FirstIdeaComparison(Answer):
    """The answer to `compare_ideas`."""

    novelty: FirstChoice
    significance: FirstChoice
    clarity: FirstChoice
    feasibility: FirstChoice
    effectiveness: FirstChoice


class FirstPlanComparison(Answer):
    """The answer to `compare_experiments`."""

    feasibility: FirstChoice
    quality: FirstChoice
    clarity: FirstChoice


_IDEAS: PairwiseComparison[Idea] = PairwiseComparison(
    "compare_ideas_1", FirstIdeaComparison, IDEA_QUESTIONS, IDEA_POSITION, by_title
)
_PLANS: PairwiseComparison[Experiment] = PairwiseComparison(
    "compare_experiments_1", FirstPlanComparison, PLAN_QUESTIONS, PLAN_POSITION, by_hypothesis
)


def compare_ideas_as_first(topic: Topic, first: Idea, second: Idea, model: ModelName) -> MatchRequests:
    """Two matches by the prompt and the criteria of `novum-1`."""
    return _IDEAS.in_both_orders(topic, first, second, model)


def compare_plans_as_first(topic: Topic, first: PlanOfIdea, second: PlanOfIdea, model: ModelName) -> MatchRequests:
    """Two matches by the prompt and the criteria of `novum-1`, whose judge sees the plans without their ideas."""
    return _PLANS.in_both_orders(topic, first.plan, second.plan, model)
