"""Build the research context of papers: ideas, groups, relations, signals. Every answer is in the ledger, so a run that
is resumed repeats none of them."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core import Paper
from novum.core.concurrency import run_concurrently
from novum.core.research_context import PaperIdea, ResearchContext
from novum.literature import PaperLibrary
from novum.llm import Models
from novum.reading.research_context.extraction import extract_idea
from novum.reading.research_context.grouping import group_ideas
from novum.reading.research_context.relations import relate_ideas
from novum.reading.research_context.signals import find_signals


async def extract_ideas(models: Models, library: PaperLibrary, papers: Sequence[Paper]) -> tuple[PaperIdea, ...]:
    """The ideas of papers, extracted at once, in their order, without those that could not be read."""
    texts = library.full_texts([paper.id for paper in papers])
    with models.run.step("ideas of papers"):
        read = await run_concurrently(extract_idea(models, paper, texts.get(paper.id)) for paper in papers)
    return tuple(each for each in read if each is not None)


async def context_of_ideas(
    models: Models, library: PaperLibrary, ideas: Sequence[PaperIdea], unread: int = 0
) -> ResearchContext:
    """The context of ideas. `unread`: papers whose idea could not be extracted, for the notes."""
    if not ideas:
        return ResearchContext(notes=("No idea could be extracted from any paper.",))
    with models.run.step("groups"):
        grouping = await group_ideas(models, library.embedder, ideas)
    with models.run.step("relations"):
        relations = await relate_ideas(models, ideas, grouping.groups)
    with models.run.step("signals"):
        signals, dropped = await find_signals(models, ideas, grouping.groups, relations.found)
    counted = (
        (unread, "papers gave no usable idea."),
        (relations.dropped, "relations named ideas that do not fit their kind and were dropped."),
        (relations.unanswered, "requests for relations had no usable answer."),
        (dropped, "signals rested on fewer than two known ideas and were dropped."),
    )
    notes = (*grouping.notes, *(f"{number} {what}" for number, what in counted if number))
    return ResearchContext(
        ideas=tuple(ideas), groups=grouping.groups, relations=relations.found, signals=signals, notes=notes
    )


async def context_of_papers(models: Models, library: PaperLibrary, papers: Sequence[Paper]) -> ResearchContext:
    """The whole context of papers."""
    ideas = await extract_ideas(models, library, papers)
    return await context_of_ideas(models, library, ideas, len(papers) - len(ideas))
