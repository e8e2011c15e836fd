"""Schedules: they choose which pairs are judged next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novum.benchmarks.arena.records import ScheduleName
from novum.benchmarks.arena.schedules.adaptive import Adaptive
from novum.benchmarks.arena.schedules.round_robin import RoundRobin
from novum.benchmarks.arena.schedules.schedule import PairingSpace, PairSchedule
from novum.benchmarks.arena.schedules.swiss import Swiss


def make_schedule(
    name: ScheduleName,
    space: PairingSpace,
    seed: int = 0,
    *,
    criteria: Sequence[str] = (),
    level: float = 0.95,
    budget: int | None = None,
) -> PairSchedule[Any]:
    """A schedule by its name. The same seed makes the same choices.

    `criteria`: what `adaptive` must be sure about, each by itself, and what the standings of `swiss` are made from; by
    default their average. `level`: the expected Kendall's tau, above 0 to 1, at which `adaptive` stops. `budget`: the
    number of pairings after which any schedule stops. Raises ValueError for a level or budget out of bounds.
    """
    if not 0 < level <= 1:
        raise ValueError(f"the level must be above 0 and at most 1, not {level:g}")
    if budget is not None and budget < 0:
        raise ValueError(f"the budget must be 0 pairings or more, not {budget:,}")
    match name:
        case "round-robin":
            return PairSchedule(space, RoundRobin(space.present, seed), criteria, budget)
        case "reference":
            return PairSchedule(space, RoundRobin(space.present, seed, reference=0), criteria, budget)
        case "swiss":
            return PairSchedule(space, Swiss(space.present, seed), criteria, budget)
        case "adaptive":
            return PairSchedule(space, Adaptive(space.present, seed, max(1, len(criteria)), level), criteria, budget)
