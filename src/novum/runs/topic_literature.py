"""What the library knows of a topic without any language model: its papers, its lines of work, its opportunities, and
the prompt that these make for any chat."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from novum.core import Chain, Topic, TopicLiterature
from novum.core.concurrency import run_concurrently
from novum.core.opportunity import OpportunityList
from novum.errors import BadInput
from novum.lab import Workplace
from novum.literature import Filters, Library, PaperLibrary, coverage_of
from novum.opportunities.search import find_opportunities, too_few_papers
from novum.reading import ChainBuilder, ChainLimits, LibraryGuide, Perspective, RelevanceQuery
from novum.reports.ideation.ready_prompt import grounded_prompt
from novum.runs.engine import ensure_library
from novum.runs.live_papers import live_papers

_PAPERS = 12
"""Papers nearest to the topic."""
_CHAINS, _LENGTH = 3, 5
_ANCHORS = 5
"""Candidates for the anchor of a chain."""
_OPPORTUNITIES = 4
_QUICK_UP_TO = 5_000
"""Papers up to which the concept map of a library is built in a few seconds."""
_FEWEST = 200
"""Papers below which opportunities are not reliable."""


async def topic_literature(library: PaperLibrary, topic: str, before: dt.date | None = None) -> TopicLiterature:
    """How well the library covers a topic, with the papers nearest to it. No service and no model is asked."""
    coverage = await coverage_of(library, topic, before=before)
    ids = dict.fromkeys([*coverage.paper_ids, *(each.id for each in coverage.nearest)])
    papers = {paper.id: paper for paper in library.get_many(list(ids)[:_PAPERS])}
    return TopicLiterature(
        verdict=coverage.verdict,
        reason=coverage.reason,
        on_topic=coverage.papers,
        searched=coverage.searched,
        years=coverage.years,
        papers=tuple(papers[each] for each in ids if each in papers),
    )


async def prompt_on_topic(
    place: Workplace, topic: Topic, before: dt.date | None, say: Callable[[str], None], *, force: bool = False
) -> str:
    """A complete prompt on a topic for any chat, from papers alone: no model is asked, and nothing is recorded.

    Live sources of the settings are asked where the library covers the topic badly; `say` receives lines about that.
    Raises BadInput where nothing is known of the topic, unless `force` is set.
    """
    ensure_library(place)
    known = await topic_literature(place.library, topic.text, before)
    if known.verdict != "good":
        async with live_papers(place, say) as fetch:
            if fetch is not None:
                await fetch(topic.text, before)
        known = await topic_literature(place.library, topic.text, before)
    if not known.papers or (known.verdict == "none" and not force):
        raise BadInput(
            f"No prompt can be made: the library knows nothing about this topic ({known.reason.partition(': ')[2]}). "
            "Let services be searched (--source openalex --source crossref), add papers of your own (novum library "
            "add FILE), or repeat the command with --force."
        )
    chains = await chains_on_topic(place.library, topic, before)
    openings = await _opportunities(place.library, topic, before)
    return grounded_prompt(topic.text, known, chains, openings)


async def chains_on_topic(library: PaperLibrary, topic: Topic, before: dt.date | None = None) -> list[Chain]:
    """Chains of papers through the topic, chosen by similarity and citations; those of one paper are left out."""
    guide = LibraryGuide(library, Filters(before=before))
    perspectives = await guide.perspectives(topic, _CHAINS)
    chains = await run_concurrently(_chain(library, guide, topic, each, before) for each in perspectives)
    different = {chain.papers: chain for chain in chains if chain and len(chain.papers) > 1}
    return list(different.values())


async def _chain(
    library: PaperLibrary, guide: LibraryGuide, topic: Topic, perspective: Perspective, before: dt.date | None
) -> Chain | None:
    """The chain of one perspective; None where no paper near it is near the topic."""
    search = RelevanceQuery(topic, perspective.aspect)
    hits = await library.search(perspective.query, _ANCHORS, Filters(before=before))
    anchors = await guide.relevant(search, [hit.paper for hit in hits], "anchor")
    if not anchors:
        return None
    builder = ChainBuilder(guide, library, search, ChainLimits(length=_LENGTH, before=before))
    return await builder.build(perspective.query, anchors[0])


async def _opportunities(library: Library, topic: Topic, before: dt.date | None) -> OpportunityList | None:
    """The opportunities of the topic where they are reliable and quick to compute; None elsewhere. They follow from all
    papers of the library, so there are none before a date."""
    if before is not None or not _FEWEST <= library.size().papers <= _QUICK_UP_TO:
        return None
    if too_few_papers(await coverage_of(library, topic.text)):
        return None
    return await find_opportunities(library, topic.text, count=_OPPORTUNITIES)
