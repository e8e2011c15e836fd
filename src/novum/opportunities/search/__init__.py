"""Openings of a topic: what its literature has not brought together yet, with what speaks for each."""

from novum.opportunities.search.find import find_openings, openings_of
from novum.opportunities.search.prepared_map import ensured

__all__ = ["ensured", "find_openings", "openings_of"]
