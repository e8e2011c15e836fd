"""Search for the opportunities of a topic: pairs of concepts that its literature has not linked yet."""

from novum.opportunities.search.find import ensure_concept_map, find_opportunities, search_map, too_few_papers

__all__ = ["ensure_concept_map", "find_opportunities", "search_map", "too_few_papers"]
