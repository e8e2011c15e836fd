"""What a user may set about concepts and forecasts."""

from __future__ import annotations

from pydantic import Field

from novum.core import Value

SMALL_LIBRARY = 3000
"""Papers below which a library is small."""


class OpportunitySettings(Value):
    """The defaults are those that the documented tables were made with."""

    fewest: int = Field(default=5, ge=2, le=1000)
    """Papers that a concept needs: one of fewer is too rare to tell anything."""
    general: float = Field(default=0.2, gt=0, le=1)
    """Share of the papers above which a concept is too general to tell anything."""
    most: int = Field(default=30_000, ge=10, le=200_000)
    """Concepts at most; the more frequent are kept."""
    horizon: int = Field(default=3, ge=1, le=20)
    """Years ahead."""
    joint: int = Field(default=1, ge=1, le=100)
    """Papers that must speak of both concepts for the pair to count as joined."""
    alike: float = Field(default=0.9, gt=0, le=1.01)
    """Cosine of two names from which they count as near-synonyms; above 1: none do."""
    seed: int = Field(default=0, ge=0)


def default_settings(papers: int) -> OpportunitySettings:
    """The default settings for a library of this size: in a small one a concept needs only three papers."""
    return OpportunitySettings(fewest=3) if papers < SMALL_LIBRARY else OpportunitySettings()
