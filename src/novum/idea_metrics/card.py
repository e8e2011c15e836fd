"""What a fitted model says of itself: what it learnt from, how, when, and how good it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue

from novum.core.record import Value
from novum.idea_metrics.composite import CREATIVITY_WEIGHTS, SATISFACTION_WEIGHTS
from novum.idea_metrics.settings import FitSettings

FORM = 2
"""Of the folder: one of another form is refused."""


def _something(weights: Mapping[str, float]) -> Mapping[str, float]:
    if not any(weights.values()):
        raise ValueError("one weight at least is above 0")
    return weights


Weights = Annotated[Mapping[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]], AfterValidator(_something)]
"""Of parts by name, in any unit."""


class TrainingPapers(Value):
    """The papers."""

    papers: int
    """With a title and an abstract or summary."""
    first_year: int | None
    last_year: int | None
    with_citations: int
    """Whose citation count is known."""
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
    """What was measured of its parts when it was fitted or tuned, by part."""
    sizes: Mapping[str, Annotated[int, Field(ge=0)]] = {}
    """How much each part came to hold: `clusters`, `cited_papers`, `topics`, …; what was asked for is in `settings`."""

    @property
    def name(self) -> str:
        return self.settings.name
