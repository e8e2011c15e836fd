"""Evaluators of ideas, one file each: what each asks and how it reads the answers."""

from novum.judges.registry import get_judge, judge, judge_names

__all__ = ["get_judge", "judge", "judge_names"]
