"""Schedules: which pairs are compared next."""
