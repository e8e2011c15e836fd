"""Over-generate and rank: many seeds without near-duplicates, written out and ranked in a tournament."""

from novum.methods.ai_researcher.generator import NAME, ResearcherOptions, ai_researcher

__all__ = ["NAME", "ResearcherOptions", "ai_researcher"]
