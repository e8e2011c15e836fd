"""A virtual team: members with different expertise discuss a topic, propose, and vote; the winner is written up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from pydantic import Field

from novum.core import Candidate, Ideation, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, label, listed, prose
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.personas import Persona, Team, assemble_team
from novum.methods.sketch import Sketch, SketchedIdea, sketched_idea, with_novelty_check, write_up_sketch
from novum.reading import Bibliography

NAME = "virtual-team"
_LABEL = re.compile(r"\[?\b(P\d{1,2})\b\]?")


class TeamOptions(ConcludingOptions):
    """Options of the virtual team."""

    members: int = Field(4, ge=2, le=8, description="Members of the team, from different communities where possible")
    rounds: int = Field(2, ge=0, le=6, description="Rounds of discussion before each member proposes an idea")


class Remark(Answer):
    """The answer to `team_remark`."""

    view: str = prose(700, "what your expertise shows in this topic that the others may not see, citing by label")
    reply: str = prose(600, "what of the others' last words to take up, and what fails and why; empty if none spoke")
    direction: str = prose(500, "the direction that the team should take now, concretely")


class Grade(Answer):
    """What one member thinks of one proposal."""

    label: str = label("label of the proposal")
    reason: str = prose(300, "one sentence on this proposal alone: its gravest weakness, and what would mend it")
    points: int = Field(description="1 to 10, as the question explains", ge=1, le=10)


class Ballot(Answer):
    """The answer to `team_ballot`."""

    grades: list[Grade] = listed(8, "one for each proposal, in the order of the list", least=1, few=0)


@dataclass(frozen=True)
class Statement:
    """The last contribution of a member, with unresolved labels."""

    member: Persona
    text: str


@dataclass(frozen=True)
class Vote:
    """One member's points for a proposal, and why."""

    points: int
    reason: str


@dataclass(frozen=True)
class _Discussion:
    """What all members of the team know."""

    topic: Topic
    team: Team
    shelf: Bibliography
    filters: Filters

    def needs(self, member: Persona, statements: Sequence[Statement]) -> dict[str, object]:
        """The variables of a member's prompts: its own papers and the common ones in full, those of the others by
        title, and the last words of all."""
        own, common = ({paper.id for paper in papers} for papers in (member.papers, self.team.common))
        entries = self.shelf.entries
        return {
            "topic": self.topic.text,
            "member": member,
            "papers": [entry for entry in entries if entry.paper.id in own],
            "common": [entry for entry in entries if entry.paper.id in common - own],
            "others": [entry for entry in entries if entry.paper.id not in own | common],
            "said": list(statements),
        }


@method(NAME, TeamOptions)
async def virtual_team(lab: Lab, topic: Topic, options: TeamOptions) -> Ideation:
    """An idea by several experts who discuss, propose, and vote.

    Source: VirSci, "Two Heads Are Better Than One: A Multi-Agent System Has the Potential to Improve Scientific Idea
    Generation" (Su et al. 2024). A team of real authors and their co-authors discusses the topic, generates ideas,
    checks their novelty, votes for one, and writes and reviews an abstract. From the source: members based on real
    publication records, without their names; members who have not published together are preferred, because its authors
    find new teams more inventive; rounds in which each member sees the last contributions of the others; proposals
    compared with the nearest papers; a blind vote; the write-up. Left out: choosing the topic (it is given), a leader
    who invites others (all members are equal, and the team is drawn at random), guests from outside the team, and the
    abstract with its own review: the idea is written up and checked as in all methods. Changed: votes are points for
    every proposal, in an order drawn for each voter.
    """
    filters = Filters(before=options.before)
    with lab.run.step("team"):
        team = await assemble_team(lab.library, topic, options.members, filters, lab.rng("virtual-team"))
    if not team.members:
        return await ideation_from(
            lab, topic, MethodOutcome(NAME, options, (), notes=["No paper near the topic was found."])
        )
    meeting = _Discussion(topic, team, Bibliography(team.papers), filters)
    statements = await _discussion(lab, meeting, options.rounds)
    proposals = await _proposals(lab, meeting, statements)
    candidates, more_notes = await _vote_and_write_up(lab, meeting, proposals)
    notes = [*filter(None, [team.notice]), *_note_on_missing(len(team.members), len(proposals)), *more_notes]
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, candidates, notes=notes))


async def _discussion(lab: Lab, meeting: _Discussion, rounds: int) -> list[Statement]:
    """The last contribution of each member. Without a usable answer the earlier one remains."""
    last: dict[str, Statement] = {}
    for turn in range(1, rounds + 1):
        with lab.run.step(f"discussion, round {turn}"):
            statements = list(last.values())
            spoken = await run_concurrently(
                _remark(lab, meeting, member, statements, turn) for member in meeting.team.members
            )
        last |= {one.member.name: one for one in spoken if one is not None}
    return [last[member.name] for member in meeting.team.members if member.name in last]


async def _remark(
    lab: Lab, meeting: _Discussion, member: Persona, statements: Sequence[Statement], turn: int
) -> Statement | None:
    others = [one for one in statements if one.member.name != member.name]
    own = next((one.text for one in statements if one.member.name == member.name), "")
    needs = meeting.needs(member, others) | {"own": own}
    try:
        remark = await lab.models.ask(Question("team_remark", needs, Remark, sample=turn))
    except NoUsableAnswer:
        return None
    return Statement(member, statement_text(remark))


def statement_text(remark: Remark) -> str:
    """The text of a remark as it is shown to the other members."""
    parts = ((remark.view, ""), (remark.reply, "To the others: "), (remark.direction, "Direction: "))
    return "\n".join(f"{heading}{part}" for part, heading in parts if part)


async def _proposals(lab: Lab, meeting: _Discussion, statements: Sequence[Statement]) -> list[SketchedIdea]:
    """At most one proposal of each member, with a novelty check; identical ones once."""
    with lab.run.step("proposals"):
        made = await run_concurrently(_proposal(lab, meeting, member, statements) for member in meeting.team.members)
    unlike = {one.idea.id: one for one in made if one is not None}
    with lab.run.step("novelty checks"):
        return await run_concurrently(
            with_novelty_check(lab, one, meeting.team.papers, meeting.filters) for one in unlike.values()
        )


async def _proposal(
    lab: Lab, meeting: _Discussion, member: Persona, statements: Sequence[Statement]
) -> SketchedIdea | None:
    number = meeting.team.members.index(member)
    try:
        sketch = await lab.models.ask(
            Question("team_proposal", meeting.needs(member, statements), Sketch, sample=number)
        )
    except NoUsableAnswer:
        return None
    return sketched_idea(sketch, meeting.topic, meeting.shelf, generator=NAME)


async def _vote_and_write_up(
    lab: Lab, meeting: _Discussion, proposals: Sequence[SketchedIdea]
) -> tuple[list[Candidate], list[str]]:
    """All proposals in the order of the vote, the first one written up, and notes on problems."""
    if not proposals:
        return [], []
    votes = await _votes(lab, meeting, proposals)
    best, *others = ranked_proposals(proposals, votes)
    voteless = [one for one in (best, *others) if not votes[one.idea.id]] if others else []
    notes = [f"No member gave a usable vote on «{one.idea.title}»." for one in voteless]
    written = await _write(lab, meeting, best, votes[best.idea.id])
    if written is None:
        notes.append("The best proposal could not be written up, and remains in its short form.")
    return [written or best.candidate, *(one.candidate for one in others)], notes


async def _votes(lab: Lab, meeting: _Discussion, proposals: Sequence[SketchedIdea]) -> dict[str, list[Vote]]:
    """Votes by idea id; without a choice no votes are requested."""
    gathered: dict[str, list[Vote]] = {one.idea.id: [] for one in proposals}
    if len(proposals) < 2:
        return gathered
    with lab.run.step("vote"):
        ballots = await run_concurrently(_vote(lab, meeting, member, proposals) for member in meeting.team.members)
    for idea_id, voted in (vote for ballot in ballots for vote in ballot.items()):
        gathered[idea_id].append(voted)
    return gathered


async def _vote(lab: Lab, meeting: _Discussion, member: Persona, proposals: Sequence[SketchedIdea]) -> dict[str, Vote]:
    """One member's votes by idea id. The ballot hides who made a proposal, and each member sees another order."""
    order = list(proposals)
    lab.rng(f"virtual-team vote {member.name}").shuffle(order)
    needs = {"topic": meeting.topic.text, "member": member, "proposals": order}
    try:
        ballot = await lab.models.ask(Question("team_ballot", needs, Ballot, temperature=0.0))
    except NoUsableAnswer:
        return {}
    return read_ballot(ballot, order)


def read_ballot(ballot: Ballot, order: Sequence[SketchedIdea]) -> dict[str, Vote]:
    """Votes by the idea's id: by their labels, or by their place where none has a label of the list. Reasons name
    proposals by title: their labels hold for this ballot alone, and elsewhere stand for papers."""
    labels = {f"P{number}": one.idea for number, one in enumerate(order, 1)}
    titles = {name: f"«{idea.title}»" for name, idea in labels.items()}

    def voted(grade: Grade) -> Vote:
        return Vote(grade.points, _LABEL.sub(lambda match: titles.get(match[1], match[0]), grade.reason))

    named = {each.label.strip("[]().: ").upper(): voted(each) for each in reversed(ballot.grades)}
    votes = {labels[name].id: vote for name, vote in named.items() if name in labels}
    if votes:
        return votes
    by_place = zip(order, ballot.grades, strict=False)
    return {one.idea.id: voted(each) for one, each in by_place}


def ranked_proposals(proposals: Sequence[SketchedIdea], votes: Mapping[str, Sequence[Vote]]) -> list[SketchedIdea]:
    """Best first: known ideas last, then by mean points; no vote counts as no points."""
    points = {one.idea.id: mean(voted.points for voted in votes[one.idea.id] or [Vote(0, "")]) for one in proposals}
    return sorted(proposals, key=lambda one: (one.known, -points[one.idea.id]))


async def _write(lab: Lab, meeting: _Discussion, best: SketchedIdea, votes: Sequence[Vote]) -> Candidate | None:
    objections = "\n".join(dict.fromkeys(voted.reason for voted in votes if voted.reason))
    return await write_up_sketch(lab, meeting.topic, best, meeting.team.papers, objections, meeting.filters)


def _note_on_missing(members: int, answered: int) -> list[str]:
    """A note if some members gave no proposal."""
    if answered == members:
        return []
    return [f"{members - answered} of {members} members made no usable proposal, or the same as another."]
