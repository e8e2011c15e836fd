"""Portfolio: many short ideas from different sources, of which the best are developed, attacked and revised."""

from novum.methods.portfolio.generator import portfolio

__all__ = ["portfolio"]
