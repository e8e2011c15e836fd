"""The schedules by the names that users give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novum.benchmarks.arena.records import Schedule
from novum.benchmarks.arena.schedules.adaptive import Adaptive
from novum.benchmarks.arena.schedules.round_robin import RoundRobin
from novum.benchmarks.arena.schedules.schedule import Field, PairSchedule
from novum.benchmarks.arena.schedules.swiss import Swiss


def make_schedule(
    name: Schedule,
    field: Field,
    seed: int = 0,
    *,
    criteria: Sequence[str] = (),
    level: float = 0.95,
    budget: int | None = None,
) -> PairSchedule[Any]:
    """A schedule for a field. The same seed makes the same choices.

    `criteria`: what `adaptive` must be sure about, each by itself, and what standings are made from in `swiss`; none:
    their average. `level`: the expected Kendall's tau, above 0 to 1, at which `adaptive` stops. `budget`: pairings
    after which any of them stops. Raises ValueError for a level or a budget out of bounds.
    """
    if not 0 < level <= 1:
        raise ValueError(f"a ranking can be sure to a level above 0, up to 1, not {level:g}")
    if budget is not None and budget < 0:
        raise ValueError(f"no fewer than 0 pairings can be asked, not {budget:,}")
    match name:
        case "round-robin":
            return PairSchedule(field, RoundRobin(field.present, seed), criteria, budget)
        case "swiss":
            return PairSchedule(field, Swiss(field.present, seed), criteria, budget)
        case "adaptive":
            columns = max(1, len(criteria))
            return PairSchedule(field, Adaptive(field.present, seed, columns, level), criteria, budget)
