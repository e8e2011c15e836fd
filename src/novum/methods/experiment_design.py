"""Designing an experiment for an idea: draft, review, look-up if the review asks for one, refined draft.

Shared by all generators (Chain of Ideas, section 3.4, Tables 17 to 20).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from novum.core import Chain, Entity, Experiment, ExperimentDraft, Idea, Paper, Review, Topic
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question
from novum.reading import Bibliography, labelled_insights

_LOOKED_UP = 4


class Design(Answer):
    """The answer to `design_experiment` and `refine_experiment`."""

    hypothesis: str = Field(
        description="what would have to be true, stated so that an outcome could contradict it", max_length=600
    )
    steps: list[str] = Field(
        description="the procedure in order, each step concrete enough to be carried out", min_length=1, max_length=12
    )
    datasets: list[str] = Field(description="data or materials, each with why it fits", max_length=8)
    baselines: list[str] = Field(description="what it is compared with, and why", max_length=8)
    metrics: list[str] = Field(description="what is measured, and what difference would matter", max_length=8)
    ablations: list[str] = Field(
        description="which part is taken out or changed, and what that would show", max_length=8
    )
    analysis: str = Field(description="how outcomes decide about the hypothesis, negative ones too", max_length=1000)
    feasibility: str = Field(
        description="time, people, equipment, cost; what may go wrong and what then", max_length=1000
    )
    sketch: str = Field(
        description="pseudo-code or outline of the core procedure; empty if it adds nothing", max_length=1600
    )
    other_works: list[str] = Field(
        description="full titles of works leant on beyond the labelled ones; empty if none", max_length=6
    )


class Critique(Answer):
    """The answer to `review_experiment`."""

    strengths: list[str] = Field(description="what should stay", max_length=4)
    weaknesses: list[str] = Field(
        description="what would keep it from testing the idea, or from being carried out", max_length=6
    )
    suggestions: list[str] = Field(description="one concrete change for each weakness", max_length=6)
    search_query: str = Field(
        description="literature search that would help to make the changes; empty if none would", max_length=160
    )


@dataclass(frozen=True)
class Brief:
    """What a design starts from."""

    topic: Topic
    idea: Idea
    chain: Chain | None
    filters: Filters

    @property
    def entities(self) -> tuple[Entity, ...]:
        return self.chain.entities if self.chain else ()


async def design_experiment(lab: Lab, brief: Brief, refinements: int) -> list[ExperimentDraft]:
    """All drafts, oldest first; `refinements` rounds of review at most. Fewer, or none, when answers stay unusable."""
    try:
        with lab.run.step("draft"):
            experiment = await _draft(lab, brief)
    except NoUsableAnswer:
        return []
    drafts: list[ExperimentDraft] = []
    for turn in range(1, refinements + 1):
        try:
            with lab.run.step(f"refinement {turn}"):
                review = await _review(lab, brief, experiment)
                looked_up = await _look_up(lab, brief, review)
                drafts.append(
                    ExperimentDraft(
                        experiment=experiment, review=review, looked_up=tuple(paper.id for paper in looked_up)
                    )
                )
                experiment = await _refine(lab, brief, experiment, review, looked_up)
        except NoUsableAnswer:
            break
    if not drafts or drafts[-1].experiment != experiment:
        drafts.append(ExperimentDraft(experiment=experiment))
    return drafts


async def _draft(lab: Lab, brief: Brief) -> Experiment:
    shelf = Bibliography(brief.chain.papers if brief.chain else ())
    past = [each for each in labelled_insights(brief.chain, shelf) if each["experiment"]] if brief.chain else []
    needs = {"idea": brief.idea.text, "past": past, "entities": brief.entities}
    return _experiment(lab, brief, shelf, await lab.models.ask(Question("design_experiment", needs, Design)))


async def _review(lab: Lab, brief: Brief, experiment: Experiment) -> Review:
    needs = {"idea": brief.idea.text, "experiment": experiment.text, "entities": brief.entities}
    answered = await lab.models.answer(Question("review_experiment", needs, Critique, role="judge", temperature=0.0))
    critique = answered.value
    return Review(
        subject_id=experiment.id,
        reviewer=answered.model.short,
        strengths=tuple(critique.strengths),
        weaknesses=tuple(critique.weaknesses),
        suggestions=tuple(critique.suggestions),
        search_query=critique.search_query,
    )


async def _look_up(lab: Lab, brief: Brief, review: Review) -> list[Paper]:
    if not review.search_query.strip():
        return []
    return [hit.paper for hit in await lab.library.search(review.search_query, _LOOKED_UP, brief.filters)]


async def _refine(
    lab: Lab, brief: Brief, experiment: Experiment, review: Review, looked_up: Sequence[Paper]
) -> Experiment:
    shelf = Bibliography(looked_up)
    needs = {"idea": brief.idea.text, "experiment": experiment.text, "review": review, "looked_up": shelf.entries}
    return _experiment(lab, brief, shelf, await lab.models.ask(Question("refine_experiment", needs, Design)))


def _experiment(lab: Lab, brief: Brief, shelf: Bibliography, design: Design) -> Experiment:
    """The record of a design, its labels spelled out and its citations resolved."""
    fields = design.model_dump(exclude={"other_works"})
    texts = [text for value in fields.values() for text in ([value] if isinstance(value, str) else value)]
    spelled = {
        name: shelf.spelled_out(value) if isinstance(value, str) else tuple(shelf.spelled_out(each) for each in value)
        for name, value in fields.items()
    }
    cited = shelf.citations(texts, design.other_works, lambda title: visible(lab, title, brief.filters))
    return Experiment(idea_id=brief.idea.id, citations=cited, **spelled)


def visible(lab: Lab, title: str, filters: Filters) -> Paper | None:
    """The library's paper of that title, if the run may know of it."""
    paper = lab.library.find(title)
    if paper is not None and filters.before is not None and not paper.is_before(filters.before):
        return None
    return paper
