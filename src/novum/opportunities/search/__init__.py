"""Openings of a topic: what its literature has not brought together yet, with what speaks for each."""

from novum.opportunities.search.find import ensure_concept_map, find_opportunities, search_map

__all__ = ["ensure_concept_map", "find_opportunities", "search_map"]
