"""The sources of seeds: what each puts before the writer, or a note that it has nothing to offer.

A source makes as few calls as it can, most of them none: papers are found and linked by the library. What it finds
goes into one request for several seeds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from novum.core import Chain, Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.core.evidence import Concept, Exploration, OpenProblem
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, listed, prose
from novum.methods.chain_of_ideas.branches import Branch, chains_of, guide_for, open_branches
from novum.methods.chain_of_ideas.options import ChainOptions
from novum.methods.portfolio.options import NAME, PortfolioOptions, SeedSource
from novum.methods.portfolio.seeds import SeedRequest
from novum.methods.spark.grounding import (
    SparkStart,
    draw_starts,
    papers_of,
    sources_with_passages,
    with_fallback_starts,
)
from novum.methods.starting_points import StartingPoint, available_points, starting_points
from novum.reading import Bibliography, labelled_insights
from novum.reading.exploration import ExploreOptions, explore

_ON_TOPIC = 30
"""Papers nearest to the topic: an analogy must come from elsewhere."""
_SHOWN = 8
"""Papers in a request whose source is a plain search."""
_ELSEWHERE = 4
"""Papers of another field for each query."""
_OPPORTUNITIES = 4
"""Opportunities in one request."""
_STARTS, _CONCEPTS = 3, 2
"""Open problems in one request, and concepts with each."""
_LIKE_EACH_OTHER = 0.4
"""How much a paper is ranked lower for resembling one before it."""


@dataclass(frozen=True)
class SourceContext:
    """What every source works with. `notes`: receives a sentence for each source that has nothing to offer."""

    lab: Lab
    topic: Topic
    options: PortfolioOptions
    notes: list[str]

    @property
    def filters(self) -> Filters:
        return Filters(before=self.options.before)


class Elsewhere(Answer):
    """A field in which a problem of the same structure may have been solved."""

    field: str = prose(120, "the other field, and the problem there")
    query: str = Field(description="search query of 3 to 10 words in the terms of that field", min_length=3)


class ProblemStructure(Answer):
    """The answer to `portfolio_structure`."""

    structure: str = prose(700, "the structure of the central problem in words that belong to no field")
    elsewhere: list[Elsewhere] = listed(2, "two fields that are far apart from each other and from the topic", least=1)


async def seed_requests(context: SourceContext) -> list[SeedRequest]:
    """The requests of all sources, in the order of the option `sources`."""
    of_source: Mapping[SeedSource, Callable[[SourceContext], Awaitable[list[SeedRequest]]]] = {
        "chain": _from_chains,
        "opportunity": _from_opportunities,
        "concepts": _from_concepts,
        "analogy": _from_another_field,
        "assumption": _from_assumptions,
        "plain": _plain,
    }
    chosen = list(dict.fromkeys(context.options.sources))
    made = await run_concurrently(_in_step(context, name, of_source[name]) for name in chosen)
    for _, notes in made:  # in the order of the sources, whichever was done first
        context.notes.extend(notes)
    return [request for requests, _ in made for request in requests]


async def _in_step(
    context: SourceContext, name: str, source: Callable[[SourceContext], Awaitable[list[SeedRequest]]]
) -> tuple[list[SeedRequest], list[str]]:
    notes: list[str] = []
    with context.lab.run.step(f"source {name}"):
        return await source(replace(context, notes=notes)), notes


def _skipped(context: SourceContext, source: SeedSource, why: str) -> list[SeedRequest]:
    context.notes.append(f"The source {source} had nothing to offer: {why}")
    return []


# -- chains of papers --------------------------------------------------------------------------------------------------


async def _from_chains(context: SourceContext) -> list[SeedRequest]:
    """A request for each chain of linked papers: tensions in it, what got lost along it, where it breaks."""
    lab, topic, options = context.lab, context.topic, context.options
    settings = ChainOptions(
        branches=options.chains, length=options.chain_length, least=2, guide=options.guide, before=options.before
    )
    guide = guide_for(lab, settings)
    branches = await open_branches(lab, topic, settings, guide, ())
    rooted = [each for each in branches if each.anchor is not None]
    chains = await chains_of(lab, topic, settings, guide, rooted) if rooted else []
    requests = [_chain_request(chain, branch) for branch, chain in chains if _is_line(chain)]
    return requests or _skipped(context, "chain", "no two papers near the topic are linked to each other.")


def _is_line(chain: Chain) -> bool:
    return len(chain.links) >= 2


def _chain_request(chain: Chain, branch: Branch) -> SeedRequest:
    shelf = Bibliography(chain.papers)
    linked = [link.linked_by for link in chain.links]
    papers = [paper | {"linked_by": by} for paper, by in zip(labelled_insights(chain, shelf), linked, strict=True)]
    needs = {"aspect": branch.perspective.aspect, "papers": papers}
    return SeedRequest("chain", "portfolio_seeds_chain", needs, chain.papers, chain, weight=4)


# -- opportunities -----------------------------------------------------------------------------------------------------


async def _from_opportunities(context: SourceContext) -> list[SeedRequest]:
    """Requests with several opportunities each: those asked for, or those that are known or quickly computed."""
    lab, topic, options = context.lab, context.topic, context.options
    if options.from_opportunities:
        points = await starting_points(lab, topic, options, context.notes)
    else:
        points, why = await available_points(lab, topic, options, _OPPORTUNITIES * options.batches)
        if why:
            return _skipped(context, "opportunity", why)
    return [_opportunity_request(points[at : at + _OPPORTUNITIES]) for at in range(0, len(points), _OPPORTUNITIES)]


def _opportunity_request(points: Sequence[StartingPoint]) -> SeedRequest:
    papers = tuple({paper.id: paper for point in points for paper in point.papers}.values())
    shelf = Bibliography(papers)
    needs = {"openings": [point.variables(shelf) for point in points], "papers": shelf.entries}
    return SeedRequest("opportunity", "portfolio_seeds_opportunity", needs, papers, weight=3)


# -- open problems and concepts ----------------------------------------------------------------------------------------


async def _from_concepts(context: SourceContext) -> list[SeedRequest]:
    """Open problems of an explored literature, each with concepts drawn at random (SPARK)."""
    lab, options = context.lab, context.options
    settings = ExploreOptions(
        before=options.before, rounds=1, passages=12, snippets=8, coverage=4, judge="similarity", prospects=True
    )
    exploration = await explore(lab, context.topic.text, settings)
    if not exploration.evidence:
        return _skipped(context, "concepts", exploration.ended)
    exploration = with_fallback_starts(exploration, [])
    drawn = draw_starts(exploration, _STARTS * options.batches, _CONCEPTS, lab.rng(f"{NAME}, concepts")).starts
    return [_concept_request(exploration, drawn[at : at + _STARTS]) for at in range(0, len(drawn), _STARTS)]


def _concept_request(exploration: Exploration, starts: Sequence[SparkStart]) -> SeedRequest:
    passages = list(dict.fromkeys(passage for start in starts for passage in start.passages))
    papers = papers_of(exploration, passages)
    labels = {entry.paper.id: entry.label for entry in Bibliography(papers).entries}

    def named(each: OpenProblem | Concept) -> dict[str, object]:
        shown_by = [exploration.evidence[place - 1].paper_id for place in each.cites]
        return {**each.model_dump(), "labels": list(dict.fromkeys(labels[one] for one in shown_by if one in labels))}

    pairs = [
        {"problem": named(start.problem), "concepts": [named(each) for each in start.concepts]} for start in starts
    ]
    needs = {"starts": pairs, "sources": sources_with_passages(papers, passages)}
    return SeedRequest("concepts", "portfolio_seeds_concepts", needs, papers, weight=3)


# -- another field -----------------------------------------------------------------------------------------------------


async def _from_another_field(context: SourceContext) -> list[SeedRequest]:
    """Papers of other fields whose problem has the same structure, found by two queries of the writer."""
    lab, topic, filters = context.lab, context.topic, context.filters
    nearby = [hit.paper for hit in await lab.library.search(topic.text, _ON_TOPIC, filters)]
    needs = {"topic": topic.text, "nearby": nearby[:_SHOWN]}
    try:
        answer = await lab.models.ask(Question("portfolio_structure", needs, ProblemStructure))
    except NoUsableAnswer:
        return _skipped(context, "analogy", "the writer gave no usable description of the problem's structure.")
    hits = await run_concurrently(lab.library.search(each.query, _ELSEWHERE, filters) for each in answer.elsewhere[:2])
    known = {paper.id for paper in nearby}
    papers = {hit.paper.id: hit.paper for found in hits for hit in found if hit.paper.id not in known}
    if not papers:
        return _skipped(context, "analogy", "the searches found only papers on the topic itself.")
    shelf = Bibliography(list(papers.values()))
    fields = [each.field for each in answer.elsewhere[:2]]
    wanted = {"structure": answer.structure, "fields": fields, "papers": shelf.entries}
    return [SeedRequest("analogy", "portfolio_seeds_analogy", wanted, tuple(papers.values()), weight=3)]


# -- assumptions, and no papers at all ---------------------------------------------------------------------------------


async def _from_assumptions(context: SourceContext) -> list[SeedRequest]:
    """Papers on the topic that differ from each other: what all of them take for granted is inverted."""
    options, library = context.options, context.lab.library
    most = _SHOWN * options.batches
    hits = await library.search(context.topic.text, most, context.filters, diversity=_LIKE_EACH_OTHER)
    papers = [hit.paper for hit in hits]
    if len(papers) < 2:
        return _skipped(context, "assumption", "fewer than two papers near the topic were found.")
    return [_assumption_request(tuple(papers[at :: options.batches])) for at in range(options.batches)]


def _assumption_request(papers: tuple[Paper, ...]) -> SeedRequest:
    needs = {"papers": Bibliography(papers).entries}
    return SeedRequest("assumption", "portfolio_seeds_assumption", needs, papers, weight=3)


async def _plain(context: SourceContext) -> list[SeedRequest]:
    """The topic alone: what the writer knows."""
    return [SeedRequest("plain", "portfolio_seeds_plain", {}, weight=3)] * context.options.batches
