"""Chain of Ideas: ideas from chains of papers, each of which builds on the one before.

Queries for several perspectives, an anchor paper for each, a chain through the citation graph in both directions,
the trends along it, the direction it points in, an idea, a check of its novelty with further rounds when it is known,
comparison of the branches, and an experiment for the best. Branches run at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import Literal

from pydantic import Field

from novum.core import Candidate, Chain, Idea, Ideation, Match, NoveltyCheck, Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.judges.pair import compare_in_both_orders
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import conduct
from novum.methods.experiment_design import find_visible_paper
from novum.methods.finishing import MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.prior_work import is_known, novelty_check_of
from novum.methods.proposal import Draft, ProposalContext, RejectedDraft, future_direction, propose
from novum.methods.starting_points import StartingOptions, StartingPoint, starting_points
from novum.reading import (
    ChainBuilder,
    ChainLimits,
    Guide,
    LibraryGuide,
    Perspective,
    ReaderGuide,
    RelevanceQuery,
    Relevant,
    trends,
)
from novum.statistics.win_rates import win_rates

NAME = "chain-of-ideas"
_ANCHOR_CANDIDATES = 5


class ChainOptions(StartingOptions):
    """Defaults are those of the paper's main results (section 4.1)."""

    branches: int = Field(
        3, ge=1, le=10, description="Perspectives on the topic, each with a chain and an idea of its own"
    )
    length: int = Field(5, ge=0, le=12, description="Most papers in a chain; 0: the nearest papers without a chain")
    least: int = Field(3, ge=1, le=12, description="Fewest papers in a chain, where the literature allows")
    rounds: int = Field(3, ge=1, le=10, description="Most drafts of an idea, while the novelty check finds it known")
    guide: Literal["auto", "reader", "library"] = Field(
        "auto",
        description="Who finds and reads papers: the reader model, or the library alone (no calls; similarity and "
        "citations decide); auto: the reader, unless it is the small offline model",
    )
    trends: bool = Field(True, description="Determine how each paper led to the next one")
    future: bool = Field(True, description="Determine the direction of the chain before the idea is written")
    entities: bool = Field(True, description="Show the writer the entities of the field")


@dataclass(frozen=True)
class _Branch:
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


@method(NAME, ChainOptions)
async def chain_of_ideas(lab: Lab, topic: Topic, options: ChainOptions) -> Ideation:
    """Ideas from chains of papers that build on each other, with an experiment for the best one.

    Source: Chain of Ideas, section 3 and Tables 8 to 20. From the source: every step. Changed: the candidates for a
    chain are judged themselves, several in one request; novelty is checked a limited number of times, and a rejection
    must name a paper; a preference between two ideas that changes with their order is a tie; prior work is searched
    with the text of the idea and with queries written with it; the reviewer's request for literature is part of the
    review.
    """
    guide = _guide(lab, options)
    notes = [guide.notice] if guide.notice else []
    points = await starting_points(lab, topic, options, notes)
    with lab.run.step("perspectives"):
        branches = await _open_branches(lab, topic, options, guide, points)
    notes += [
        f"{each.name}: no relevant paper was found for «{each.perspective.query}»."
        for each in branches
        if each.anchor is None
    ]
    rooted = [branch for branch in branches if branch.anchor is not None]
    pursued = await run_concurrently(_carry_out_branch(lab, topic, options, guide, branch) for branch in rooted)
    notes += [
        f"{branch.name}: the writer gave no usable idea."
        for branch, candidate in zip(rooted, pursued, strict=True)
        if candidate is None
    ]
    candidates = list(
        {candidate.idea.id: candidate for candidate in reversed(pursued) if candidate is not None}.values()
    )[::-1]
    duplicates = sum(candidate is not None for candidate in pursued) - len(candidates)
    notes += [f"{duplicates} of the branches gave the same idea as another one."] if duplicates else []
    matches = await _compare(lab, topic, candidates)
    ranked = _ranked(candidates, matches)
    starts = [
        branch.point.started(candidate.idea.id)
        for branch, candidate in zip(rooted, pursued, strict=True)
        if candidate is not None and branch.point is not None
    ]
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, ranked, matches, notes, starts=starts))


def _guide(lab: Lab, options: ChainOptions) -> Guide:
    """The guide that finds and reads papers: the reader model, or the library if requested or if the reader is tiny."""
    filters = Filters(before=options.before)
    small = lab.models.model_for("reader").provider.name == "offline"
    if options.guide == "library" or (options.guide == "auto" and small):
        return LibraryGuide(lab.library, filters)
    return ReaderGuide(lab.models, lab.library, filters)


async def _open_branches(
    lab: Lab, topic: Topic, options: ChainOptions, guide: Guide, points: Sequence[StartingPoint]
) -> list[_Branch]:
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
        branches.append(_Branch(number, perspective, anchor, relevant_papers, point))
    return branches


def _each_once(papers: Iterable[Paper]) -> list[Paper]:
    return list({paper.id: paper for paper in papers}.values())


async def _carry_out_branch(
    lab: Lab, topic: Topic, options: ChainOptions, guide: Guide, branch: _Branch
) -> Candidate | None:
    """Carry out one branch, from its anchor to a checked idea; None without a usable idea."""
    with lab.run.step(branch.name):
        lab.run.emit("note", text=branch.perspective.query)
        with lab.run.step("chain"):
            chain = await _chain(lab, topic, options, guide, branch)
        if options.trends and options.length > 0:
            with lab.run.step("trends"):
                chain = chain.but(trends=await trends(lab.models, topic, chain))
        if options.future:
            with lab.run.step("future direction"):
                line = ProposalContext(topic, chain, branch.point, options.entities)
                chain = chain.but(future=await future_direction(lab.models, line))
        return await _idea(lab, topic, options, chain, branch)


async def _chain(lab: Lab, topic: Topic, options: ChainOptions, guide: Guide, branch: _Branch) -> Chain:
    assert branch.anchor is not None, "only rooted branches are pursued"
    limits = ChainLimits(max(options.length, 1), min(options.least, max(options.length, 1)), options.before)
    builder = ChainBuilder(guide, lab.library, RelevanceQuery(topic, branch.perspective.aspect), limits)
    if options.length > 0:
        return await builder.build(branch.perspective.query, branch.anchor)
    hits = await lab.library.search(branch.perspective.query, 5, limits.filters)
    return await builder.unordered(branch.perspective.query, [hit.paper for hit in hits])


async def _idea(lab: Lab, topic: Topic, options: ChainOptions, chain: Chain, branch: _Branch) -> Candidate | None:
    """Drafts until one is new or the rounds are used up; the last one remains, with all checks."""
    sent_back: list[RejectedDraft] = []
    checks: list[NoveltyCheck] = []
    idea: Idea | None = None
    for turn in range(1, options.rounds + 1):
        with lab.run.step(f"idea, draft {turn}"):
            sample = branch.number * 100 + turn
            line = ProposalContext(topic, chain, branch.point, options.entities)
            draft = await _draft(lab, line, options, sent_back, sample)
            if draft is None:
                break
            idea = draft.idea
        with lab.run.step(f"novelty check {turn}"):
            at_hand = [*chain.papers, *branch.accepted, *(branch.point.papers if branch.point else ())]
            check = await novelty_check_of(lab, draft, at_hand, Filters(before=options.before), turn=turn)
        checks.append(check)
        if check.novel is not False:
            break
        sent_back.append(RejectedDraft(idea, check, lab.library.get(check.closest_id) if check.closest_id else None))
    if idea is None:
        return None
    earlier = tuple(each.idea for each in sent_back if each.idea.id != idea.id)
    return Candidate(idea=idea, chain=chain, earlier_drafts=earlier, checks=tuple(checks))


async def _draft(
    lab: Lab, line: ProposalContext, options: ChainOptions, sent_back: list[RejectedDraft], sample: int
) -> Draft | None:
    """`sample` tells branches and rounds apart that happen to ask the same."""

    def find(title: str) -> Paper | None:
        return find_visible_paper(lab, title, Filters(before=options.before))

    try:
        return await propose(lab.models, line, sent_back, find, generator=NAME, sample=sample)
    except NoUsableAnswer:
        return None


async def _compare(lab: Lab, topic: Topic, candidates: list[Candidate]) -> list[tuple[Match, Match]]:
    """Compare every pair of branches, in both orders, by every judge of the panel."""
    if len(candidates) < 2:
        return []
    panel = lab.models.settings.roles.judges
    with lab.run.step("comparison"):
        return await run_concurrently(
            conduct(lab.models, compare_in_both_orders(topic, a.idea, b.idea, model))
            for a, b in combinations(candidates, 2)
            for model in panel
        )


def _ranked(candidates: list[Candidate], matches: list[tuple[Match, Match]]) -> list[Candidate]:
    """Best first: known ideas last, then by win rate, then in the order of the branches.

    The paper compares only ideas that have passed the novelty check; with bounded rounds some have not.
    """
    rates = win_rates(matches, [each.idea.id for each in candidates])
    rated = [each.model_copy(update={"win_rate": rates[each.idea.id]}) for each in candidates]
    return sorted(rated, key=lambda each: (is_known(each), -(0.5 if each.win_rate is None else each.win_rate)))
