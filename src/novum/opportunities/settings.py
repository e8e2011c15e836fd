"""Settings of concepts and forecasts."""

from __future__ import annotations

from pydantic import Field

from novum.core import Value

SMALL_LIBRARY = 3000
"""A library with fewer papers is small."""


class OpportunitySettings(Value):
    """Settings of a concept map. The tables of the documentation were made with the defaults."""

    fewest: int = Field(default=5, ge=2, le=1000)
    """Smallest number of papers of a concept."""
    general: float = Field(default=0.2, gt=0, le=1)
    """Largest share of the papers that may contain a concept; a concept of more is too general."""
    most: int = Field(default=30_000, ge=10, le=200_000)
    """Largest number of concepts; the most frequent ones are kept."""
    horizon: int = Field(default=3, ge=1, le=20)
    """Length of the forecast in years."""
    joint: int = Field(default=1, ge=1, le=100)
    """Joint papers that a pair needs to count as linked."""
    alike: float = Field(default=0.9, gt=0, le=1.01)
    """Smallest cosine of two near-synonyms; above 1: there are none."""
    seed: int = Field(default=0, ge=0)


def default_settings(papers: int) -> OpportunitySettings:
    """The default settings for a library of this size: in a small one a concept needs only three papers."""
    return OpportunitySettings(fewest=3) if papers < SMALL_LIBRARY else OpportunitySettings()
