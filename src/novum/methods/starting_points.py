"""Openings of the literature as starting points of ideas: computed, with the papers that are their evidence.

    class MyOptions(StartingOptions): …

    points = await starting_points(lab, topic, options, notes)
    …
    needs = {"opening": point.shown(shelf), …}  # of a prompt that includes `_opening.md`; None: from no opening
    …
    Conclusion(…, starts=[point.started(idea.id)])

A generator takes as many as it was asked for, the most promising first, and shows each to its writer by the prompt
passage `_opening.md`, filled by `StartingPoint.shown`. Which openings there are is computed once for a topic of a run
and kept in the run's events: taken up again, it starts from the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from novum.core import Paper, StartedFrom, Topic
from novum.core.opportunity import Opportunity, OpportunityKind
from novum.lab import Lab
from novum.methods.finishing import ConcludingOptions
from novum.methods.opportunities import MOST, opportunities_of
from novum.reading import Bibliography

_PER_SIDE = 3
_ATTEMPTS = 2
KINDS: dict[OpportunityKind, str] = {
    "bridge": "two communities that hardly cite each other",
    "transfer": "{means} has just worked on a problem beside {end}",
    "rising": "both are rising",
    "dormant": "joined once, and not since",
    "follow-up": "much cited, and carried on by nobody here",
}
"""What each kind of opening is, in few words."""
_ONCE_JOINED = frozenset({"dormant", "follow-up"})
"""Kinds whose attempts are papers that did join the two."""


class StartingOptions(ConcludingOptions):
    """Options of generators that can start from openings."""

    from_opportunities: int = Field(
        0,
        ge=0,
        le=MOST,
        description="Openings of the topic that ideas start from, one each: pairs of concepts that papers of the "
        "library have not joined or no longer join, computed without a model; 0: none",
    )


@dataclass(frozen=True)
class StartingPoint:
    """One opening with the papers of its two sides and the nearest attempts, as far as the run may read them."""

    opening: Opportunity
    papers: tuple[Paper, ...]

    @property
    def name(self) -> str:
        return self.opening.name

    @property
    def query(self) -> str:
        """What to search for."""
        return " ".join(self.opening.pair)[:160]

    @property
    def aspect(self) -> str:
        """The perspective that it puts on a topic."""
        one, other = self.opening.pair
        if self.opening.kind == "transfer":
            return f"what {one} could do for {other}"[:300]
        return f"what {one} and {other} could do for each other"[:300]

    def started(self, idea_id: str) -> StartedFrom:
        """The record of an idea that started here."""
        return StartedFrom(idea_id=idea_id, opening=self.opening)

    def shown(self, shelf: Bibliography, *, texts: bool = True) -> dict[str, object]:
        """What `_opening.md` asks for: papers under their labels on `shelf`, which must hold them. `texts`: with what
        their abstracts say; not where they are told elsewhere. `means` and `end`: which of the two to try on which."""
        labels = {entry.paper.id: entry.label for entry in shelf.entries}
        known = {paper.id: paper for paper in self.papers if paper.id in labels}
        one, other = self.opening.pair
        means, end = (one, other) if self.opening.kind == "transfer" else (other, one)

        sides = [(side.concept, side.papers[:_PER_SIDE]) for side in (self.opening.one, self.opening.other)]
        of_sides = {each for _, ids in sides for each in ids}

        def told(ids: Sequence[str]) -> list[dict[str, object]]:
            return [{"id": each, "label": labels[each], "paper": known[each]} for each in ids if each in known]

        return {
            "pair": self.opening.pair,
            "means": means,
            "end": end,
            "kind": KINDS[self.opening.kind].format(means=means, end=end),
            "until": self.opening.until,
            "reasons": self.opening.reasons,
            "sides": [{"concept": concept, "papers": told(ids)} for concept, ids in sides],
            "attempts": told(self.opening.attempts[:_ATTEMPTS]),
            "of_sides": of_sides,
            "once_joined": self.opening.kind in _ONCE_JOINED,
            "texts": texts,
        }


async def starting_points(
    lab: Lab, topic: Topic, options: StartingOptions, notes: list[str]
) -> tuple[StartingPoint, ...]:
    """The most promising openings of the topic, as many as `options` ask for; fewer, and a note why, where there are
    not so many. Raises nothing of its own: a library without openings is no reason to have no ideas."""
    if not options.from_opportunities:
        return ()
    with lab.run.step("openings"):
        found = await opportunities_of(lab, topic.text, options.before, asked=True)
    if found.openings is None:
        notes.append(f"No idea starts from an opening. {found.why}")
        return ()
    known = {paper.id: paper for paper in found.openings.papers}
    chosen = rotated(found.openings.openings, lab.openings_taken)[: options.from_opportunities]
    if (lacking := options.from_opportunities - len(chosen)) > 0:
        notes.append(f"Of {options.from_opportunities} openings asked for, {lacking} could not be found.")
    return tuple(StartingPoint(each, _evidence(each, known)) for each in chosen)


def rotated(openings: Sequence[Opportunity], by: int) -> tuple[Opportunity, ...]:
    """Further goes at a topic begin with the openings that those before them did not take, round and round."""
    first = by % max(len(openings), 1)
    return (*openings[first:], *openings[:first])


def _evidence(opening: Opportunity, known: dict[str, Paper]) -> tuple[Paper, ...]:
    """A few papers of one side, of the other, and those that came nearest to joining them."""
    ids = [*opening.one.papers[:_PER_SIDE], *opening.other.papers[:_PER_SIDE], *opening.attempts[:_ATTEMPTS]]
    return tuple(known[paper_id] for paper_id in dict.fromkeys(ids) if paper_id in known)
