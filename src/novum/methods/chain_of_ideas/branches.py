"""Branches of Chain of Ideas: perspectives on a topic, each with an anchor paper and the chain around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import cast

from pydantic import JsonValue

from novum.core import Chain, Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.lab import Lab
from novum.literature import Filters
from novum.methods.chain_of_ideas.options import ChainOptions
from novum.methods.starting_points import StartingPoint
from novum.reading import (
    ChainBuilder,
    ChainLimits,
    Guide,
    LibraryGuide,
    PaperReservations,
    Perspective,
    ReaderGuide,
    RelevanceQuery,
    Relevant,
    rank_anchors,
)
from novum.reading.relevance import MOST_ASSESSED

_ANCHOR_CANDIDATES = MOST_ASSESSED
"""Papers among which an anchor is chosen: as many as one question about relevance holds."""
_UNORDERED = 5
"""Papers shown without a chain between them (section A.4)."""


@dataclass(frozen=True)
class Branch:
    """A perspective with the anchor of its chain, or with the reason why it has none."""

    number: int
    perspective: Perspective
    anchor: Relevant | None
    accepted: tuple[Paper, ...]
    """All papers that were judged relevant for the branch, whether or not they are in the chain, those for the anchor
    first."""
    point: StartingPoint | None = None
    """The opportunity that it looks from, where it does."""
    other_anchors: tuple[Relevant, ...] = ()
    """Papers from which the chain may start instead, the best first."""

    @property
    def name(self) -> str:
        return f"branch {self.number}"


def guide_for(lab: Lab, options: ChainOptions) -> Guide:
    """The guide that finds and reads papers: the reader model, or the library if requested or if the reader is tiny."""
    filters = Filters(before=options.before)
    small = lab.models.model_for("reader").provider.name == "offline"
    if options.guide == "library" or (options.guide == "auto" and small):
        return LibraryGuide(lab.library, filters)
    return ReaderGuide(lab.models, lab.library, filters)


async def open_branches(
    lab: Lab, topic: Topic, options: ChainOptions, guide: Guide, points: Sequence[StartingPoint]
) -> list[Branch]:
    """Perspectives with their anchors: first those of opportunities, then those of the topic, up to the number of
    branches. No paper anchors two branches."""
    filters = Filters(before=options.before)
    perspectives = [Perspective(aspect=point.aspect, query=point.query) for point in points]
    if (others := options.branches - len(points)) > 0:
        perspectives += await guide.perspectives(topic, others)
    searched = await run_concurrently(
        lab.library.search(each.query, _ANCHOR_CANDIDATES, filters) for each in perspectives
    )
    offered = [
        _each_once((*(point.papers if point else ()), *(hit.paper for hit in hits)))[:_ANCHOR_CANDIDATES]
        for hits, point in zip_longest(searched, points)
    ]
    ranked = await run_concurrently(
        _anchors(lab, guide, RelevanceQuery(topic, perspective.aspect), papers, filters)
        for perspective, papers in zip(perspectives, offered, strict=True)
    )
    return _with_different_anchors(perspectives, ranked, points)


async def _anchors(
    lab: Lab, guide: Guide, search: RelevanceQuery, papers: Sequence[Paper], filters: Filters
) -> list[Relevant]:
    """The relevant ones of `papers`, in the order in which a chain should start from them."""
    accepted = await guide.relevant(search, papers, "anchor")
    return await rank_anchors(guide, lab.library, search, accepted, filters) if accepted else []


def _with_different_anchors(
    perspectives: Sequence[Perspective], ranked: Sequence[Sequence[Relevant]], points: Sequence[StartingPoint]
) -> list[Branch]:
    """Branches, each with its best anchor that no earlier branch has; the rest of its papers, without the anchors of
    other branches, may be tried when the chain stays short."""
    anchors: list[Relevant | None] = []
    taken: set[str] = set()
    for choices in ranked:
        anchor = next((choice for choice in choices if choice.paper.id not in taken), None)
        taken |= {anchor.paper.id} if anchor else set()
        anchors.append(anchor)
    return [
        Branch(
            number,
            perspective,
            anchor,
            tuple(choice.paper for choice in choices),
            point,
            tuple(choice for choice in choices if choice.paper.id not in taken),
        )
        for number, (perspective, anchor, choices, point) in enumerate(
            zip_longest(perspectives, anchors, ranked, points), 1
        )
    ]


def _each_once(papers: Iterable[Paper]) -> list[Paper]:
    return list({paper.id: paper for paper in papers}.values())


async def chains_of(
    lab: Lab, topic: Topic, options: ChainOptions, guide: Guide, branches: Sequence[Branch]
) -> list[tuple[Branch, Chain]]:
    """The chains around the anchors of these branches, which must all have one, and the branches with all papers that
    were judged relevant on the way. The chains grow at the same time and differ in most of their papers. Without a line
    between the papers where `options.length` is 0."""
    length = max(options.length, 1)
    limits = ChainLimits(length, min(options.least, length), options.before)
    reservations = PaperReservations(len(branches), limits.least)
    for number, branch in enumerate(branches):
        assert branch.anchor is not None, "only branches with an anchor have a chain"
        reservations.reserve(number, branch.anchor.paper.id)

    async def build(number: int, branch: Branch) -> tuple[Branch, Chain]:
        search = RelevanceQuery(topic, branch.perspective.aspect)
        builder = ChainBuilder(
            guide, lab.library, search, limits, reservations, number, lambda chain: _report_growth(lab, branch, chain)
        )
        with lab.run.step(branch.name):
            lab.run.emit("note", text=branch.perspective.query)
            chain = await _chain(lab, options, builder, branch, limits.filters)
        accepted = _each_once((*branch.accepted, *builder.accepted))
        return replace(branch, accepted=tuple(accepted)), chain

    with lab.run.step("chains"):
        return await run_concurrently(build(number, branch) for number, branch in enumerate(branches))


def _report_growth(lab: Lab, branch: Branch, chain: Chain) -> None:
    """Notes how far a chain has grown, for who watches the run."""
    papers = [
        {
            "title": link.paper.title, "year": link.paper.year, "authors": list(link.paper.authors[:3]),
            "direction": link.direction, "reason": link.reason,
        }
        for link in chain.links
    ]  # fmt: skip
    lab.run.emit("chain", branch=branch.name, query=branch.perspective.query, papers=cast(JsonValue, papers))


async def _chain(lab: Lab, options: ChainOptions, builder: ChainBuilder, branch: Branch, filters: Filters) -> Chain:
    query = branch.perspective.query
    if options.length > 0 and branch.anchor is not None:
        return await builder.build(query, branch.anchor, branch.other_anchors)
    hits = await lab.library.search(query, _UNORDERED, filters)
    return await builder.unordered(query, [hit.paper for hit in hits])
