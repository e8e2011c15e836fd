"""RAG: retrieve papers, then generate. The simplest baseline that reads literature."""

from __future__ import annotations

from pydantic import Field

from novum.core import Candidate, Ideation, Topic
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Question
from novum.methods.experiment_design import find_visible_paper
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.proposal import Proposal, draft_from_proposal
from novum.reading import Bibliography

NAME = "rag"


class RagOptions(ConcludingOptions):
    """What is put before the writer."""

    papers: int = Field(8, ge=1, le=20, description="Papers in the writer's prompt")
    diversity: float = Field(
        0.3, ge=0, le=1, description="How much a paper is ranked lower for resembling an earlier one; 0: not at all"
    )


@method(NAME, RagOptions)
async def rag(lab: Lab, topic: Topic, options: RagOptions) -> Ideation:
    """One idea from the papers nearest to the topic, with an experiment.

    Source: retrieval-augmented generation (Lewis et al. 2020), in the form of the baseline of Chain of Ideas (section
    4.3): a model writes with retrieved literature in its prompt. From the source: one search and one request, without
    an order among the papers. Changed: the search uses words and meaning together, and ranks papers lower that repeat
    each other (maximal marginal relevance); the experiment is planned in a separate step, the same for all methods.
    Left out: joint training of retriever and generator.
    """
    filters = Filters(before=options.before)
    with lab.run.step("search"):
        hits = await lab.library.search(topic.text, options.papers, filters, diversity=options.diversity)
    if not hits:
        return await ideation_from(lab, topic, MethodOutcome(NAME, options, (), notes=[_nothing_found(filters)]))
    shelf = Bibliography([hit.paper for hit in hits])
    try:
        with lab.run.step("idea"):
            answer = await lab.models.ask(
                Question("rag_idea", {"topic": topic.text, "papers": shelf.entries}, Proposal)
            )
    except NoUsableAnswer:
        notes = ["The writer gave no usable idea."]
        return await ideation_from(lab, topic, MethodOutcome(NAME, options, (), notes=notes))
    draft = draft_from_proposal(
        answer, topic, shelf, lambda title: find_visible_paper(lab, title, filters), generator=NAME
    )
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, [Candidate(idea=draft.idea)]))


def _nothing_found(filters: Filters) -> str:
    """The note that explains why there is no idea."""
    sure = f" that was surely published before {filters.before}" if filters.before else ""
    return f"The library holds no paper on this topic{sure}."
