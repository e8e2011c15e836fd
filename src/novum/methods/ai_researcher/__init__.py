"""Over-generate and rank: many seeds, twins taken out, the rest written out and put in order by a tournament."""

from novum.methods.ai_researcher.generator import NAME, ResearcherOptions, ai_researcher

__all__ = ["NAME", "ResearcherOptions", "ai_researcher"]
