"""Ideas from ways through a graph of concepts, worked out by a team with set roles."""

from novum.methods.sci_agents.generator import NAME, SciAgentsOptions, sci_agents

__all__ = ["NAME", "SciAgentsOptions", "sci_agents"]
