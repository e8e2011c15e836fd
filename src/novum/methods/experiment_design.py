"""Designing an experiment for an idea: draft, review, look-up if the review asks for one, refined draft.

Shared by all generators (Chain of Ideas, section 3.4, Tables 17 to 20).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from novum.core import Chain, Entity, Experiment, ExperimentDraft, Idea, Paper, Review, Topic
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, listed, prose
from novum.reading import Bibliography, OutOfSight, labelled_insights

_LOOKED_UP = 4
FLAW = "The idea itself: "
"""Starts a weakness that no plan can fix."""
_NUMBER = re.compile(r"^\s*(?:step\s*)?\d+\s*[.:)]\s*", re.IGNORECASE)
"""A number that a writer put before a step."""


class Design(Answer):
    """The answer to `design_experiment`."""

    hypothesis: str = prose(600, "what would have to be true, stated so that an outcome could contradict it")
    steps: list[str] = listed(
        12, "the procedure in order, without numbers, each step concrete enough to be done", longest=500, least=1, few=4
    )
    datasets: list[str] = listed(8, "data or materials, each with why it fits", longest=300, few=1)
    baselines: list[str] = listed(8, "what it is compared with, and why", longest=300, few=1)
    metrics: list[str] = listed(8, "what is measured, and what difference would matter", longest=300, few=1)
    ablations: list[str] = listed(8, "which part is taken out or changed, and what that would show", longest=300, few=1)
    analysis: str = prose(1200, "how outcomes decide about the hypothesis, negative ones too")
    feasibility: str = prose(1000, "time, people, equipment, cost; what may go wrong and what then")
    sketch: str = prose(1600, "pseudo-code or outline of the core procedure; empty if it adds nothing")
    other_works: list[str] = listed(6, "full titles of works leant on beyond the labelled ones", longest=240, few=0)


class Revision(Design):
    """The answer to `refine_experiment`."""

    changes: list[str] = listed(8, "for each point of the review, what was done about it or why nothing", longest=300)


class Point(Answer):
    """One thing that is wrong with a plan, and its mending."""

    weakness: str = prose(400, "what would keep it from testing the idea, or from being carried out")
    change: str = prose(400, "one concrete change that mends it")


class Critique(Answer):
    """The answer to `review_experiment`."""

    strengths: list[str] = listed(4, "what should stay", longest=300)
    points: list[Point] = listed(6, "weaknesses in order of weight, each with its change")
    idea_flaw: str = prose(400, "a flaw of the idea itself that no plan can mend; empty if there is none")
    search_query: str = prose(160, "literature search that would help to make the changes; empty if none would")


@dataclass(frozen=True)
class ExperimentBrief:
    """The input of an experiment design. `plan`: what the method itself would test, with citations spelled out."""

    topic: Topic
    idea: Idea
    chain: Chain | None
    filters: Filters
    plan: str = ""

    @property
    def entities(self) -> tuple[Entity, ...]:
        """Entities of the chain that the idea mentions; the others would only distract."""
        text = self.idea.text.casefold()
        known = self.chain.entities if self.chain else ()
        return tuple(entity for entity in known if entity.name.casefold() in text)


async def design_experiment(lab: Lab, brief: ExperimentBrief, refinements: int) -> list[ExperimentDraft]:
    """All drafts, oldest first; `refinements` rounds of review at most. Fewer, or none, when answers stay unusable."""
    try:
        with lab.run.step("draft"):
            experiment = await _draft(lab, brief)
    except NoUsableAnswer:
        return []
    drafts: list[ExperimentDraft] = []
    changes: tuple[str, ...] = ()
    for turn in range(1, refinements + 1):
        try:
            with lab.run.step(f"refinement {turn}"):
                review = await _review(lab, brief, experiment)
                looked_up = await _look_up(lab, brief, review)
                drafts.append(_reviewed(experiment, changes, review, looked_up))
                experiment, changes = await _refine(lab, brief, experiment, review, looked_up)
        except NoUsableAnswer:
            break
    if not drafts or drafts[-1].experiment != experiment:
        drafts.append(ExperimentDraft(experiment=experiment, changes=changes))
    return drafts


async def _draft(lab: Lab, brief: ExperimentBrief) -> Experiment:
    shelf = Bibliography(brief.chain.papers if brief.chain else ())
    past = [each for each in labelled_insights(brief.chain, shelf) if each["experiment"]] if brief.chain else []
    needs = {"idea": brief.idea.text, "past": past, "entities": brief.entities, "plan": brief.plan}
    return _experiment(lab, brief, shelf, await lab.models.ask(Question("design_experiment", needs, Design)))


async def _review(lab: Lab, brief: ExperimentBrief, experiment: Experiment) -> Review:
    needs = {"idea": brief.idea.text, "experiment": experiment.text, "entities": brief.entities}
    answered = await lab.models.answer(Question("review_experiment", needs, Critique, role="judge", temperature=0.0))
    critique = answered.value
    flaw = [FLAW + critique.idea_flaw] if critique.idea_flaw else []
    return Review(
        subject_id=experiment.id,
        reviewer=answered.model.short,
        strengths=tuple(critique.strengths),
        weaknesses=(*(point.weakness for point in critique.points), *flaw),
        suggestions=tuple(point.change for point in critique.points),
        search_query=critique.search_query,
    )


async def _look_up(lab: Lab, brief: ExperimentBrief, review: Review) -> list[Paper]:
    if not review.search_query.strip():
        return []
    return [hit.paper for hit in await lab.library.search(review.search_query, _LOOKED_UP, brief.filters)]


async def _refine(
    lab: Lab, brief: ExperimentBrief, experiment: Experiment, review: Review, looked_up: Sequence[Paper]
) -> tuple[Experiment, tuple[str, ...]]:
    """The next plan, and what it did about each point of the review."""
    shelf = Bibliography(looked_up, "L")
    needs = {"idea": brief.idea.text, "experiment": experiment.text, "review": review, "looked_up": shelf.entries}
    revision = await lab.models.ask(Question("refine_experiment", needs, Revision))
    changes = tuple(shelf.spelled_out(each) for each in revision.changes)
    return _experiment(lab, brief, shelf, revision), changes


def _reviewed(
    experiment: Experiment, changes: tuple[str, ...], review: Review, looked_up: Sequence[Paper]
) -> ExperimentDraft:
    paper_ids = tuple(paper.id for paper in looked_up)
    return ExperimentDraft(experiment=experiment, changes=changes, review=review, looked_up=paper_ids)


def _experiment(lab: Lab, brief: ExperimentBrief, shelf: Bibliography, design: Design) -> Experiment:
    """The record of a design, its labels spelled out and its citations resolved."""
    fields = design.model_dump(include=set(Design.model_fields) - {"other_works"})
    fields["steps"] = [_NUMBER.sub("", step) for step in fields["steps"]]
    texts = [text for value in fields.values() for text in ([value] if isinstance(value, str) else value)]
    spelled = {
        name: shelf.spelled_out(value) if isinstance(value, str) else tuple(shelf.spelled_out(each) for each in value)
        for name, value in fields.items()
    }
    cited = shelf.citations(texts, design.other_works, lambda title: find_visible_paper(lab, title, brief.filters))
    return Experiment(idea_id=brief.idea.id, citations=cited, **spelled)


def find_visible_paper(lab: Lab, title: str, filters: Filters) -> Paper | None:
    """The library's paper of that title. Raises OutOfSight for one that the run may not know of."""
    paper = lab.library.find(title)
    if paper is not None and filters.before is not None and not paper.is_before(filters.before):
        raise OutOfSight(title)
    return paper
