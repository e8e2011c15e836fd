"""The card of a fitted model: training papers, settings, date, weights and quality."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue

from novum.core.record import Value
from novum.idea_metrics.composite import CREATIVITY_WEIGHTS, SATISFACTION_WEIGHTS
from novum.idea_metrics.settings import FitSettings

FORM = 2
"""Version of the format of the folder; another version is refused."""


def _not_all_zero(weights: Mapping[str, float]) -> Mapping[str, float]:
    if not any(weights.values()):
        raise ValueError("at least one weight must be above 0")
    return weights


Weights = Annotated[Mapping[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]], AfterValidator(_not_all_zero)]
"""Weights of parts by name, on any scale."""


class TrainingPapers(Value):
    """The papers that a model was fitted to."""

    papers: int
    """Number of papers with a title and an abstract or summary."""
    first_year: int | None
    last_year: int | None
    with_citations: int
    """Number of papers with a known citation count."""
    before: dt.date | None = None
    """Only papers that were public before this day."""
    fields: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()


class ModelCard(Value):
    """`card.json` of a fitted model."""

    form: int = FORM
    settings: FitSettings
    made: dt.datetime
    learnt_from: TrainingPapers
    embedder: str
    dimensions: Annotated[int, Field(ge=1, le=1_000_000)]
    creativity_weights: Weights = CREATIVITY_WEIGHTS
    satisfaction_weights: Weights = SATISFACTION_WEIGHTS
    quality: Mapping[str, JsonValue] = {}
    """Measurements of the fit or the tuning, by part."""
    sizes: Mapping[str, Annotated[int, Field(ge=0)]] = {}
    """Sizes of the fitted parts: `clusters`, `cited_papers`, `topics`, …; `settings` has the requested ones."""

    @property
    def name(self) -> str:
        return self.settings.name
