"""Candidate pairs for opportunities, with their forecasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novum.core.arrays import Bools, Floats
from novum.core.opportunity import OpportunityKind
from novum.opportunities.score_bins import ScoreBins
from novum.opportunities.search.pair_properties import PairTable
from novum.opportunities.search.tables import SearchTables

Interval = tuple[float, float]


@dataclass(frozen=True, eq=False)
class CandidatePair:
    """A pair selected by a rule, with its forecast. For a transfer, `one` is the method and `through` the problem it
    was applied to; `rows`: papers that linked the two; `chance`: the uncalibrated probability, which also orders the
    likeliest pairs."""

    kind: OpportunityKind
    one: int
    other: int
    chance: float
    probability: float
    interval: Interval | None
    attention: float | None
    attention_interval: Interval | None
    unusual: float
    rows: tuple[int, ...] = ()
    through: int = -1

    @property
    def pair(self) -> tuple[int, int]:
        """The lower number first."""
        return min(self.one, self.other), max(self.one, self.other)


@dataclass(frozen=True, eq=False)
class Forecasts:
    """Forecasts of pairs, each of shape (pairs,); intervals have the shape (pairs, 2). `chance`: uncalibrated
    probability; `likely`: whether the probability is at least that of an average pair."""

    chance: Floats
    probability: Floats
    likely: Bools
    interval: Floats | None
    attention: Floats | None
    attention_interval: Floats | None

    def of(self, row: int) -> dict[str, Any]:
        """The forecast of one pair as fields of a `CandidatePair`."""
        return {
            "chance": float(self.chance[row]),
            "probability": float(self.probability[row]),
            "interval": _pair(self.interval, row),
            "attention": None if self.attention is None else float(self.attention[row]),
            "attention_interval": _pair(self.attention_interval, row),
        }


def forecast_pairs(tables: SearchTables, pairs: PairTable, *, inactive: bool = False) -> Forecasts:
    """Forecasts of pairs. `inactive`: for pairs that were linked long ago, whose probabilities are the observed shares
    of such pairs."""
    scores = tables.map.link_forecast.scores(pairs.table)
    score_bins = tables.map.score_bins[inactive]
    probability = (
        score_bins.chance(scores)
        if inactive and score_bins
        else tables.map.link_forecast.calibration.probability(scores)
    )
    interval = _bounds(score_bins, scores, probability) if score_bins else None
    attention = tables.map.attention.predict(pairs.table) if tables.map.attention and len(pairs) else None
    errors = tables.map.attention.errors if tables.map.attention else None
    around = None
    if attention is not None and errors:
        around = np.stack([np.clip(attention + error, 0, 1) for error in errors], axis=1)
        around = np.stack([np.minimum(around[:, 0], attention), np.maximum(around[:, 1], attention)], axis=1)
    likely = probability >= (score_bins.usual if score_bins else 0)
    return Forecasts(1 / (1 + np.exp(-scores)), probability, likely, interval, attention, around)


def _bounds(score_bins: ScoreBins, scores: Floats, probability: Floats) -> Floats:
    low, high = score_bins.bounds(scores)
    return np.stack([np.minimum(low, probability), np.maximum(high, probability)], axis=1)


def _pair(values: Floats | None, row: int) -> Interval | None:
    return None if values is None else (float(values[row, 0]), float(values[row, 1]))
