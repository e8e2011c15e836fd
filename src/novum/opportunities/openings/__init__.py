"""Openings of a topic: what its literature has not brought together yet, with what speaks for each."""

from novum.opportunities.openings.ensuring import ensured
from novum.opportunities.openings.finding import find_openings, openings_of

__all__ = ["ensured", "find_openings", "openings_of"]
