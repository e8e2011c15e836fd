"""Drafts of an idea from a chain, until the novelty check finds one that is new."""

from __future__ import annotations

from novum.core import Candidate, Chain, Idea, NoveltyCheck, Paper, Topic
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.methods.chain_of_ideas.branches import Branch
from novum.methods.chain_of_ideas.options import NAME, ChainOptions
from novum.methods.experiment_design import find_visible_paper
from novum.methods.prior_work import novelty_check_of
from novum.methods.proposal import Draft, ProposalContext, RejectedDraft, propose


async def idea_of(lab: Lab, topic: Topic, options: ChainOptions, chain: Chain, branch: Branch) -> Candidate | None:
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
