"""Scores of ideas by metrics that need no language model; what they need is loaded once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from novum.core import Idea
from novum.core.scorecard import PredictedRating, Scorecard
from novum.errors import BadInput
from novum.idea_metrics.model import FittedMetrics
from novum.idea_metrics.review_rating import RatingModel
from novum.idea_metrics.review_rating.storage import rating_model
from novum.idea_metrics.saved_models import DEFAULT, find_model_folder, load_model
from novum.idea_metrics.subject_rows import subject_of_row
from novum.literature import Embedder


@dataclass(frozen=True)
class IdeaScores:
    """The predicted rating of an idea, and its whole scorecard where metrics were fitted to the library."""

    rating: PredictedRating
    card: Scorecard | None
    unfitted: str = ""
    """Why there is no scorecard, and what to do."""


class Scoring:
    """Scores ideas with the fitted metrics in a folder, or with the rating model alone that comes with Novum."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._fitted: tuple[float, FittedMetrics] | None = None

    async def scores(self, idea: Idea, embedder: Embedder) -> IdeaScores:
        """The scores of one idea. Raises BadInput for a text without words."""
        subject = subject_of_row(idea.model_dump(mode="json"), idea.topic)
        if subject is None:
            raise BadInput("The idea has no text that could be scored.")
        try:
            model = await asyncio.to_thread(self._model, embedder)
        except BadInput as unfitted:
            [rating] = await asyncio.to_thread(self._rating.predict, [subject])
            return IdeaScores(rating, None, str(unfitted))
        [card] = await model.score([subject], explain=True)
        return IdeaScores(card.rating or PredictedRating(value=None, why="the model has none"), card)

    @cached_property
    def _rating(self) -> RatingModel:
        return rating_model(self._folder)

    def _model(self, embedder: Embedder) -> FittedMetrics:
        """Raises BadInput where no metrics were fitted. A model that was fitted anew is read anew."""
        changed = find_model_folder(DEFAULT, self._folder).stat().st_mtime
        if self._fitted is None or self._fitted[0] != changed:
            self._fitted = changed, load_model(DEFAULT, self._folder, embedder)
        return self._fitted[1]


def parts_of(card: Scorecard) -> Sequence[str]:
    """The names of the parts that are known, in the order of the card."""
    return [name for name, part in card.parts.items() if part.raw is not None]
