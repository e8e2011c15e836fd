"""Drawing a chain through the citation graph, forward and backward from an anchor paper (Chain of Ideas, section 3.2).

Forward: papers that cite the end of the chain, ranked by cosine similarity to topic + anchor abstract. Backward: what
the first paper names as its roots, then its other references in the same ranking. Either way the reader judges the
candidates themselves before one is taken.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from novum.core import Chain, Direction, Insight, Link, Paper, shorten
from novum.core.concurrency import run_concurrently
from novum.literature import Filters, PaperLibrary
from novum.reading.guide import Guide
from novum.reading.relevance import RelevanceQuery, Relevant

MILESTONE_CITATIONS = 1000
"""A paper cited more often is a beginning: the chain need not go further back (section 3.2)."""
_CANDIDATES_AT_ONCE = 5
_LOOKS = 2
"""Groups of candidates looked at while a chain is still shorter than its least length."""


@dataclass(frozen=True)
class ChainLimits:
    """`length` papers at most, `least` where the literature allows; nothing public on or after `before`."""

    length: int = 5
    least: int = 3
    before: dt.date | None = None

    @property
    def filters(self) -> Filters:
        return Filters(before=self.before)


@dataclass
class _ChainInProgress:
    """A chain in the making. Until both sides have `settled` each decides by what it has found itself, so that the
    outcome does not hang on which answer came in first."""

    anchor: Paper
    how: dict[tuple[Direction, str], str]
    """Why each paper belongs, by the side that took it: both may take the same one."""
    later: list[Paper] = field(default_factory=list)
    earlier: list[Paper] = field(default_factory=list)
    """From the anchor outwards, as `later` is."""
    settled: bool = False
    readings: dict[str, asyncio.Task[Insight | None]] = field(default_factory=dict)
    ends: dict[Direction, str] = field(default_factory=dict)

    def side(self, direction: Direction) -> list[Paper]:
        return self.later if direction == "forward" else self.earlier

    def papers(self) -> list[Paper]:
        """From early to late."""
        return [*reversed(self.earlier), self.anchor, *self.later]

    def with_sides(self) -> list[tuple[Direction, Paper]]:
        """As `papers`, each with the side that it stands on."""
        earlier: list[tuple[Direction, Paper]] = [("backward", paper) for paper in reversed(self.earlier)]
        return [*earlier, ("anchor", self.anchor), *(("forward", paper) for paper in self.later)]

    def seen(self, direction: Direction) -> list[Paper]:
        """The papers that one side may know of."""
        return self.papers() if self.settled else [self.anchor, *self.side(direction)]

    def outermost(self, direction: Direction) -> Paper:
        return (self.side(direction) or [self.anchor])[-1]

    def settle(self) -> None:
        """Both sides have had their turn; a paper that both found stays where it came later."""
        found = {paper.id for paper in self.later}
        self.earlier = [paper for paper in self.earlier if paper.id not in found]
        self.settled = True


class ChainBuilder:
    """Builds chains for one perspective on a topic out of one library."""

    def __init__(self, guide: Guide, library: PaperLibrary, search: RelevanceQuery, limits: ChainLimits) -> None:
        self._guide = guide
        self._library = library
        self._search = search
        self._topic = search.topic
        self._limits = limits

    async def build(self, query: str, anchor: Relevant) -> Chain:
        """The chain around `anchor`, each of its papers read.

        Both directions grow at once by up to half the length; the one that has more to offer then takes what is left.
        """
        growing = _ChainInProgress(anchor.paper, {("anchor", anchor.paper.id): anchor.reason})
        self._begin_reading(growing, anchor.paper)
        room = self._limits.length - 1
        try:
            await run_concurrently((self._forward(growing, room // 2), self._backward(growing, room - room // 2)))
            growing.settle()
            await self._backward(growing, self._left(growing))
            await self._forward(growing, self._left(growing))
            return await self._read(query, growing)
        finally:
            for reading in growing.readings.values():
                reading.cancel()

    async def unordered(self, query: str, papers: Sequence[Paper]) -> Chain:
        """Papers from early to late without a line between them: the paper's variant of length 0 (section A.4)."""
        dated = sorted(papers, key=lambda paper: (paper.year or 0, paper.id))
        insights = await run_concurrently(self._guide.read(self._topic, paper) for paper in dated)
        links = tuple(
            Link(paper=paper, direction="anchor", reason="found by its text", insight=read)
            for paper, read in zip(dated, insights, strict=True)
        )
        return Chain(
            topic=self._topic.text,
            query=query,
            aspect=self._search.aspect,
            links=links,
            ends=("no chain was requested",),
        )

    def _left(self, growing: _ChainInProgress) -> int:
        return self._limits.length - len(growing.papers())

    async def _forward(self, growing: _ChainInProgress, steps: int) -> None:
        for _ in range(steps):
            if "forward" in growing.ends:
                return
            last = growing.outermost("forward")
            await self._library.expand(last, self._topic.text, self._limits.filters)
            citing = self._library.citing(last.id, self._limits.filters)
            candidates = [
                paper for paper in citing if paper not in growing.seen("forward") and not _is_earlier(paper, last)
            ]
            await self._extend(growing, await self._rank(candidates, growing.anchor), "forward")

    async def _backward(self, growing: _ChainInProgress, steps: int) -> None:
        for _ in range(steps):
            if "backward" in growing.ends:
                return
            first = growing.outermost("backward")
            if self._is_milestone(first) and len(growing.seen("backward")) >= self._limits.least:
                growing.ends["backward"] = (
                    f"{first.short_citation} is a milestone: over {MILESTONE_CITATIONS:,} citations"
                )
                return
            await self._extend(growing, await self._roots(growing, first), "backward")

    async def _extend(self, growing: _ChainInProgress, candidates: Sequence[Paper], direction: Direction) -> None:
        """Takes the best relevant candidate, or notes that the chain ends there."""
        beside = growing.outermost(direction)
        found = await self._first_relevant(growing, candidates, direction)
        if found is None:
            growing.ends[direction] = _end(len(candidates), direction, beside)
            return
        growing.how[direction, found.paper.id] = found.reason
        growing.side(direction).append(found.paper)
        self._begin_reading(growing, found.paper)

    async def _roots(self, growing: _ChainInProgress, paper: Paper) -> list[Paper]:
        """References of `paper`: those that its reading names first, the others by similarity."""
        await self._library.expand(paper, self._topic.text, self._limits.filters)
        cited = self._library.references(paper.id, self._limits.filters)
        references = [each for each in cited if each not in growing.seen("backward") and not _is_earlier(paper, each)]
        if not references:
            return []
        insight = await growing.readings[paper.id]
        known = {each.id for each in references}
        named = [
            found
            for title in (insight.key_references if insight else ())
            if (found := self._library.find(title)) and found.id in known
        ]
        first = list({each.id: each for each in named}.values())
        return first + await self._rank([each for each in references if each not in first], growing.anchor)

    async def _rank(self, papers: Sequence[Paper], anchor: Paper) -> list[Paper]:
        """By cosine similarity to topic + anchor abstract, best first."""
        if len(papers) < 2:
            return list(papers)
        hits = await self._library.rank(f"{self._topic.text}\n{anchor.gist}", papers)
        return [hit.paper for hit in hits]

    async def _first_relevant(
        self, growing: _ChainInProgress, candidates: Sequence[Paper], direction: Direction
    ) -> Relevant | None:
        """The best-ranked candidate that the reader finds relevant; a short chain looks further down the ranking."""
        for look in range(_LOOKS):
            group = candidates[look * _CANDIDATES_AT_ONCE : (look + 1) * _CANDIDATES_AT_ONCE]
            if not group or (look and len(growing.seen(direction)) >= self._limits.least):
                return None
            if found := await self._guide.relevant(self._search, group, direction, growing.outermost(direction)):
                return found[0]
        return None

    def _is_milestone(self, paper: Paper) -> bool:
        """Under a date, only citations of that time count: today's number would be knowledge from the future."""
        if self._limits.before is not None:
            return self._library.citations_before(paper.id, self._limits.before) > MILESTONE_CITATIONS
        return (paper.citation_count or 0) > MILESTONE_CITATIONS

    def _begin_reading(self, growing: _ChainInProgress, paper: Paper) -> None:
        """Starts reading a paper as soon as it is taken: the chain can grow meanwhile."""
        if paper.id in growing.readings:  # the other side took it too
            return
        growing.readings[paper.id] = asyncio.ensure_future(self._guide.read(self._topic, paper))

    async def _read(self, query: str, growing: _ChainInProgress) -> Chain:
        papers = growing.papers()
        insights = [await growing.readings[paper.id] for paper in papers]
        links = tuple(
            Link(paper=paper, direction=side, reason=growing.how[side, paper.id], insight=insight)
            for (side, paper), insight in zip(growing.with_sides(), insights, strict=True)
        )
        full = (
            () if len(links) < self._limits.length else (f"it has reached its length of {self._limits.length} papers",)
        )
        ends = tuple(growing.ends[side] for side in ("backward", "forward") if side in growing.ends)
        return Chain(topic=self._topic.text, query=query, aspect=self._search.aspect, links=links, ends=ends + full)


def _is_earlier(paper: Paper, than: Paper) -> bool:
    """Whether `paper` was certainly public before `than`, by the year at least."""
    return bool(paper.year and than.year and paper.year < than.year)


def _end(looked_at: int, direction: Direction, paper: Paper) -> str:
    where = "cites" if direction == "forward" else "is cited by"
    title = f"{paper.short_citation}, {shorten(paper.title, 60)}"
    if not looked_at:
        return f"no further paper in the library {where} {title}"
    return f"no relevant paper {where} {title} ({looked_at} looked at)"
