"""Generators of ideas put against each other: who took part, what they handed in, and how every comparison went."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from novum.core.cost import Cost
from novum.core.experiment import Experiment
from novum.core.idea import Idea
from novum.core.match import Verdict
from novum.core.record import Value

ComparisonKind = Literal["idea", "experiment"]
"""What two entrants are compared by."""

IDEA_CRITERIA = ("novelty", "significance", "clarity", "feasibility", "effectiveness")
EXPERIMENT_CRITERIA = ("feasibility", "quality", "clarity")
CRITERIA: dict[ComparisonKind, tuple[str, ...]] = {"idea": IDEA_CRITERIA, "experiment": EXPERIMENT_CRITERIA}


class ArenaTopic(Value):
    """A topic, and the paper that it was taken from where there is one."""

    topic: str
    paper_id: str = ""
    title: str = ""
    """Of the paper."""
    published: str = ""
    """ISO day by which the paper was certainly public."""


class Entrant(Value):
    """A generator with its options, or ideas that somebody else made."""

    name: str
    """Shown everywhere, and unlike that of any other entrant."""
    method: str = ""
    """Public name of the generator; empty for ideas that were read from a file."""
    options: dict[str, JsonValue] = {}


class ArenaEntry(Value):
    """What one entrant handed in on one topic, or why it forfeits."""

    topic: str
    entrant: str
    idea: Idea | None = None
    experiment: Experiment | None = None
    forfeit: str = ""
    """Why there is no idea; empty where there is one."""
    notes: tuple[str, ...] = ()
    """What the generator says did not go as asked."""
    cost: Cost = Cost()
    """Of all answers that it used, whoever paid for them."""
    seconds: float = 0.0
    """Sum over its calls."""


class JudgedPair(Value):
    """One asking of one judge: two entrants on one topic, in this order. One that failed is no match."""

    topic: str
    kind: ComparisonKind = "idea"
    first: str
    """Name of the entrant in the first position."""
    second: str
    judge: str
    verdicts: tuple[Verdict, ...] = ()
    failure: str = ""
    """Why there are no verdicts: refused, unreadable, out of reach."""
