"""Pairs of ideas on one topic, the better one chosen and a near miss rejected, for learning by preference."""

from novum.training.preferences.building import Preferences, build_preferences
from novum.training.preferences.pool import Candidate, answer, of_ideas, of_papers

__all__ = ["Candidate", "Preferences", "answer", "build_preferences", "of_ideas", "of_papers"]
