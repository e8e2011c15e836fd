"""Potential impact: the predicted citations of a paper like the idea, by a model fitted to papers of the library."""

from novum.idea_metrics.impact.metric import Impact

__all__ = ["Impact"]
