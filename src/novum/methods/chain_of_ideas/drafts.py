"""Drafts of an idea from a chain: several that are compared, and further ones after a novelty check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from novum.core import Candidate, Chain, Idea, Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.judges.pair import compare_in_both_orders
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import conduct
from novum.methods.chain_of_ideas.branches import Branch
from novum.methods.chain_of_ideas.options import NAME, ChainOptions
from novum.methods.experiment_design import find_visible_paper
from novum.methods.prior_work import novelty_check_of
from novum.methods.proposal import Draft, ProposalContext, RejectedDraft, propose
from novum.statistics.win_rates import win_rates

_SAMPLES_OF_BRANCH, _SAMPLES_OF_DRAFT = 100, 20
"""Room for the samples of one branch, and for the rounds of each of its first drafts."""


def proposal_context(topic: Topic, chain: Chain, branch: Branch, options: ChainOptions) -> ProposalContext:
    """What the writer of a branch sees: its chain, and beside it the other papers that were judged relevant."""
    return ProposalContext(topic, chain, branch.point, options.entities, accepted=branch.accepted)


async def idea_of(lab: Lab, options: ChainOptions, line: ProposalContext, branch: Branch) -> Candidate | None:
    """The idea of a branch with all its drafts and checks; None without a usable draft.

    The first drafts are compared and the best is checked. An idea that a named paper contains is written again, until
    the rounds are used up; one that a paper contains in part is written once more, so that it states what it adds.
    """
    writer = _DraftWriter(lab, options, line, branch.number)
    at_hand = [*line.chain.papers, *branch.accepted, *(branch.point.papers if branch.point else ())]
    history = _DraftHistory()
    for turn in range(1, options.rounds + 1):
        with lab.run.step(f"idea, draft {turn}"):
            draft = await (writer.best_first_draft(history) if turn == 1 else writer.next_draft(history, turn))
        if draft is None:
            break
        with lab.run.step(f"novelty check {turn}"):
            check = await novelty_check_of(lab, draft, at_hand, Filters(before=options.before), turn=turn)
        closest = lab.library.get(check.closest_id) if check.closest_id else None
        history.checked.append(RejectedDraft(draft.idea, check, closest))
        if not history.goes_back(partly=not writer.is_small):
            break
    return history.candidate(line.chain)


@dataclass
class _DraftHistory:
    """The drafts of one branch: those that lost their comparison, and those that were checked, oldest first."""

    unchosen: list[Idea] = field(default_factory=list)
    checked: list[RejectedDraft] = field(default_factory=list)

    def goes_back(self, *, partly: bool) -> bool:
        """Whether the last draft is to be written again. `partly`: also one that is anticipated in part, once."""
        *earlier, last = self.checked
        if last.check.novel is False:
            return True
        return partly and last.check.known == "partly" and all(one.check.known != "partly" for one in earlier)

    def candidate(self, chain: Chain) -> Candidate | None:
        """The last draft that no paper contains, or the last one; with all others and all checks."""
        if not self.checked:
            return None
        idea = next((one.idea for one in reversed(self.checked) if one.check.novel is not False), self.checked[-1].idea)
        drafts = {each.id: each for each in (*self.unchosen, *(one.idea for one in self.checked))}
        earlier = tuple(each for each in drafts.values() if each.id != idea.id)
        checks = tuple(one.check for one in self.checked)
        return Candidate(idea=idea, chain=chain, earlier_drafts=earlier, checks=checks)


@dataclass(frozen=True)
class _DraftWriter:
    """Writes drafts of one branch."""

    lab: Lab
    options: ChainOptions
    line: ProposalContext
    branch: int

    @property
    def is_small(self) -> bool:
        """Whether the judge is the small offline model, whose comparisons and partial verdicts mean nothing."""
        return self.lab.models.model_for("judge").provider.name == "offline"

    async def best_first_draft(self, history: _DraftHistory) -> Draft | None:
        """The best of the first drafts; the others are noted in `history`. Each is told to take another central
        mechanism than those before."""
        written: list[Draft] = []
        for number in range(1 if self.is_small else self.options.drafts):
            apart = replace(self.line, apart_from=tuple(draft.idea for draft in written))
            draft = await self._write(apart, (), number * _SAMPLES_OF_DRAFT + 1)
            if draft is not None and draft.idea.id not in {other.idea.id for other in written}:
                written.append(draft)
        if not written:
            return None
        best = await self._best_of(written)
        history.unchosen += [draft.idea for draft in written if draft is not best]
        return best

    async def next_draft(self, history: _DraftHistory, turn: int) -> Draft | None:
        """A draft by a writer who sees the checked ones."""
        return await self._write(self.line, history.checked, turn)

    async def _best_of(self, drafts: Sequence[Draft]) -> Draft:
        """The draft with the highest win rate by the first judge of the panel, each pair in both orders; the earlier
        one of equals."""
        if len(drafts) < 2:
            return drafts[0]
        judge = self.lab.models.settings.roles.judges[0]
        with self.lab.run.step("comparison of drafts"):
            matches = await run_concurrently(
                conduct(self.lab.models, compare_in_both_orders(self.line.topic, a.idea, b.idea, judge))
                for a, b in combinations(drafts, 2)
            )
        rates = win_rates(matches, [draft.idea.id for draft in drafts])
        return max(drafts, key=lambda draft: rates[draft.idea.id] or 0.0)

    async def _write(self, line: ProposalContext, sent_back: Sequence[RejectedDraft], sample: int) -> Draft | None:
        """`sample` tells apart drafts of one branch that happen to ask the same."""

        def find(title: str) -> Paper | None:
            return find_visible_paper(self.lab, title, Filters(before=self.options.before))

        of_branch = self.branch * _SAMPLES_OF_BRANCH + sample
        try:
            return await propose(self.lab.models, line, sent_back, find, generator=NAME, sample=of_branch)
        except NoUsableAnswer:
            return None
