"""Potential impact: how often a paper like this would be cited, learnt from those that were."""

from novum.idea_metrics.impact.metric import Impact

__all__ = ["Impact"]
