"""Branches of Chain of Ideas: perspectives on a topic, each with an anchor paper and the chain around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

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
    Perspective,
    ReaderGuide,
    RelevanceQuery,
    Relevant,
)

_ANCHOR_CANDIDATES = 5


@dataclass(frozen=True)
class Branch:
    """A perspective with the anchor of its chain, or with the reason why it has none."""

    number: int
    perspective: Perspective
    anchor: Relevant | None
    accepted: tuple[Paper, ...]
    """All papers that were judged relevant for the branch, whether or not they are in the chain."""
    point: StartingPoint | None = None
    """The opportunity that it looks from, where it does."""

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
    branches. No
    paper anchors two branches."""
    filters = Filters(before=options.before)
    perspectives = [Perspective(aspect=point.aspect, query=point.query) for point in points]
    if (others := options.branches - len(points)) > 0:
        perspectives += await guide.perspectives(topic, others)
    searched = await run_concurrently(
        lab.library.search(each.query, _ANCHOR_CANDIDATES, filters) for each in perspectives
    )
    offered = [
        _each_once((*(point.papers if point else ()), *(hit.paper for hit in hits)))
        for hits, point in zip_longest(searched, points)
    ]
    accepted = await run_concurrently(
        guide.relevant(RelevanceQuery(topic, perspective.aspect), papers, "anchor")
        for perspective, papers in zip(perspectives, offered, strict=True)
    )
    taken: set[str] = set()
    branches = []
    for number, (perspective, choices, point) in enumerate(zip_longest(perspectives, accepted, points), 1):
        anchor = next((choice for choice in choices if choice.paper.id not in taken), None)
        taken |= {anchor.paper.id} if anchor else set()
        relevant_papers = tuple(choice.paper for choice in choices)
        branches.append(Branch(number, perspective, anchor, relevant_papers, point))
    return branches


def _each_once(papers: Iterable[Paper]) -> list[Paper]:
    return list({paper.id: paper for paper in papers}.values())


async def chain_of(lab: Lab, topic: Topic, options: ChainOptions, guide: Guide, branch: Branch) -> Chain:
    """The chain around the anchor of a branch, which must have one; without a line where `options.length` is 0."""
    assert branch.anchor is not None, "only rooted branches are pursued"
    limits = ChainLimits(max(options.length, 1), min(options.least, max(options.length, 1)), options.before)
    builder = ChainBuilder(guide, lab.library, RelevanceQuery(topic, branch.perspective.aspect), limits)
    if options.length > 0:
        return await builder.build(branch.perspective.query, branch.anchor)
    hits = await lab.library.search(branch.perspective.query, 5, limits.filters)
    return await builder.unordered(branch.perspective.query, [hit.paper for hit in hits])
