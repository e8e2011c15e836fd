"""Comparisons of idea generators: the entrants, their entries, and the verdicts on pairs of them."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from novum.core.cost import Cost
from novum.core.experiment import Experiment
from novum.core.idea import Idea
from novum.core.match import Verdict
from novum.core.record import Value

ComparisonKind = Literal["idea", "experiment"]
"""What is compared of two entrants."""

IDEA_CRITERIA = ("novelty", "significance", "clarity", "feasibility", "effectiveness")
EXPERIMENT_CRITERIA = ("feasibility", "quality", "clarity")
CRITERIA: dict[ComparisonKind, tuple[str, ...]] = {"idea": IDEA_CRITERIA, "experiment": EXPERIMENT_CRITERIA}


class ArenaTopic(Value):
    """A topic, and the paper that it was taken from, if any."""

    topic: str
    paper_id: str = ""
    title: str = ""
    """Title of the paper."""
    published: str = ""
    """ISO date by which the paper was certainly public."""


class Entrant(Value):
    """A generator with its options, or a set of existing ideas."""

    name: str
    """The unique name under which reports list it."""
    method: str = ""
    """Public name of the generator; empty for ideas that were read from a file."""
    options: dict[str, JsonValue] = {}


class ArenaEntry(Value):
    """The idea of one entrant on one topic, or why there is none."""

    topic: str
    entrant: str
    idea: Idea | None = None
    experiment: Experiment | None = None
    forfeit: str = ""
    """Why there is no idea; empty where there is one."""
    notes: tuple[str, ...] = ()
    """What the generator could not do as requested."""
    cost: Cost = Cost()
    """Cost of all responses that it used, including those reused from other runs."""
    seconds: float = 0.0
    """Sum of the durations of its calls."""
    shown: Idea | None = None
    """The idea in the common form of a study, as judges see it; None: they see it as it was written."""

    @property
    def judged_idea(self) -> Idea | None:
        """The idea as judges see it."""
        return self.shown or self.idea


class JudgedPair(Value):
    """One request to one judge: two entrants on one topic, in this order. A failed request is not a comparison."""

    topic: str
    kind: ComparisonKind = "idea"
    first: str
    """Name of the entrant in the first position."""
    second: str
    judge: str
    verdicts: tuple[Verdict, ...] = ()
    failure: str = ""
    """Why there are no verdicts: refused, unreadable, unreachable."""
