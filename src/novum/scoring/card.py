"""What a fitted model says of itself: what it learnt from, how, when, and how good it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from pydantic import JsonValue

from novum.core.record import Value
from novum.metrics.composite import CREATIVITY_WEIGHTS, SATISFACTION_WEIGHTS
from novum.scoring.settings import FitSettings

FORM = 1
"""Of the folder: one of another form is refused."""


class LearntFrom(Value):
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


class Card(Value):
    """`card.json` of a fitted model."""

    form: int = FORM
    settings: FitSettings
    made: dt.datetime
    learnt_from: LearntFrom
    embedder: str
    dimensions: int
    creativity_weights: Mapping[str, float] = CREATIVITY_WEIGHTS
    satisfaction_weights: Mapping[str, float] = SATISFACTION_WEIGHTS
    quality: Mapping[str, JsonValue] = {}
    """What was measured of its parts when it was fitted or tuned, by part."""
    sizes: Mapping[str, int] = {}

    @property
    def name(self) -> str:
        return self.settings.name
