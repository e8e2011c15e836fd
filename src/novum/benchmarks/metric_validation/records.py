"""Known outcomes of real papers and ideas."""

from __future__ import annotations

from novum.core.record import Value
from novum.core.scorecard import Subject

ACCEPTED, HIGHLIGHTED, CITATIONS = "accepted", "highlighted", "citations"
DECISIONS = (ACCEPTED, HIGHLIGHTED)
"""Outcomes that are 1 or 0."""
MIXED_FROM = 0.1
"""Share of accepted and of rejected papers from which a venue and year has both decisions."""


SIGNIFICANT = 0.05
"""Highest p or q of a result that counts as significant."""


class OutcomeCase(Value):
    """A paper or an idea with its known outcomes."""

    id: str
    """Identifies the case, also across files."""
    subject: Subject
    group: str
    """Cases are compared only within a group: a venue and year, a year, or a data set."""
    outcomes: dict[str, float]
    """By name. `accepted` and `highlighted` (an accepted paper with a talk or a spotlight) are 1 or 0."""
    ratings: tuple[float, ...] = ()
    """The overall rating of each reviewer."""
    unsettled: str = ""
    """A decision that is neither acceptance nor rejection, such as withdrawn or sent to a workshop."""
