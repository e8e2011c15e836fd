"""Bouts as judges leave them, in few words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from novum.core.comparison import JudgedPair
from novum.core.match import Verdict
from novum.statistics.games import Games

_OTHER = {"first": "second", "second": "first", "tie": "tie"}


def judged_pair(
    first: str, second: str, outcome: str | Mapping[str, str] | None, *, topic="t", judge="j", kind="idea"
) -> JudgedPair:
    """One judgement; `outcome` on novelty, or by criterion, or None for a failure."""
    text = {"novelty": outcome} if isinstance(outcome, str) else outcome or {}
    verdicts = tuple(Verdict(criterion=name, outcome=value) for name, value in text.items())
    return JudgedPair(
        topic=topic,
        kind=kind,
        first=first,
        second=second,
        judge=judge,
        verdicts=verdicts,
        failure="" if verdicts else "refused",
    )


def both_orders(first: str, second: str, outcome: str, **where) -> list[JudgedPair]:
    """A judge that does not depend on positions."""
    return [judged_pair(first, second, outcome, **where), judged_pair(second, first, _OTHER[outcome], **where)]


def season(strengths, games: int, *, topics: int = 20, ties: float = 0.3, seed: int = 0) -> Games:
    """Games of random pairs with known natural strengths; `ties` is ν."""
    rng = np.random.default_rng(seed)
    strength = np.asarray(strengths, dtype=float)
    first = rng.integers(len(strength), size=games)
    second = (first + rng.integers(1, len(strength), size=games)) % len(strength)
    half = (strength[first] - strength[second]) / 2
    weights = np.stack([np.exp(-half), np.full(games, ties), np.exp(half)], axis=1)
    passed = rng.uniform(size=games)[:, None] > (weights / weights.sum(axis=1, keepdims=True)).cumsum(axis=1)
    outcome = passed.sum(axis=1).clip(0, 2) / 2
    names = tuple(f"p{place}" for place in range(len(strength)))
    return Games(names, first, second, outcome, group=rng.integers(topics, size=games))
