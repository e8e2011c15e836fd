"""Conditions of a search for opportunities."""

from __future__ import annotations

from pydantic import Field

from novum.core import Value
from novum.core.opportunity import OpportunityKind


class OpportunityQuery(Value):
    """Conditions that every opportunity meets; the default allows all."""

    fields: tuple[str, ...] = ()
    """Both concepts are at home in one of these: a fifth of their papers or more; case ignored."""
    since: int | None = Field(default=None, ge=1, le=9999)
    """Both concepts have papers from this year on, and only those are shown."""
    until: int | None = Field(default=None, ge=1, le=9999)
    """Both concepts have papers up to this year, and only those are shown. The forecast is made today all the same."""
    with_concept: str = ""
    """One of the two is this concept."""
    exclude: tuple[str, ...] = ()
    """Neither concept has all the words of any of these; case and plural ignored."""
    kinds: tuple[OpportunityKind, ...] = ()
    """Only these; none named: all."""
