"""Opportunities of the literature as starting points of ideas, with the papers that are their evidence.

    class MyOptions(StartingOptions): …

    points = await starting_points(lab, topic, options, notes)
    …
    needs = {"opening": point.variables(shelf), …}  # for a prompt that includes `_opening.md`; None: no opportunity
    …
    Conclusion(…, starts=[point.started(idea.id)])

A method takes as many as requested, the most promising first, and shows each to its writer in the prompt passage
`_opening.md`, filled by `StartingPoint.variables`. Opportunities are computed once for each topic of a run and stored
in its events: a resumed run starts from the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from novum.core import Paper, StartedFrom, Topic
from novum.core.opportunity import Opportunity, OpportunityKind, OpportunityList
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
"""A short description of each kind of opportunity, for prompts."""
_ONCE_JOINED = frozenset({"dormant", "follow-up"})
"""Kinds whose attempts are papers that did combine the two concepts."""


class StartingOptions(ConcludingOptions):
    """Options of methods that can start from opportunities."""

    from_opportunities: int = Field(
        0,
        ge=0,
        le=MOST,
        description="Opportunities from which ideas start, one each: pairs of concepts that papers of the library have "
        "not combined or no longer combine, computed without a model; 0: none",
    )


@dataclass(frozen=True)
class StartingPoint:
    """One opportunity with the papers of both sides and the nearest attempts, as far as the run may read them."""

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
        """The perspective on a topic that it suggests."""
        one, other = self.opening.pair
        if self.opening.kind == "transfer":
            return f"what {one} could do for {other}"[:300]
        return f"what {one} and {other} could do for each other"[:300]

    def started(self, idea_id: str) -> StartedFrom:
        """The record of an idea that started here."""
        return StartedFrom(idea_id=idea_id, opening=self.opening)

    def variables(self, shelf: Bibliography, *, texts: bool = True) -> dict[str, object]:
        """The variables of `_opening.md`. `shelf` gives the papers their labels, and must contain them.

        `texts`: with their abstracts, unless another part of the prompt has them. In the result, `means` is the concept
        to apply to the concept `end`.
        """
        labels = {entry.paper.id: entry.label for entry in shelf.entries}
        known = {paper.id: paper for paper in self.papers if paper.id in labels}
        one, other = self.opening.pair
        means, end = (one, other) if self.opening.kind == "transfer" else (other, one)

        sides = [(side.concept, side.papers[:_PER_SIDE]) for side in (self.opening.one, self.opening.other)]
        of_sides = {each for _, ids in sides for each in ids}

        def described(ids: Sequence[str]) -> list[dict[str, object]]:
            return [{"id": each, "label": labels[each], "paper": known[each]} for each in ids if each in known]

        return {
            "pair": self.opening.pair,
            "means": means,
            "end": end,
            "kind": KINDS[self.opening.kind].format(means=means, end=end),
            "until": self.opening.until,
            "reasons": self.opening.reasons,
            "sides": [{"concept": concept, "papers": described(ids)} for concept, ids in sides],
            "attempts": described(self.opening.attempts[:_ATTEMPTS]),
            "of_sides": of_sides,
            "once_joined": self.opening.kind in _ONCE_JOINED,
            "texts": texts,
        }


async def starting_points(
    lab: Lab, topic: Topic, options: StartingOptions, notes: list[str]
) -> tuple[StartingPoint, ...]:
    """The most promising opportunities of the topic, as many as `options` request; if there are fewer, a note says why.

    Never raises an error for a library without opportunities: ideas can be generated without them.
    """
    if not options.from_opportunities:
        return ()
    with lab.run.step("openings"):
        search = await opportunities_of(lab, topic.text, options.before, requested=True)
    if search.openings is None:
        notes.append(f"No idea starts from an opportunity. {search.why}")
        return ()
    points = _first_points(lab, search.openings, options.from_opportunities)
    if (lacking := options.from_opportunities - len(points)) > 0:
        notes.append(f"Of {options.from_opportunities} requested opportunities, {lacking} could not be found.")
    return points


async def available_points(
    lab: Lab, topic: Topic, options: StartingOptions, most: int
) -> tuple[tuple[StartingPoint, ...], str]:
    """At most `most` opportunities that nobody requested: those of a concept map that is there, or that takes seconds
    to build. With a sentence that says why there are none; empty where there are some."""
    with lab.run.step("openings"):
        search = await opportunities_of(lab, topic.text, options.before)
    if search.openings is None:
        return (), search.why
    return _first_points(lab, search.openings, most), ""


def _first_points(lab: Lab, found: OpportunityList, most: int) -> tuple[StartingPoint, ...]:
    known = {paper.id: paper for paper in found.papers}
    chosen = rotated(found.openings, lab.opportunities_used)[:most]
    return tuple(StartingPoint(each, _evidence(each, known)) for each in chosen)


def rotated(openings: Sequence[Opportunity], by: int) -> tuple[Opportunity, ...]:
    """The opportunities in cyclic order from position `by`: later rounds on a topic start with unused ones."""
    first = by % max(len(openings), 1)
    return (*openings[first:], *openings[:first])


def _evidence(opening: Opportunity, known: dict[str, Paper]) -> tuple[Paper, ...]:
    """A few papers of each side, and those that come nearest to combining the two."""
    ids = [*opening.one.papers[:_PER_SIDE], *opening.other.papers[:_PER_SIDE], *opening.attempts[:_ATTEMPTS]]
    return tuple(known[paper_id] for paper_id in dict.fromkeys(ids) if paper_id in known)
