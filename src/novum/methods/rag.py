"""RAG: retrieve, then generate. The plainest way to put literature before a writer, and the one to beat."""

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

    papers: int = Field(8, ge=1, le=20, description="Papers put before the writer")
    diversity: float = Field(
        0.3, ge=0, le=1, description="How much a paper is set back for resembling one before it; 0: not at all"
    )


@method(NAME, RagOptions)
async def rag(lab: Lab, topic: Topic, options: RagOptions) -> Ideation:
    """One idea from the papers nearest to the topic, with an experiment.

    Source: retrieval-augmented generation (Lewis et al. 2020), as the vanilla baseline of Chain of Ideas (section 4.3)
    has it: retrieved literature is put before the model, which writes. Kept: one search, one question, no order among
    the papers and no second look. Changed: search is by words and meaning together, and papers that repeat one another
    are set back (maximal marginal relevance); the experiment is designed in a step of its own, the same for all
    methods. Left out: retriever and generator trained together.
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
    """Why there is no idea, told to the user."""
    sure = f" that was surely published before {filters.before}" if filters.before else ""
    return f"The library holds no paper on this topic{sure}."
