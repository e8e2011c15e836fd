"""Pairs of ideas on one topic, the better one chosen and a near miss rejected, for learning by preference."""

from novum.training.preferences.building import Preferences, build_preferences
from novum.training.preferences.pool import PairCandidate, candidate_text, candidates_of_ideas, candidates_of_papers

__all__ = [
    "PairCandidate",
    "Preferences",
    "build_preferences",
    "candidate_text",
    "candidates_of_ideas",
    "candidates_of_papers",
]
