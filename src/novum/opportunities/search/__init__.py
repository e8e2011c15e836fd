"""Openings of a topic: what its literature has not brought together yet, with what speaks for each."""

from novum.opportunities.search.find import find_opportunities, search_map
from novum.opportunities.search.prepared_map import ensure_concept_map

__all__ = ["ensure_concept_map", "find_opportunities", "search_map"]
