"""What ResearchAgent works out in turn, problem, method and experiment, and the criteria that reviewers of each go by.

Five criteria each, named as in Baek et al. 2024; what they mean is told in our words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field

from novum.llm import Answer, prose


class Problem(Answer):
    """The answer to `research_agent_problem`."""

    rationale: str = prose(1500, "what in the labelled papers leads to the problem, and why it is open")
    statement: str = prose(2000, "the problem: situation, objects, what fails, what would count as solved")


class Approach(Answer):
    """The answer to `research_agent_method`."""

    rationale: str = prose(1500, "why the method meets the problem; assumption, simplest rival, nearest papers")
    statement: str = prose(3000, "the method step by step, the central mechanism first")


class Trial(Answer):
    """The answer to `research_agent_experiment`."""

    rationale: str = prose(1000, "why the plan can decide the question, and what would refute the method")
    statement: str = prose(2400, "what is done in order, compared with what, measured how, decided how")


class Remark(Answer):
    """The answer to `research_agent_review`."""

    feedback: str = prose(800, "the weakness by this criterion and one concrete change, or what carries it")
    mark: int = Field(description="1 (fails) to 5 (nothing to mend)", ge=1, le=5)


@dataclass(frozen=True)
class Stage:
    """One of the things that are worked out, and what its reviewers go by."""

    name: str
    heading: str
    form: type[Problem] | type[Approach] | type[Trial]
    criteria: Mapping[str, str]

    @property
    def prompt(self) -> str:
        return f"research_agent_{self.name}"


PROBLEM = Stage(
    "problem",
    "The problem",
    Problem,
    {
        "clarity": "after one reading somebody of the field knows what is to be solved, for which objects and under "
        "which conditions; terms are explained and nothing essential is left open.",
        "relevance": "it belongs to the topic, grows out of the papers it starts from, and matters to those who work "
        "there.",
        "originality": "none of these papers poses it, and it is no known problem under another name; what is not new "
        "in it is said.",
        "feasibility": "a small group could make headway with data, instruments and computing that can be had today.",
        "significance": "its solution would change what others do next, here or in neighbouring fields.",
    },
)
METHOD = Stage(
    "method",
    "The method",
    Approach,
    {
        "clarity": "somebody of the field could carry it out from this text alone; no step hides behind a word.",
        "validity": "it meets the problem as posed, and the reasons given why it works hold up against what the papers "
        "say.",
        "rigour": "its parts fit together, its assumptions are named, and the cases in which it breaks are thought "
        "through.",
        "innovativeness": "its central mechanism stands in none of these papers, is more than two of them joined, and "
        "is no known method under another name; what is taken over is said.",
        "generalizability": "it would work beyond the one data set, object or setting that it is told for, and says "
        "how far.",
    },
)
EXPERIMENT = Stage(
    "experiment",
    "How it would be tested",
    Trial,
    {
        "clarity": "after one reading it is plain what is done in which order, what each step is for, and which "
        "outcome leads to which verdict.",
        "validity": "its outcome decides whether the method does what it promises: rivals that differ in what they are "
        "meant to differ in and nothing else, measures that show the effect, other explanations ruled out.",
        "robustness": "the outcome would hold with other seeds, data and settings, and the plan shows whether it does.",
        "feasibility": "time, data, equipment and people suffice, and the cheapest step that could end it comes first.",
        "reproducibility": "data with their releases, tools, settings, repetitions and rules of decision are named "
        "closely enough that two groups would do the same.",
    },
)
