"""From a seed to an idea: developed with its literature, attacked by critics, revised, and checked for novelty.

Each attack names the strongest objection, the closest paper, the cheapest check that could refute the idea, and the
strongest rival. A revision answers every attack, or changes the mechanism. It replaces the draft only if judges prefer
it: an answer to an objection can cost more in simplicity than it brings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import Field

from novum.core import Candidate, CriticObjection, Idea, NoveltyCheck, Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.judges.novelty import nearest_papers
from novum.judges.pair import compare_in_both_orders
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, conduct, label, listed, prose
from novum.methods.experiment_design import find_visible_paper
from novum.methods.plain import plain_writer
from novum.methods.portfolio.options import NAME, PortfolioOptions
from novum.methods.portfolio.screening import ScreenedSeed, nearest_to_seed
from novum.methods.prior_work import novelty_check_of
from novum.methods.proposal import Draft, Proposal, draft_from_proposal
from novum.reading import Bibliography
from novum.statistics.win_rates import win_rates

STANCES: Mapping[str, str] = {
    "whole": "Go through the proposal as a whole: the problem, the mechanism, the evidence and the use.",
    "mechanism": "Take the mechanism step by step. Does each step follow? Which step would do as well without the "
    "others, and which one needs an assumption that the papers contradict?",
    "prior work": "Ask what the nearest work already gives to somebody with this problem, and whether what remains "
    "would be noticed by anyone who uses it.",
    "evidence": "Ask whether the planned test can decide the question: whether its outcome could come about otherwise, "
    "whether it is known in advance, and whether it concerns what the proposal claims.",
}
"""What each critic has in mind. With several critics, the first of them keeps the whole in view."""
_FIRST_PAPERS = 12
"""Papers put before the writer of the first draft at most."""
_FIRST_SAMPLE = 1000
"""Number of the first whole draft, so that it is no repetition of a draft by the method `plain`."""
_NEW_PAPERS = 4
"""Papers that each round of attacks adds at most."""


class Attack(Answer):
    """The answer to `portfolio_attack`."""

    closest: str = label("label of the closest paper, such as P2, or none", or_none=True)
    overlap: str = prose(500, "what this paper already contains of the proposal, and what it lacks")
    objection: str = prose(900, "the strongest objection, and what follows from it for the whole proposal")
    check: str = prose(400, "the cheapest check that would show who is right, and the outcome that would refute")
    rival: str = prose(400, "the strongest rival that does without the proposed mechanism")
    case: str = prose(300, "one case in which the rival and the proposal must give different results")


class AttackReply(Answer):
    """What a revision does about one attack."""

    number: int = Field(description="number of the attack", ge=1)
    reply: str = prose(500, "whether the objection holds, and what was changed or why nothing had to be")


class RevisedProposal(Answer):
    """The answer to `portfolio_revise`."""

    replies: list[AttackReply] = listed(6, "one for each attack", few=0)
    proposal: Proposal


@dataclass(frozen=True)
class SeedWork:
    """What the development of a seed works with."""

    lab: Lab
    topic: Topic
    options: PortfolioOptions
    screened: ScreenedSeed

    @property
    def filters(self) -> Filters:
        return Filters(before=self.options.before)

    @property
    def sample(self) -> int:
        """Tells apart seeds that happen to ask the same."""
        return self.screened.seed.number

    def find(self, title: str) -> Paper | None:
        return find_visible_paper(self.lab, title, self.filters)


@dataclass(frozen=True)
class DevelopedSeed:
    """An idea in the making. `papers`: all that were put before its writer and critics, in the order of their labels,
    which never changes."""

    draft: Draft
    papers: tuple[Paper, ...]
    earlier: tuple[Idea, ...] = ()
    checks: tuple[NoveltyCheck, ...] = ()
    objections: tuple[CriticObjection, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def candidate(self, work: SeedWork) -> Candidate:
        """The idea with its evidence, for a report."""
        different = {idea.id: idea for idea in self.earlier if idea.id != self.draft.idea.id}
        return Candidate(
            idea=self.draft.idea,
            chain=work.screened.seed.chain,
            earlier_drafts=tuple(different.values()),
            checks=self.checks,
        )


async def plain_draft(lab: Lab, topic: Topic, filters: Filters, number: int) -> DevelopedSeed | None:
    """A whole draft from the topic alone, with its novelty check; None when the writer gives nothing usable."""
    write = plain_writer(lab, topic, filters, NAME)
    try:
        draft = await write((), _FIRST_SAMPLE + number)
    except NoUsableAnswer:
        return None
    return DevelopedSeed(draft, (), checks=(await novelty_check_of(lab, draft, (), filters),))


async def develop_seed(work: SeedWork) -> DevelopedSeed | None:
    """The idea that a seed becomes; None when the writer gives no usable first draft."""
    with work.lab.run.step("draft"):
        developed = await _first_draft(work)
    if developed is None:
        return None
    for number in range(1, work.options.attack_rounds + 1):
        with work.lab.run.step(f"attack {number}"):
            developed, attacks = await _attacked(work, developed, number)
        with work.lab.run.step(f"revision {number}"):
            revised = await _revised(work, developed, attacks, number)
            developed = await _preferred(work, developed, revised, number)
    return await _checked(work, developed)


async def _first_draft(work: SeedWork) -> DevelopedSeed | None:
    screened, seed = work.screened, work.screened.seed
    found = await nearest_to_seed(work.lab, seed, work.options.papers, work.filters)
    papers = _together(screened.nearest, seed.papers[: work.options.papers], found)[:_FIRST_PAPERS]
    shelf = Bibliography(papers)
    parts = {name: getattr(seed, name) for name in ("title", "problem", "mechanism", "test", "nearest")}
    needs = {"topic": work.topic.text, "seed": parts, "finding": screened.finding, "papers": shelf.entries}
    try:
        answer = await work.lab.models.ask(Question("portfolio_develop", needs, Proposal, sample=work.sample))
    except NoUsableAnswer:
        return None
    return DevelopedSeed(draft_from_proposal(answer, work.topic, shelf, work.find, generator=NAME), papers)


# -- attack ------------------------------------------------------------------------------------------------------------


async def _attacked(
    work: SeedWork, developed: DevelopedSeed, number: int
) -> tuple[DevelopedSeed, list[CriticObjection]]:
    """The idea with the papers that its critics saw, and their attacks; those without a usable answer are noted."""
    draft, lab = developed.draft, work.lab
    nearest = await nearest_papers(lab.library, draft.idea, draft.queries, developed.papers, work.filters)
    new = [hit.paper for hit in nearest if hit.paper not in developed.papers]
    papers = _together(developed.papers, new[:_NEW_PAPERS])
    critics = list(STANCES)[: work.options.critics]
    answers = await run_concurrently(
        _attack(work, draft.idea, papers, stance, 100 * number + place) for place, stance in enumerate(critics)
    )
    shelf = Bibliography(papers)
    attacks = [_objection(each, draft.idea, shelf, number) for each in answers if each is not None]
    seen = replace(developed, papers=papers)
    if missing := len(answers) - len(attacks):
        note = (
            f"{work.screened.seed.name}: {missing} of {len(answers)} critics gave no usable answer in round {number}."
        )
        seen = replace(seen, notes=(*seen.notes, note))
    return seen, attacks


async def _attack(work: SeedWork, idea: Idea, papers: Sequence[Paper], stance: str, sample: int) -> Attack | None:
    needs = {
        "topic": work.topic.text,
        "idea": idea.text,
        "papers": Bibliography(papers).entries,
        "stance": STANCES[stance],
    }
    try:
        return await work.lab.models.ask(Question("portfolio_attack", needs, Attack, role="judge", sample=sample))
    except NoUsableAnswer:
        return None


def _objection(attack: Attack, idea: Idea, shelf: Bibliography, number: int) -> CriticObjection:
    closest = shelf.paper(attack.closest)
    rival = " ".join(filter(None, (attack.rival, attack.case)))
    texts = {"objection": attack.objection, "overlap": attack.overlap, "check": attack.check, "rival": rival}
    return CriticObjection(
        draft_id=idea.id,
        round=number,
        closest_id=closest.id if closest else None,
        **{name: shelf.spelled_out(text) for name, text in texts.items()},
    )


# -- revision ----------------------------------------------------------------------------------------------------------


async def _revised(
    work: SeedWork, developed: DevelopedSeed, attacks: Sequence[CriticObjection], number: int
) -> DevelopedSeed:
    """The idea revised after these attacks; as it was, with a note, without a usable revision."""
    if not attacks:
        return developed
    shelf = Bibliography(developed.papers)
    needs = {
        "topic": work.topic.text,
        "idea": developed.draft.idea.text,
        "attacks": [_numbered(each, place, shelf) for place, each in enumerate(attacks, 1)],
        "papers": shelf.entries,
    }
    sample = 100 * number + work.sample
    try:
        answer = await work.lab.models.ask(Question("portfolio_revise", needs, RevisedProposal, sample=sample))
    except NoUsableAnswer:
        note = f"{work.screened.seed.name}: the writer gave no usable revision in round {number}."
        objections = (*developed.objections, *attacks)
        return replace(developed, objections=objections, notes=(*developed.notes, note))
    replies = {each.number: shelf.spelled_out(each.reply) for each in reversed(answer.replies)}
    answered = [each.model_copy(update={"reply": replies.get(at, "")}) for at, each in enumerate(attacks, 1)]
    return replace(
        developed,
        draft=draft_from_proposal(answer.proposal, work.topic, shelf, work.find, generator=NAME),
        earlier=(*developed.earlier, developed.draft.idea),
        objections=(*developed.objections, *answered),
    )


async def _preferred(work: SeedWork, before: DevelopedSeed, revised: DevelopedSeed, number: int) -> DevelopedSeed:
    """The revision if the judges prefer it, else the draft before it with the objections to it and a note."""
    draft, revision = before.draft.idea, revised.draft.idea
    if not work.options.compare_revisions or revision.id == draft.id:
        return revised
    models = work.lab.models
    matches = await run_concurrently(
        conduct(models, compare_in_both_orders(work.topic, draft, revision, judge))
        for judge in models.settings.roles.judges
    )
    share = win_rates(matches, [revision.id])[revision.id]
    if share is not None and share > 0.5:
        return revised
    found = "not compared" if share is None else f"preferred in {share:.0%} of the comparisons"
    note = f"{work.screened.seed.name}: the draft stays, since its revision in round {number} was {found}."
    unanswered = tuple(each.model_copy(update={"reply": ""}) for each in revised.objections[len(before.objections) :])
    return replace(before, objections=(*before.objections, *unanswered), notes=(*before.notes, note))


def _numbered(attack: CriticObjection, number: int, shelf: Bibliography) -> dict[str, object]:
    labels = {entry.paper.id: entry.label for entry in shelf.entries}
    parts = {name: getattr(attack, name) for name in ("objection", "overlap", "check", "rival")}
    return {"number": number, "label": labels.get(attack.closest_id or "", ""), **parts}


# -- novelty -----------------------------------------------------------------------------------------------------------


async def _checked(work: SeedWork, developed: DevelopedSeed) -> DevelopedSeed:
    """The idea with its novelty check. One that a paper contains, in whole or in part, is revised and checked once
    more: the finding is put before the writer as an attack."""
    developed = await _with_check(work, developed)
    check = developed.checks[-1]
    if check.novel is not False and check.known != "partly":
        return developed
    finding = _finding_as_attack(check, work.options.attack_rounds + 1)
    with work.lab.run.step("revision after the novelty check"):
        revised = await _revised(work, developed, [finding], work.options.attack_rounds + 1)
    return await _with_check(work, revised) if revised.draft is not developed.draft else revised


async def _with_check(work: SeedWork, developed: DevelopedSeed) -> DevelopedSeed:
    turn = len(developed.checks) + 1
    with work.lab.run.step(f"novelty check {turn}"):
        check = await novelty_check_of(work.lab, developed.draft, developed.papers, work.filters, turn=turn)
    papers = _together(developed.papers, work.lab.library.get_many([check.closest.paper_id] if check.closest else []))
    return replace(developed, checks=(*developed.checks, check), papers=papers)


def _finding_as_attack(check: NoveltyCheck, number: int) -> CriticObjection:
    whole = "the problem and the mechanism of the proposal" if check.novel is False else "a part of the proposal"
    return CriticObjection(
        draft_id=check.idea_id,
        round=number,
        objection=f"A published paper already contains {whole}. The proposal must do something that this paper does "
        "not, and must state the difference.",
        closest_id=check.closest.paper_id if check.closest else None,
        overlap=" ".join(filter(None, (check.reason, check.difference))),
    )


def _together(*groups: Sequence[Paper]) -> tuple[Paper, ...]:
    """All papers, each once, those of earlier groups first: labels that were given stay what they were."""
    papers = {paper.id: paper for group in groups for paper in group}
    return tuple(papers.values())
