"""Chain of Ideas: ideas from chains of papers, each of which builds on the one before."""

from novum.methods.chain_of_ideas.generator import chain_of_ideas

__all__ = ["chain_of_ideas"]
