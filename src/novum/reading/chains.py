"""Building a chain through the citation graph, forward and backward from an anchor paper (Chain of Ideas, section 3.2).

Forward: papers that cite the end of the chain, ranked by cosine similarity to topic + anchor abstract. Backward: what
the first paper names as its roots, then its other references in the same ranking. Either way the reader judges the
candidates themselves before one is taken. A chain that stays too short starts from the next anchor; if that does not
help, papers without a direct citation complete it, and each of them says so (`Link.linked_by`).
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from novum.core import Chain, Direction, Insight, Link, Linkage, Paper, shorten
from novum.core.concurrency import run_concurrently
from novum.literature import Filters, PaperLibrary
from novum.reading.anchors import MOST_TRIED
from novum.reading.guide import Guide
from novum.reading.relevance import RelevanceQuery, Relevant
from novum.reading.reservations import PaperRequest, PaperReservations

MILESTONE_CITATIONS = 1000
"""A paper cited more often is a beginning: the chain need not go further back (section 3.2)."""
LEAST_SIMILARITY = 0.25
"""Least cosine similarity to topic and anchor of a paper that joins a chain without any citation. Of random pairs of
papers of the starter library about one in a hundred reaches it, of papers with one of their references two in five."""
_CANDIDATES_AT_ONCE = 5
_LOOKS = 2
"""Groups of candidates looked at while an end of a chain is still short."""
_SIMILAR = 20
"""Papers that a search for similar ones returns, before the least similarity is applied."""
_ENDS: tuple[Direction, ...] = ("forward", "backward")
Candidates = Callable[[Paper, Filters], Awaitable[list[Paper]]]
"""The papers that an end of a chain might take, of those that pass the filters, best first."""


@dataclass(frozen=True)
class ChainLimits:
    """`length` papers at most, `least` where the literature allows; nothing public on or after `before`."""

    length: int = 5
    least: int = 3
    before: dt.date | None = None

    @property
    def filters(self) -> Filters:
        return Filters(before=self.before)


@dataclass(frozen=True)
class _Member:
    """A paper of a chain in the making, why it belongs there, and how it is linked to its neighbour."""

    paper: Paper
    reason: str
    linked_by: Linkage = ""


@dataclass
class _ChainInProgress:
    """A chain in the making."""

    anchor: _Member
    later: list[_Member] = field(default_factory=list)
    earlier: list[_Member] = field(default_factory=list)
    """From the anchor outwards, as `later` is."""
    ends: dict[Direction, str] = field(default_factory=dict)

    def side(self, direction: Direction) -> list[_Member]:
        return self.later if direction == "forward" else self.earlier

    def papers(self) -> list[Paper]:
        """From early to late."""
        return [member.paper for member, _ in self.with_sides()]

    def with_sides(self) -> list[tuple[_Member, Direction]]:
        """The papers from early to late, each with the side on which it stands."""
        earlier: list[tuple[_Member, Direction]] = [(member, "backward") for member in reversed(self.earlier)]
        return [*earlier, (self.anchor, "anchor"), *((member, "forward") for member in self.later)]

    def outermost(self, direction: Direction) -> Paper:
        return (self.side(direction) or [self.anchor])[-1].paper


@dataclass(frozen=True)
class _Offer:
    """What one end of a chain may take in this round: the relevant papers, best first, or why the chain ends there."""

    direction: Direction
    linked_by: Linkage = "cited"
    relevant: Sequence[Relevant] = ()
    shared: bool = False
    end: str = ""

    @property
    def request(self) -> PaperRequest:
        return PaperRequest(tuple(each.paper.id for each in self.relevant), self.shared)


class ChainBuilder:
    """Builds the chain of one perspective on a topic out of one library.

    `reservations`: what the other chains have that grow at the same time; `number`: which of them this one is. Papers
    of other chains are taken only going backward, where nothing else is relevant: so no two chains end with the same
    paper.
    `growth`: is given the chain each time that it has got a paper.
    """

    def __init__(
        self,
        guide: Guide,
        library: PaperLibrary,
        search: RelevanceQuery,
        limits: ChainLimits,
        reservations: PaperReservations | None = None,
        number: int = 0,
        growth: Callable[[Chain], None] | None = None,
    ) -> None:
        self._guide = guide
        self._library = library
        self._search = search
        self._topic = search.topic
        self._limits = limits
        self._reservations = reservations or PaperReservations()
        self._number = number
        self._growth = growth
        self._readings: dict[str, asyncio.Task[Insight | None]] = {}
        self._accepted: dict[str, Paper] = {}

    @property
    def accepted(self) -> tuple[Paper, ...]:
        """The papers that were judged relevant while the chain grew, whether or not it has them."""
        return tuple(self._accepted.values())

    async def build(self, query: str, anchor: Relevant, others: Sequence[Relevant] = ()) -> Chain:
        """The chain around `anchor`, each of its papers read. `others`: anchors that may be tried instead while the
        chain stays under its least length, in this order.

        Both directions grow at once by up to half the length; the one that has more to offer then takes what is left.
        """
        self._reservations.reserve(self._number, anchor.paper.id)
        try:
            growing = await self._grown(anchor)
            for other in others[: MOST_TRIED - 1]:
                if self._is_short(growing):
                    growing = await self._longer(growing, other)
            if self._is_short(growing):
                await self._complete(query, growing)
            self._reservations.leave(self._number)
            return await self._read(query, growing)
        finally:
            self._reservations.leave(self._number)
            for reading in self._readings.values():
                reading.cancel()

    async def unordered(self, query: str, papers: Sequence[Paper]) -> Chain:
        """Papers from early to late without a line between them: the paper's variant of length 0 (section A.4)."""
        dated = sorted(papers, key=lambda paper: (paper.year or 0, paper.id))
        insights = await run_concurrently(self._guide.read(self._topic, paper) for paper in dated)
        links = tuple(
            Link(paper=paper, direction="anchor", reason="found by its text", insight=read)
            for paper, read in zip(dated, insights, strict=True)
        )
        return self._chain(query, links, ("no chain was requested",))

    # Growing along citations

    def _is_short(self, growing: _ChainInProgress) -> bool:
        return len(growing.papers()) < self._limits.least

    def _is_short_at(self, growing: _ChainInProgress, direction: Direction) -> bool:
        """Whether this end with the anchor is shorter than a chain should be: the other end may find nothing."""
        return 1 + len(growing.side(direction)) < self._limits.least

    async def _grown(self, anchor: Relevant) -> _ChainInProgress:
        """A chain that has grown from `anchor` along citations as far as it can."""
        growing = _ChainInProgress(_Member(anchor.paper, anchor.reason))
        self._begin_reading(anchor.paper)
        self._report(growing)
        while sides := self._growing_sides(growing):
            await self._take(growing, await run_concurrently(self._next(growing, side) for side in sides))
        return growing

    async def _longer(self, growing: _ChainInProgress, other: Relevant) -> _ChainInProgress:
        """The chain from another anchor, if that can be had, has citations, and gives a longer one; otherwise
        `growing`."""
        if not await self._has_citations(other.paper):
            return growing
        [granted] = await self._reservations.take(self._number, [PaperRequest((other.paper.id,))])
        if granted is None:
            return growing
        attempt = await self._grown(other)
        better = len(attempt.papers()) > len(growing.papers())
        given_up = growing if better else attempt
        await self._reservations.take(self._number, [], [paper.id for paper in given_up.papers()])
        return attempt if better else growing

    async def _has_citations(self, paper: Paper) -> bool:
        filters = self._limits.filters
        await self._library.expand(paper, self._topic.text, filters)
        return bool(self._library.references(paper.id, filters) or self._library.citing(paper.id, filters))

    def _growing_sides(self, growing: _ChainInProgress) -> list[Direction]:
        """The ends that take a paper next: both, up to half of the length each; then one, the earlier first."""
        room = self._limits.length - 1
        halves: dict[Direction, int] = {"forward": room // 2, "backward": room - room // 2}
        if len(growing.papers()) >= self._limits.length:
            return []
        able = [side for side in halves if side not in growing.ends]
        return [side for side in able if len(growing.side(side)) < halves[side]] or able[-1:]

    async def _next(self, growing: _ChainInProgress, direction: Direction) -> _Offer:
        beside = growing.outermost(direction)
        if direction == "backward" and self._is_milestone(beside) and not self._is_short_at(growing, direction):
            return _Offer(direction, end=_milestone_end(beside))
        await self._library.expand(beside, self._topic.text, self._limits.filters)
        candidates = await (self._citing if direction == "forward" else self._roots)(growing, beside)
        free = [paper for paper in candidates if self._reservations.is_free(paper.id)]
        if found := await self._relevant(growing, free, direction):
            return _Offer(direction, relevant=found)
        if direction == "backward":
            shared = [paper for paper in candidates if self._reservations.may_be_shared(self._number, paper.id)]
            if found := await self._relevant(growing, shared, direction):
                return _Offer(direction, relevant=found, shared=True)
        own = {paper.id for paper in growing.papers()}
        elsewhere = len({paper.id for paper in candidates} - own) - len(free)
        return _Offer(direction, end=_end(len(free), elsewhere, direction, beside))

    async def _take(self, growing: _ChainInProgress, offers: Sequence[_Offer]) -> bool:
        """Adds the papers that the chain gets, and notes where it ends. Returns whether it got any. An end that lost
        all its papers to other chains in this round looks again in the next one."""
        granted = await self._reservations.take(self._number, [offer.request for offer in offers])
        for offer, paper_id in zip(offers, granted, strict=True):
            self._accepted |= {each.paper.id: each.paper for each in offer.relevant}
            if offer.end:
                growing.ends[offer.direction] = offer.end
            for each in offer.relevant:
                if each.paper.id == paper_id:
                    growing.side(offer.direction).append(_Member(each.paper, each.reason, offer.linked_by))
                    self._begin_reading(each.paper)
        if any(granted):
            self._report(growing)
        return any(granted)

    def _report(self, growing: _ChainInProgress) -> None:
        """Shows the chain as far as it has grown, its papers not read yet, to whoever follows it."""
        if self._growth is not None:
            links = [
                Link(paper=member.paper, direction=side, reason=member.reason, linked_by=member.linked_by)
                for member, side in growing.with_sides()
            ]
            self._growth(self._chain(self._search.aspect, tuple(links), ()))

    async def _citing(self, growing: _ChainInProgress, last: Paper) -> list[Paper]:
        """Papers that cite `last`, by similarity."""
        citing = self._library.citing(last.id, self._limits.filters)
        return await self._rank([paper for paper in citing if not _is_earlier(paper, last)], growing.anchor.paper)

    async def _roots(self, growing: _ChainInProgress, paper: Paper) -> list[Paper]:
        """References of `paper`: those that its reading names first, the others by similarity."""
        cited = self._library.references(paper.id, self._limits.filters)
        references = [each for each in cited if not _is_earlier(paper, each)]
        if not references:
            return []
        insight = await self._readings[paper.id]
        known = {each.id for each in references}
        named = [
            found
            for title in (insight.key_references if insight else ())
            if (found := self._library.find(title)) and found.id in known
        ]
        first = list({each.id: each for each in named}.values())
        return first + await self._rank([each for each in references if each not in first], growing.anchor.paper)

    async def _rank(self, papers: Sequence[Paper], anchor: Paper) -> list[Paper]:
        """By cosine similarity to topic + anchor abstract, best first."""
        if len(papers) < 2:
            return list(papers)
        return [hit.paper for hit in await self._library.rank(f"{self._topic.text}\n{anchor.gist}", papers)]

    async def _relevant(
        self, growing: _ChainInProgress, candidates: Sequence[Paper], direction: Direction, linked_by: Linkage = "cited"
    ) -> list[Relevant]:
        """Those of the best-ranked candidates that are relevant; a short end looks further down the ranking."""
        beside = growing.outermost(direction)
        for look in range(_LOOKS if self._is_short_at(growing, direction) else 1):
            group = candidates[look * _CANDIDATES_AT_ONCE : (look + 1) * _CANDIDATES_AT_ONCE]
            if not group:
                return []
            if found := await self._guide.relevant(self._search, group, direction, beside, linked_by):
                return found
        return []

    def _is_milestone(self, paper: Paper) -> bool:
        """Under a date, only citations of that time count: today's number would be knowledge from the future."""
        if self._limits.before is not None:
            return self._library.citations_before(paper.id, self._limits.before) > MILESTONE_CITATIONS
        return (paper.citation_count or 0) > MILESTONE_CITATIONS

    # Completing a short chain without direct citations

    async def _complete(self, query: str, growing: _ChainInProgress) -> None:
        """Adds papers that other papers link to an end of the chain, then similar ones, up to the least length."""
        anchor = growing.anchor.paper

        async def co_cited(beside: Paper, beyond: Filters) -> list[Paper]:
            found = self._library.co_cited(beside.id, self._limits.filters)
            return await self._rank(list(filter(beyond.admits, found)), anchor)

        async def coupled(beside: Paper, beyond: Filters) -> list[Paper]:
            found = self._library.sharing_references(beside.id, self._limits.filters)
            return await self._rank(list(filter(beyond.admits, found)), anchor)

        async def similar(beside: Paper, beyond: Filters) -> list[Paper]:
            return await self._similar(query, anchor, beyond)

        await self._complete_by("co-cited", co_cited, growing)
        await self._complete_by("shares references", coupled, growing)
        await self._complete_by("similar, not cited", similar, growing)

    async def _complete_by(self, linked_by: Linkage, candidates: Candidates, growing: _ChainInProgress) -> None:
        """Adds such papers at both ends in turn, until the chain is long enough or neither end finds any."""
        able = list(_ENDS)
        while able and self._is_short(growing):
            direction = able.pop(0)
            if await self._add(growing, direction, linked_by, candidates):
                able.append(direction)

    async def _add(
        self, growing: _ChainInProgress, direction: Direction, linked_by: Linkage, candidates: Candidates
    ) -> bool:
        """Adds one paper at an end of the chain. False where none is relevant, or where the date of the end is unknown,
        so that no other paper can be called earlier or later."""
        beside = growing.outermost(direction)
        if beside.public_by is None:
            return False
        found = await candidates(beside, self._beyond(beside.public_by, direction))
        free = [paper for paper in found if self._reservations.is_free(paper.id)]
        relevant = await self._relevant(growing, free, direction, linked_by)
        return bool(relevant) and await self._take(growing, [_Offer(direction, linked_by, relevant)])

    def _beyond(self, day: dt.date, direction: Direction) -> Filters:
        """Papers of this day or later, or of an earlier day; never of the day from which on nothing may be known."""
        if direction == "forward":
            return Filters(before=self._limits.before, since=day)
        return Filters(before=min(day, self._limits.before or day))

    async def _similar(self, query: str, anchor: Paper, beyond: Filters) -> list[Paper]:
        """Papers that a search finds and that are similar enough to topic and anchor, the most similar first."""
        hits = await self._library.search(query, _SIMILAR, beyond)
        ranked = await self._library.rank(f"{self._topic.text}\n{anchor.gist}", [hit.paper for hit in hits])
        return [hit.paper for hit in ranked if hit.similarity >= LEAST_SIMILARITY]

    # Reading

    def _begin_reading(self, paper: Paper) -> None:
        """Starts reading a paper as soon as it is taken: the chain can grow meanwhile."""
        if paper.id not in self._readings:
            self._readings[paper.id] = asyncio.ensure_future(self._guide.read(self._topic, paper))

    async def _read(self, query: str, growing: _ChainInProgress) -> Chain:
        links = [
            Link(
                paper=member.paper,
                direction=side,
                reason=member.reason,
                insight=await self._readings[member.paper.id],
                linked_by=member.linked_by,
            )
            for member, side in growing.with_sides()
        ]
        ends = [growing.ends[side] for side in ("backward", "forward") if side in growing.ends]
        if uncited := sum(link.linked_by not in {"", "cited"} for link in links):
            ends.append(f"citations alone gave {len(links) - uncited} of its {len(links)} papers")
        if len(links) >= self._limits.length:
            ends.append(f"it has reached its length of {self._limits.length} papers")
        return self._chain(query, tuple(links), tuple(ends))

    def _chain(self, query: str, links: tuple[Link, ...], ends: tuple[str, ...]) -> Chain:
        return Chain(topic=self._topic.text, query=query, aspect=self._search.aspect, links=links, ends=ends)


def _is_earlier(paper: Paper, than: Paper) -> bool:
    """Whether `paper` was certainly public before `than`, by the year at least."""
    return bool(paper.year and than.year and paper.year < than.year)


def _milestone_end(paper: Paper) -> str:
    return f"{paper.short_citation} is a milestone: over {MILESTONE_CITATIONS:,} citations"


def _end(looked_at: int, elsewhere: int, direction: Direction, paper: Paper) -> str:
    """`looked_at`: candidates that no chain has; `elsewhere`: those that chains of other branches have."""
    where = "cites" if direction == "forward" else "is cited by"
    title = f"{paper.short_citation}, {shorten(paper.title, 60)}"
    besides = f"; {elsewhere} more in other branches" if elsewhere else ""
    if looked_at:
        return f"no relevant paper {where} {title} ({looked_at} looked at{besides})"
    return f"no further paper in the library {where} {title}" + (f" ({besides[2:]})" if besides else "")
