"""Ideas changed on a researcher's word: refined by a remark, two made into one, another of the same kind, or the same
question asked of a changed chain of papers.

Every new idea is checked for novelty like any other, and keeps the versions that it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from novum.core import Candidate, Chain, Idea, Link, Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Question
from novum.methods.chain_of_ideas.branches import guide_for
from novum.methods.chain_of_ideas.options import ChainOptions
from novum.methods.experiment_design import find_visible_paper
from novum.methods.prior_work import novelty_check_of
from novum.methods.proposal import (
    Draft,
    Proposal,
    ProposalContext,
    draft_from_proposal,
    future_direction,
    propose,
)
from novum.reading import Bibliography, trends

NAME = "steered"
Wish = Literal["refine", "merge", "similar"]


@dataclass(frozen=True)
class SteeringContext:
    """What a change starts from. `candidates`: the ideas, one or two. `sample`: tells apart repeated wishes."""

    topic: Topic
    candidates: Sequence[Candidate]
    comment: str
    filters: Filters
    sample: int = 0

    @property
    def papers(self) -> list[Paper]:
        """The papers of the ideas' chains, each once."""
        chains = [candidate.chain for candidate in self.candidates if candidate.chain is not None]
        return list({paper.id: paper for chain in chains for paper in chain.papers}.values())


async def steered(lab: Lab, wish: Wish, context: SteeringContext) -> Candidate:
    """The new idea with its check. Its earlier versions are those of the ideas that it comes from, and these. Raises
    NoUsableAnswer when the writer gives nothing usable."""
    shelf = Bibliography(context.papers)
    ideas = [candidate.idea for candidate in context.candidates]
    needs = {
        "topic": context.topic.text, "wish": wish, "ideas": ideas, "comment": context.comment, "papers": shelf.entries,
    }  # fmt: skip
    with lab.run.step(wish):
        answer = await lab.models.ask(Question("steer_idea", needs, Proposal, sample=context.sample))
    draft = draft_from_proposal(
        answer, context.topic, shelf, lambda title: find_visible_paper(lab, title, context.filters), generator=NAME
    )
    first = context.candidates[0]
    earlier = () if wish == "similar" else versions_of(context.candidates)
    return await _checked(lab, draft, first.chain, earlier, context)


async def from_chain(lab: Lab, papers: Sequence[Paper], context: SteeringContext, before: Candidate) -> Candidate:
    """The idea that a changed chain leads to. Papers that were read for the topic before are not read again: the same
    request has a recorded answer. Raises NoUsableAnswer."""
    options = ChainOptions(before=context.filters.before)
    guide = guide_for(lab, options)
    ordered = sorted(papers, key=lambda paper: (paper.public_by is None, paper.public_by, paper.id))
    with lab.run.step("papers"):
        insights = await run_concurrently(guide.read(context.topic, paper) for paper in ordered)
    known = {link.paper.id: link for link in before.chain.links} if before.chain else {}
    links = [
        known[paper.id].model_copy(update={"insight": insight})
        if paper.id in known
        else Link(paper=paper, direction="forward", reason="added by the researcher", insight=insight)
        for paper, insight in zip(ordered, insights, strict=True)
    ]
    chain = Chain(
        topic=context.topic.text, query=before.chain.query if before.chain else context.topic.text,
        aspect=before.chain.aspect if before.chain else "", links=tuple(links),
        ends=("its papers were chosen by hand",),
    )  # fmt: skip
    with lab.run.step("trends"):
        chain = chain.but(trends=await trends(lab.models, context.topic, chain))
    line = ProposalContext(context.topic, chain)
    with lab.run.step("future direction"):
        line = replace(line, chain=chain.but(future=await future_direction(lab.models, line)))
    with lab.run.step("idea"):
        draft = await propose(
            lab.models, line, (), lambda title: find_visible_paper(lab, title, context.filters), generator=NAME,
            sample=context.sample,
        )  # fmt: skip
    return await _checked(lab, draft, line.chain, versions_of([before]), context)


def versions_of(candidates: Sequence[Candidate]) -> tuple[Idea, ...]:
    """The earlier versions of ideas and the ideas themselves, oldest first, each once."""
    every = [idea for each in candidates for idea in (*each.earlier_drafts, each.idea)]
    return tuple({idea.id: idea for idea in every}.values())


async def _checked(
    lab: Lab, draft: Draft, chain: Chain | None, earlier: tuple[Idea, ...], context: SteeringContext
) -> Candidate:
    with lab.run.step("novelty check"):
        check = await novelty_check_of(lab, draft, context.papers, context.filters, turn=1)
    return Candidate(idea=draft.idea, chain=chain, earlier_drafts=earlier, checks=(check,))
