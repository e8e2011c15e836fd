"""What became of real papers and ideas: the outcomes that numbers about them are held against."""

from __future__ import annotations

from novum.core.record import Value
from novum.core.scorecard import Subject

ACCEPTED, HIGHLIGHTED, CITATIONS = "accepted", "highlighted", "citations"
DECISIONS = (ACCEPTED, HIGHLIGHTED)
"""Outcomes that are 1 or 0."""


class Case(Value):
    """A paper or an idea with what is known of its fate."""

    id: str
    """What tells it from others, also across files."""
    subject: Subject
    group: str
    """Only cases of one group are compared with each other: those of a venue and year, of a year, of a data set."""
    outcomes: dict[str, float]
    """By name; `accepted` and `highlighted` (a talk or a spotlight among those accepted) are 1 or 0."""
    unsettled: str = ""
    """A decision that is neither acceptance nor rejection: withdrawn, sent to a workshop."""
