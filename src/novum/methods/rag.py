"""RAG: retrieve papers, then generate. The simplest baseline that reads literature."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from novum.core import Ideation, Paper, Topic
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Question
from novum.methods.drafting import DraftingOptions, DraftingTask, DraftWriter, drafted_ideas
from novum.methods.experiment_design import find_visible_paper
from novum.methods.finishing import MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.proposal import Draft, Proposal, RejectedDraft, draft_from_proposal
from novum.reading import Bibliography

NAME = "rag"


class RagOptions(DraftingOptions):
    """What is put before the writer, and the treatment of drafts."""

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
    Left out: joint training of retriever and generator. Added: the options `drafts`, `novelty` and `write_up`, which
    give it the treatment that ideas of Chain of Ideas get.
    """
    filters = Filters(before=options.before)
    with lab.run.step("search"):
        hits = await lab.library.search(topic.text, options.papers, filters, diversity=options.diversity)
    if not hits:
        return await ideation_from(lab, topic, MethodOutcome(NAME, options, (), notes=[_nothing_found(filters)]))
    papers = [hit.paper for hit in hits]
    made = await drafted_ideas(lab, DraftingTask(topic, options, papers, _writer(lab, topic, papers, filters), NAME))
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, made.candidates, made.matches, made.notes))


def _writer(lab: Lab, topic: Topic, papers: Sequence[Paper], filters: Filters) -> DraftWriter:
    shelf = Bibliography(papers)

    async def write(sent_back: Sequence[RejectedDraft], sample: int) -> Draft:
        needs = {"topic": topic.text, "papers": shelf.entries, "sent_back": list(sent_back)}
        answer = await lab.models.ask(Question("rag_idea", needs, Proposal, sample=sample))
        return draft_from_proposal(
            answer, topic, shelf, lambda title: find_visible_paper(lab, title, filters), generator=NAME
        )

    return write


def _nothing_found(filters: Filters) -> str:
    """The note that explains why there is no idea."""
    sure = f" that was surely published before {filters.before}" if filters.before else ""
    return f"The library holds no paper on this topic{sure}."
