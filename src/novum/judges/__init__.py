"""Judges of ideas, one file each: what each asks a model and how it reads the answers."""

from novum.judges.registry import PairwiseJudge, get_judge, judge, judge_names

__all__ = ["PairwiseJudge", "get_judge", "judge", "judge_names"]
