"""The tournament between the most promising seeds.

Rounds of a Swiss tournament, each pair in both orders. Several pairs share a request, and the two orders are always in
different requests, so that a judge cannot make them agree. A preference that changes with the order is a tie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field, field_validator

from novum.core import Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.llm import Answer, Question, listed, one_each, prose
from novum.methods.portfolio.options import NAME, PortfolioOptions
from novum.methods.portfolio.screening import ScreenedSeed
from novum.reports.phrases import count
from novum.statistics.tournament import Standings, swiss_round

Pair = tuple[int, int]
"""Two seeds by their places."""
_POINTS = {"A": 1.0, "B": 0.0, "tie": 0.5}
_EVEN = 0.5


class SeedChoice(Answer):
    """The decision on one pair, the reason first."""

    number: int = Field(description="number of the pair", ge=1)
    reason: str = prose(240, "one sentence naming what decides it")
    better: Literal["A", "B", "tie"]


class SeedChoices(Answer):
    """The answer to `portfolio_compare`."""

    choices: list[SeedChoice] = listed(8, "one for each pair, in the order of the list", least=1)

    _once = field_validator("choices")(one_each)


@dataclass(frozen=True)
class RankedSeed:
    """A seed after the tournament. `win_rate`: share of its comparisons won; None without a comparison."""

    screened: ScreenedSeed
    win_rate: float | None = None


async def rank_seeds(
    lab: Lab, topic: Topic, options: PortfolioOptions, seeds: Sequence[ScreenedSeed], notes: list[str]
) -> list[RankedSeed]:
    """The seeds, best first: those of the tournament by win rate and promise, then the others by promise. Equal ones
    keep the given order."""
    promising = sorted(seeds, key=lambda each: -(each.promise or 0))
    contenders, others = promising[: options.contenders], promising[options.contenders :]
    standings = Standings.at_start(len(contenders))
    draws = np.random.default_rng(lab.rng(f"{NAME}, tournament").getrandbits(64))
    lost = 0
    for number in range(1, min(options.tournament_rounds, _until_all_met(len(contenders))) + 1):
        paired = swiss_round(standings, draws)
        with lab.run.step(f"round {number}"):
            scores = await _compare(lab, topic, contenders, paired.pairs, options.pairs)
        lost += sum(score is None for score in scores)
        standings = standings.after(paired, scores)
    if lost:
        notes.append(f"{count(lost, 'comparison')} between seeds had no usable answer.")
    played = standings.played.tolist()
    rates = [points / of if of else None for points, of in zip(standings.points.tolist(), played, strict=True)]
    ranked = [RankedSeed(seed, rate) for seed, rate in zip(contenders, rates, strict=True)]
    return [*sorted(ranked, key=lambda each: (-_rate(each), -(each.screened.promise or 0))), *map(RankedSeed, others)]


def _rate(each: RankedSeed) -> float:
    return _EVEN if each.win_rate is None else each.win_rate


def _until_all_met(count: int) -> int:
    """Rounds after which all have met all: with an odd number one sits out in each."""
    return 0 if count < 2 else count - 1 + count % 2


async def _compare(
    lab: Lab, topic: Topic, seeds: Sequence[ScreenedSeed], pairs: Sequence[Pair], at_once: int
) -> list[float | None]:
    """The points of the first seed of each pair, 0 to 1; None where an order has no usable answer."""
    groups = [pairs[at : at + at_once] for at in range(0, len(pairs), at_once)]
    swapped = [[(other, one) for one, other in group] for group in groups]
    answers = await run_concurrently(_judged(lab, topic, seeds, group) for group in (*groups, *swapped))
    scores: list[float | None] = []
    for group, there, back in zip(groups, answers[: len(groups)], answers[len(groups) :], strict=True):
        scores += [_points(there.get(number), back.get(number)) for number in range(1, len(group) + 1)]
    return scores


def _points(there: float | None, back: float | None) -> float | None:
    """Points of the first of a pair, by its points as A and by those of its rival as A: half where the two differ."""
    if there is None or back is None:
        return None
    return there if there == 1.0 - back else _EVEN


async def _judged(lab: Lab, topic: Topic, seeds: Sequence[ScreenedSeed], pairs: Sequence[Pair]) -> Mapping[int, float]:
    """By the number of a pair, from 1, the points of its first seed; pairs without a usable answer are missing."""
    shown = [
        {"number": number, "a": _shown(seeds[one]), "b": _shown(seeds[other])}
        for number, (one, other) in enumerate(pairs, 1)
    ]
    needs = {"topic": topic.text, "pairs": shown}
    try:
        answer = await lab.models.ask(Question("portfolio_compare", needs, SeedChoices, role="judge", temperature=0.0))
    except NoUsableAnswer:
        return {}
    return {each.number: _POINTS[each.better] for each in answer.choices}


def _shown(each: ScreenedSeed) -> dict[str, str]:
    seed = each.seed
    parts = {name: getattr(seed, name) for name in ("title", "problem", "mechanism", "test")}
    return {**parts, "finding": each.finding}
