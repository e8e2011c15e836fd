"""Researchers near a topic, as profiles of what they published: the members of a virtual team.

A profile is an author's papers of the library near the topic; who wrote together belongs to one community. Names only
serve to tell people apart here: no prompt holds them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from novum.core import Paper, Topic, normal_title
from novum.literature import Filters, PaperLibrary

_NEIGHBOURHOOD = 60
"""Papers near the topic from whose authors the team is drawn."""
_COMMON = 3
"""Papers nearest to the topic, which every member knows."""
_PAPERS_OF_ONE = 4
"""Papers that represent a member, those nearest to the topic."""
_FIELDS = 5


@dataclass(frozen=True)
class Profile:
    """An author near the topic, or one paper for want of authors. `community`: equal for who wrote together."""

    papers: tuple[Paper, ...]
    community: int = -1

    @property
    def weight(self) -> int:
        """Who has more papers near the topic is drawn sooner."""
        return len(self.papers) ** 2


@dataclass(frozen=True)
class Persona:
    """A member of the team: a letter as name, and papers as expertise."""

    name: str
    papers: tuple[Paper, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields that the papers are filed under, the commonest first."""
        counted = Counter(field for paper in self.papers for field in paper.fields)
        return tuple(field for field, _ in counted.most_common(_FIELDS))


@dataclass(frozen=True)
class Team:
    """The members, and the papers that all of them know; `notice` tells when there were too few authors, empty
    otherwise."""

    members: tuple[Persona, ...] = ()
    common: tuple[Paper, ...] = ()
    notice: str = ""

    @property
    def papers(self) -> list[Paper]:
        """All that anybody knows, each once."""
        known = (*self.common, *(paper for member in self.members for paper in member.papers))
        return list({paper.id: paper for paper in known}.values())


async def assemble_team(library: PaperLibrary, topic: Topic, size: int, filters: Filters, rng: random.Random) -> Team:
    """A team of `size` from different communities, as far as the library has them; without members where nothing
    near the topic passes `filters`. Members are drawn by what they know beyond the common papers, where there is
    enough of it: who only knows what all know has nothing to say."""
    hits = await library.search(topic.text, _NEIGHBOURHOOD, filters)
    papers = [hit.paper for hit in hits if hit.paper.gist] or [hit.paper for hit in hits]
    common, others = papers[:_COMMON], papers[_COMMON:]
    chosen = draw_members(profiles(others, common), size, rng)
    if len(chosen) < size:
        chosen = draw_members(profiles(papers), size, rng)
    everybody = [*chosen, *single_papers([*others, *common], chosen, size - len(chosen))]
    members = tuple(Persona(f"member {chr(65 + at)}", one.papers) for at, one in enumerate(everybody))
    if len(chosen) == size or not members:
        return Team(members, tuple(common))
    return Team(members, tuple(common), _shortage(size, len(members), len(everybody) - len(chosen)))


def _shortage(size: int, members: int, single: int) -> str:
    """A note on a team that is too small; `single`: members that represent one paper."""
    reasons = [f"the team has {members} of {size} members"] if members < size else []
    reasons += [f"{single} of {members} members represent one paper each"] if single else []
    return f"The library has few authors with different papers near the topic: {', and '.join(reasons)}."


def profiles(papers: Sequence[Paper], common: Sequence[Paper] = ()) -> list[Profile]:
    """One for each author of `papers`, in the order in which they appear, with their community: that of who wrote
    together, be it a paper of `common`."""
    written: dict[str, list[Paper]] = {}
    for paper in papers:
        for author in dict.fromkeys(map(normal_title, paper.authors)):
            if author:
                written.setdefault(author, []).append(paper)
    together = communities(tuple(filter(None, map(normal_title, paper.authors))) for paper in (*papers, *common))
    return [Profile(tuple(own[:_PAPERS_OF_ONE]), together[author]) for author, own in written.items()]


def communities(groups: Iterable[Sequence[str]]) -> Mapping[str, int]:
    """A number for each name, the same for names that a chain of shared groups joins."""
    leader: dict[str, str] = {}

    def root(name: str) -> str:
        while leader.setdefault(name, name) != name:
            name = leader[name]
        return name

    for group in groups:
        for name in group:
            leader[root(name)] = root(group[0])
    numbers: dict[str, int] = {}
    return {name: numbers.setdefault(root(name), len(numbers)) for name in list(leader)}


def draw_members(pool: Sequence[Profile], size: int, rng: random.Random) -> list[Profile]:
    """At most `size`: strangers from another community first, then people who share no paper, then people with at
    least one paper of their own; among these, people of several papers as long as there are any."""
    team: list[Profile] = []
    while len(team) < size:
        taken = {one.community for one in team}
        held = {paper.id for one in team for paper in one.papers}
        new = [one for one in pool if any(paper.id not in held for paper in one.papers)]
        apart = [one for one in new if held.isdisjoint(paper.id for paper in one.papers)]
        strangers = [one for one in apart if one.community not in taken]
        near = strangers or apart or new
        if not near:
            break
        choices = [one for one in near if len(one.papers) > 1] or near
        team += rng.choices(choices, [one.weight for one in choices])
    return team


def single_papers(papers: Sequence[Paper], team: Sequence[Profile], count: int) -> list[Profile]:
    """Up to `count` profiles of one paper that nobody in the team stands for, in the order of `papers`."""
    held = {paper.id for one in team for paper in one.papers}
    free = [paper for paper in papers if paper.id not in held]
    return [Profile((paper,)) for paper in free[: max(count, 0)]]
