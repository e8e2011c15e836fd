"""The last step of every method: ideas in order, an experiment for the best one, and every paper cited by id.

Shared by all generators, so that a competition between them is one of ideas and not of what was done with them later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from novum.core import Candidate, ExperimentDraft, Ground, Ideation, Match, Paper, SeedOrigin, StartedFrom, Topic
from novum.core.research_context import ResearchContext
from novum.lab import Lab
from novum.literature import Filters
from novum.methods.experiment_design import FLAW, ExperimentBrief, design_experiment
from novum.methods.method import MethodOptions
from novum.methods.novelty_findings import finding_text


class ConcludingOptions(MethodOptions):
    """Options of methods that plan an experiment for the best idea."""

    experiment: bool = Field(True, description="Plan an experiment for the best idea")
    refinements: int = Field(1, ge=0, le=5, description="Rounds of review and refinement of the experiment")


@dataclass(frozen=True)
class MethodOutcome:
    """What a generator came to: candidates best first, the matches that ranked them (each pair in both orders),
    plain sentences on what is missing, the plan of an experiment for the best, where it made one, what the
    ideas were made from, where it noted that down, and the opportunities that they started from. `reader_judges`: False
    where no model is to judge papers."""

    method: str
    options: ConcludingOptions
    candidates: Sequence[Candidate]
    matches: Sequence[tuple[Match, Match]] = ()
    notes: Sequence[str] = ()
    plan: str = ""
    grounds: Sequence[Ground] = ()
    starts: Sequence[StartedFrom] = ()
    origins: Sequence[SeedOrigin] = ()
    """Every short idea with its source, for methods that choose among many."""
    reader_judges: bool = True
    context: ResearchContext | None = None
    """The research context of the ideas, for methods that build one."""


async def ideation_from(lab: Lab, topic: Topic, conclusion: MethodOutcome) -> Ideation:
    """The whole outcome, with an experiment for the best candidate, or a note that none could be planned."""
    options, notes = conclusion.options, list(conclusion.notes)
    drafts: list[ExperimentDraft] = []
    if conclusion.candidates and options.experiment:
        best = conclusion.candidates[0]
        with lab.run.step("experiment"):
            brief = ExperimentBrief(
                topic,
                best.idea,
                best.chain,
                Filters(before=options.before),
                plan=conclusion.plan,
                finding=finding_text(best, lab.library),
                reader_judges=conclusion.reader_judges,
            )
            drafts = await design_experiment(lab, brief, options.refinements)
        notes += _flaws(drafts) if drafts else ["The writer gave no usable experiment plan."]
    ideation = Ideation(
        topic=topic.text,
        method=conclusion.method,
        options=options.model_dump(mode="json"),
        candidates=tuple(conclusion.candidates),
        matches=tuple(match for pair in conclusion.matches for match in pair),
        drafts=tuple(drafts),
        grounds=tuple(conclusion.grounds),
        starts=_starts_of_ideas(conclusion),
        context=conclusion.context,
        origins=tuple(conclusion.origins),
        notes=tuple(notes),
    )
    return ideation.but(papers=tuple(_papers_named(lab, ideation)))


def _starts_of_ideas(conclusion: MethodOutcome) -> tuple[StartedFrom, ...]:
    """The starts of the remaining ideas, each once, in the order of the ideas."""
    known = {each.idea_id: each for each in reversed(conclusion.starts)}
    ids = (candidate.idea.id for candidate in conclusion.candidates)
    return tuple(known[idea_id] for idea_id in ids if idea_id in known)


def _flaws(drafts: Sequence[ExperimentDraft]) -> list[str]:
    """Objections of the plan's reviewers to the idea itself, which concern more than the plan."""
    weaknesses = [weakness for draft in drafts if draft.review for weakness in draft.review.weaknesses]
    return [f"A reviewer's objection. {weakness}" for weakness in weaknesses if weakness.startswith(FLAW)]


def _papers_named(lab: Lab, ideation: Ideation) -> list[Paper]:
    """Every paper that the outcome cites by id, each once."""
    ids: list[str] = []
    for candidate in ideation.candidates:
        ids += [link.paper.id for link in candidate.chain.links] if candidate.chain else []
        ids += [prior.paper_id for check in candidate.checks for prior in check.nearest]
        ids += [check.closest_id for check in candidate.checks if check.closest_id]
        for idea in (candidate.idea, *candidate.earlier_drafts):
            ids += [each.paper_id for each in idea.citations if each.paper_id]
    for start in ideation.starts:
        ids += start.paper_ids
    for origin in ideation.origins:
        closest = (origin.closest_id, *(each.closest_id for each in origin.objections))
        ids += [*origin.paper_ids, *filter(None, closest)]
    ids += [snippet.paper_id for ground in ideation.grounds for snippet in ground.evidence]
    for draft in ideation.drafts:
        ids += [*draft.looked_up, *(each.paper_id for each in draft.experiment.citations if each.paper_id)]
    return lab.library.get_many(dict.fromkeys(ids))
