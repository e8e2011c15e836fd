"""What is evaluated, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from novum.core import Idea, RubricSheet
from novum.core.account import Account
from novum.core.record import Value
from novum.core.research_context import NextIdeaSplit
from novum.runs.judge import ContestRates
from novum.statistics.win_rates import Grade, WinShare
from novum.training.next_idea.reward_check import CandidateCheck

ALL = "all"
"""The name under which all categories are taken together."""
ROUNDS = 3
"""Refinement rounds of the paper's comparison (section 5.1)."""


class DomainTopic(Value):
    """A topic of a field that is not in the training data; its context is made from the library."""

    category: str
    topic: str


OUT_OF_DOMAIN = (
    DomainTopic(category="law", topic="How courts should weigh evidence that was produced by algorithms"),
    DomainTopic(category="law", topic="Liability for harm caused by autonomous systems"),
    DomainTopic(category="education", topic="Feedback that helps students to learn from their own mistakes"),
    DomainTopic(category="education", topic="Early detection of students who will drop out"),
    DomainTopic(category="biotechnology", topic="Delivery of genome editors into specific cell types"),
    DomainTopic(category="biotechnology", topic="Enzymes that degrade plastics at low temperature"),
)
"""Topics of the three fields of the expert evaluation (section 5.4)."""


class EvaluationTask(Value):
    """`data`: a folder of tasks; empty: topics alone. `models`: the first is compared with each of the others."""

    data: str = ""
    split: NextIdeaSplit = "validation"
    most: Annotated[int, Field(ge=1)] = 113
    models: Annotated[tuple[str, ...], Field(min_length=1)]
    judges: Annotated[tuple[str, ...], Field(min_length=1)]
    rounds: Annotated[int, Field(ge=0, le=5)] = ROUNDS
    topics: tuple[DomainTopic, ...] = ()
    papers: Annotated[int, Field(ge=2, le=100)] = 16
    """Papers in the context of a topic."""
    small_prompts: bool = False
    """Short prompts for the models that write ideas."""
    forms: Annotated[int, Field(ge=0, le=100)] = 0
    """Experts for whom forms are written."""
    pairs: Annotated[int, Field(ge=1, le=100)] = 10
    """Pairs of each category on a form."""


class ModelIdea(Value):
    """The versions of the idea that one model wrote for one context, oldest first."""

    model: str
    context_id: str
    category: str
    versions: tuple[Idea, ...]
    ended: str

    @property
    def final(self) -> Idea:
        return self.versions[-1]


class StepGain(Value):
    """How versions of a step compare with the first versions of the same ideas (Figure 3)."""

    model: str
    step: int
    shares: dict[str, WinShare]
    """By criterion."""


class ModelRubric(Value):
    """The rubric of one model in one category (Figure 2)."""

    model: str
    category: str
    shares: dict[str, WinShare]


class Comparison(Value):
    """The subject against one other model in one category (Table 1)."""

    opponent: str
    category: str
    shares: dict[str, WinShare]
    """By criterion, the share of contexts on which the majority prefers the subject."""


class ExpertCell(Value):
    """Experts' answers on one criterion in one domain against one model (Table 2)."""

    category: str
    opponent: str
    criterion: str
    counts: dict[Grade, int]
    """What they say of the subject, compared with the opponent."""
    share: WinShare


class Evaluation(Value):
    """The outcome. `contests`: every judgement."""

    subject: str
    models: tuple[str, ...]
    judges: tuple[str, ...]
    ideas: tuple[ModelIdea, ...]
    missing: dict[str, int]
    """By model, contexts for which it wrote no idea."""
    rubric: tuple[ModelRubric, ...]
    comparisons: tuple[Comparison, ...]
    gains: tuple[StepGain, ...]
    contests: tuple[ContestRates, ...]
    sheets: tuple[RubricSheet, ...]
    failures: int
    """Judgements without a usable answer."""
    experts: tuple[ExpertCell, ...] = ()
    forms: int = 0
    """Experts for whom forms are written, each with `pairs` pairs of each category."""
    pairs: int = 10
    seed: int = 0
    reward_models: tuple[CandidateCheck, ...] = ()
    account: Account

    @property
    def categories(self) -> tuple[str, ...]:
        """All categories of the contexts, in order of appearance."""
        return tuple(dict.fromkeys(each.category for each in self.ideas))


def ideas_of(ideas: Sequence[ModelIdea], model: str, category: str = ALL) -> list[ModelIdea]:
    """The ideas of one model in a category."""
    return [each for each in ideas if each.model == model and category in (ALL, each.category)]
