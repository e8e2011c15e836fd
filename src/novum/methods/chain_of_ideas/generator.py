"""Chain of Ideas: ideas from chains of papers, each of which builds on the one before.

Queries for several perspectives, an anchor paper for each, a chain through the citation graph in both directions,
the trends along it, the direction it points in, an idea, a check of its novelty with further rounds when it is known,
comparison of the branches, and an experiment for the best. Branches run at once.
"""

from __future__ import annotations

from dataclasses import replace

from novum.core import Candidate, Chain, Ideation, Topic
from novum.core.concurrency import run_concurrently
from novum.lab import Lab
from novum.methods.chain_of_ideas.branches import Branch, chains_of, guide_for, open_branches
from novum.methods.chain_of_ideas.comparison import compare_candidates, ranked
from novum.methods.chain_of_ideas.drafts import idea_of, proposal_context
from novum.methods.chain_of_ideas.options import NAME, ChainOptions
from novum.methods.finishing import MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.proposal import future_direction
from novum.methods.starting_points import starting_points
from novum.reading import ReaderGuide, trends


@method(NAME, ChainOptions)
async def chain_of_ideas(lab: Lab, topic: Topic, options: ChainOptions) -> Ideation:
    """Ideas from chains of papers that build on each other, with an experiment for the best one.

    Source: Chain of Ideas, section 3 and Tables 8 to 20. From the source: every step. Changed: the candidates for a
    chain are judged themselves, several in one request; two first drafts are written for each chain, and the better one
    is taken further; novelty is checked a limited number of times, and a rejection must name a paper; a preference
    between two ideas that changes with their order is a tie; prior work is searched with the text of the idea and with
    queries written with it; the reviewer's request for literature is part of the review.
    """
    guide = guide_for(lab, options)
    notes = [guide.notice] if guide.notice else []
    points = await starting_points(lab, topic, options, notes)
    with lab.run.step("perspectives"):
        branches = await open_branches(lab, topic, options, guide, points)
    notes += [
        f"{each.name}: no relevant paper was found for «{each.perspective.query}»."
        for each in branches
        if each.anchor is None
    ]
    rooted = [branch for branch in branches if branch.anchor is not None]
    grown = await chains_of(lab, topic, options, guide, rooted)
    pursued = await run_concurrently(_carry_out_branch(lab, topic, options, branch, chain) for branch, chain in grown)
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
    matches = await compare_candidates(lab, topic, candidates)
    starts = [
        branch.point.started(candidate.idea.id)
        for branch, candidate in zip(rooted, pursued, strict=True)
        if candidate is not None and branch.point is not None
    ]
    outcome = MethodOutcome(
        NAME,
        options,
        ranked(candidates, matches),
        matches,
        notes,
        starts=starts,
        reader_judges=isinstance(guide, ReaderGuide),
    )
    return await ideation_from(lab, topic, outcome)


async def _carry_out_branch(
    lab: Lab, topic: Topic, options: ChainOptions, branch: Branch, chain: Chain
) -> Candidate | None:
    """Carry out one branch, from its chain to a checked idea; None without a usable idea."""
    with lab.run.step(branch.name):
        if options.trends and options.length > 0:
            with lab.run.step("trends"):
                chain = chain.but(trends=await trends(lab.models, topic, chain))
        line = proposal_context(topic, chain, branch, options)
        if options.future:
            with lab.run.step("future direction"):
                line = replace(line, chain=chain.but(future=await future_direction(lab.models, line)))
        return await idea_of(lab, options, line, branch)
