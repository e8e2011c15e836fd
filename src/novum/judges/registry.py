"""Pairwise judges by name: the ways in which a model compares two ideas.

`novum judge winrate --protocol NAME` and `WinRateTask(protocol=NAME)` choose one. A new judge is one file in this
folder with a decorated function, or a function of another package under the entry-point group `novum.judges`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from novum.core import Idea, Topic
from novum.judges.both_orders import MatchRequests
from novum.llm import ModelName
from novum.registry import Registry


class PairwiseJudge(Protocol):
    """Compares two ideas on a topic: a generator of requests to `model` that returns one match for each order."""

    def __call__(self, topic: Topic, first: Idea, second: Idea, model: ModelName) -> MatchRequests: ...


_judges: Registry[PairwiseJudge] = Registry("judge", "novum.judges")


def judge(name: str) -> Callable[[PairwiseJudge], PairwiseJudge]:
    """Register a pairwise judge under a public name. The decorated function stays as it is."""
    return _judges.register(name)


def get_judge(name: str) -> PairwiseJudge:
    """The judge of that name. Raises BadInput with the nearest names when there is none."""
    return _judges.get(name)


def judge_names() -> list[str]:
    """The names of all pairwise judges, built-in ones and those of other packages, sorted."""
    return _judges.names()
