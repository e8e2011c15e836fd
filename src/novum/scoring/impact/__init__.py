"""Potential impact: how often a paper like this would be cited, learnt from those that were."""

from novum.scoring.impact.part import Impact

__all__ = ["Impact"]
