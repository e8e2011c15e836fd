"""Where ideas of a portfolio come from: every short idea with its source, its papers, and what became of it."""

from __future__ import annotations

from typing import Literal

from novum.core.record import Value

WHOLE_DRAFT = "whole draft"
"""The source of an idea that no seed precedes: it was written at once, from the topic alone."""
SeedFate = Literal["developed", "not chosen", "anticipated", "near-duplicate", "not written up"]
"""What became of a seed: developed into an idea, passed over in the tournament, found in a paper, dropped as a
near-duplicate of another seed, or chosen but without a usable answer of the writer."""


class CriticObjection(Value):
    """One attack on a draft of an idea, and how the revision answered it."""

    draft_id: str
    """Id of the draft that was attacked."""
    round: int
    objection: str
    closest_id: str | None = None
    """The closest paper, according to the critic; None where it named none of those shown."""
    overlap: str = ""
    """What that paper already contains, and what it lacks."""
    check: str = ""
    """The cheapest check that could refute the idea."""
    rival: str = ""
    """The strongest rival, with the case that separates the two."""
    reply: str = ""
    """What the revision did about it; empty where there was no usable revision."""


class SeedOrigin(Value):
    """A seed: an idea in short form, before any was chosen."""

    source: str
    """Public name of the source, such as `chain` or `analogy`."""
    title: str
    problem: str
    mechanism: str
    test: str
    nearest: str = ""
    """The nearest work that its writer knew, not verified."""
    paper_ids: tuple[str, ...] = ()
    """The papers that it rests on; those shown to its writer where it cites none."""
    fate: SeedFate = "not chosen"
    like: str = ""
    """Title of the earlier seed that it repeats, for a near-duplicate."""
    closest_id: str | None = None
    """The closest paper, according to the screening."""
    finding: str = ""
    """What the closest paper shares with the seed and what it lacks, according to the screening."""
    promise: int | None = None
    """How promising the screening found it, from 1 to 5; None where it gave no usable answer."""
    win_rate: float | None = None
    """Share of its comparisons won, 0 to 1, a tie counting half; None without a comparison."""
    idea_id: str = ""
    """Id of the idea that it was developed into."""
    objections: tuple[CriticObjection, ...] = ()
