"""Judgements that each schedule of the arena needs, and whether intervals hold what they say.

Simulated arenas (`arena_simulation.py`) on 50 topics, for 50 truths each and more. A judgement is one pair on one
topic, settled from both orders. What counts is when the ranking has Kendall's tau of at least 0.95 with the truth at
three looks in a row; looks are taken after each batch, and all rankings are made in the same way. Nobody who runs an
arena knows the truth: so it is told as well how many judgements the adaptive schedule has asked for when it is sure by
itself, and how good the ranking then is.

First, strengths are spread evenly over a normal distribution. Then they are drawn from it at random: some are so close
that even full round robin often does not get there, and what counts are the intervals. At last judges say tie
themselves, for which the ratings' model is not quite right.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from figures.arena_courses import Course, adaptive, follow, shuffled, swiss
from figures.arena_coverage import coverage, held
from figures.arena_simulation import Floats, World
from figures.row import Bench, Row, at_most

TOPICS = 50
THIRD = 33.3


@dataclass(frozen=True)
class Scene:
    """Truths of one kind."""

    name: str
    entrants: int
    seeds: int = 50
    drawn: bool = False
    ties: float = 0.0

    @property
    def worlds(self) -> list[World]:
        return [World(self.entrants, TOPICS, seed, self.drawn, self.ties) for seed in range(self.seeds)]


SCENES = (
    Scene("spread evenly", 10),
    Scene("spread evenly", 30),
    Scene("spread evenly", 100),
    Scene("drawn at random", 10, seeds=200, drawn=True),
    Scene("drawn at random", 30, drawn=True),
    Scene("drawn, judges say tie", 30, drawn=True, ties=0.3),
)


@dataclass(frozen=True)
class Followed:
    """One truth: the courses of all schedules, and where drawn at random, whose intervals hold it."""

    adaptive: Course
    swiss: Course
    shuffled: Course
    held: dict[str, Floats] = field(default_factory=dict)
    """Where the adaptive schedule is sure by itself."""
    held_shuffled: dict[str, Floats] = field(default_factory=dict)
    """Of round robin, after about as many judgements."""


def schedules(_: Bench) -> list[Row]:
    """All scenes."""
    # Small matrices: more threads than processes would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    rows = []
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        for scene in SCENES:
            rows += table_of(scene, list(pool.map(followed, scene.worlds)))
            print(f"  {scene.entrants} entrants, {scene.name}: followed", flush=True)
    return rows


def followed(world: World) -> Followed:
    """All schedules before the same judge, each hearing noise of its own."""
    ours, theirs, other = (follow(world.again(), way) for way in (adaptive, swiss, shuffled))
    if not world.drawn:
        return Followed(ours, theirs, other)
    end = ours.end
    judgements = np.array([look.judgements for look in other.looks])
    as_many = int(np.argmin(np.abs(judgements - ours.looks[end].judgements)))
    return Followed(ours, theirs, other, held(ours.games(end), world), held(other.games(as_many), world))


def table_of(scene: Scene, found: Sequence[Followed]) -> list[Row]:
    """The rows of one scene."""
    ours = [each.adaptive for each in found]
    named = f"{scene.entrants} entrants, {scene.name}: adaptive, % of {ours[0].world.pairings:,}"
    first = _beside(named, ours) if scene.drawn else at_most(named, _share(ours), THIRD, _spread(ours), unit="%")
    rows = [
        first,
        _beside("    swiss", [each.swiss for each in found]),
        _beside("    round robin in random order, stopped there", [each.shuffled for each in found]),
        _sure(ours),
    ]
    if scene.drawn:
        rows += coverage("intervals, adaptive", [each.held for each in found])
        rows += coverage("intervals, round robin", [each.held_shuffled for each in found])
    return rows


def _share(courses: Sequence[Course]) -> float:
    """Median over the truths, % of all pairings."""
    return float(np.median([100 * each.reached / each.world.pairings for each in courses]))


def _spread(courses: Sequence[Course]) -> str:
    reached = np.sort([each.reached for each in courses])
    ninth = 100 * reached[int(np.ceil(0.9 * len(reached))) - 1] / courses[0].world.pairings
    told = f"nine of ten within {ninth:.1f}%" if np.isfinite(ninth) else f"{np.isfinite(reached).mean():.0%} get there"
    return f"median {np.median(reached):,.0f} judgements, {told}"


def _beside(figure: str, courses: Sequence[Course]) -> Row:
    return Row(figure, f"{_share(courses):.2f}%", "", reached=True, beside=_spread(courses))


def _sure(courses: Sequence[Course]) -> Row:
    """What the schedule's own word is worth."""
    looks = [each.looks[each.end] for each in courses]
    share = np.median([100 * look.judgements / courses[0].world.pairings for look in looks])
    tau, expected = np.mean([look.tau for look in looks]), np.mean([look.expected for look in looks])
    beside = f"tau with the truth is then {tau:.3f} on average, expected {expected:.3f}"
    return Row("    adaptive, sure by itself", f"{share:.2f}%", "", reached=True, beside=beside)
