"""Conditions of a search for opportunities."""

from __future__ import annotations

from pydantic import Field

from novum.core import Value
from novum.core.opportunity import OpportunityKind


class OpportunityQuery(Value):
    """Conditions that every opportunity must meet; the default allows all."""

    fields: tuple[str, ...] = ()
    """Both concepts belong to one of these fields: at least a fifth of their papers; case is ignored."""
    since: int | None = Field(default=None, ge=1, le=9999)
    """Both concepts have papers from this year on, and only these papers are listed."""
    until: int | None = Field(default=None, ge=1, le=9999)
    """Both concepts have papers up to this year, and only these papers are listed. The forecast does not change."""
    with_concept: str = ""
    """One of the two concepts is this one."""
    exclude: tuple[str, ...] = ()
    """Neither concept has all words of one of these; case and plural are ignored."""
    kinds: tuple[OpportunityKind, ...] = ()
    """Only opportunities of these kinds; empty: of all."""
