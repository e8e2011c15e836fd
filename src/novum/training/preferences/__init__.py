"""Preference data: pairs of similar ideas on one topic, of which one scores higher."""
