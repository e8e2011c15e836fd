"""Ideas that compete, are criticised, and breed: the generator `evolution`."""

from novum.methods.evolution.generator import NAME, EvolutionOptions, evolution

__all__ = ["NAME", "EvolutionOptions", "evolution"]
