"""SciAgents: ideas from paths through a graph of concepts, developed by a team with fixed roles."""

from novum.methods.sci_agents.generator import NAME, SciAgentsOptions, sci_agents

__all__ = ["NAME", "SciAgentsOptions", "sci_agents"]
