"""What judges are validated on: texts that people rated, and pairs of them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from novum.core import Idea
from novum.core.record import Value

RUBRIC, REVIEW = "rubric", "review"
"""Ways of judging that give each text a score; all others are names of pairwise judges."""


class ValidatedText(Value):
    """A reviewed paper, or an idea that people scored, as judges see it."""

    idea: Idea
    group: str
    """Venue and year, or the data set: texts are compared within it alone."""
    people: float
    """The mean of people's ratings, in standard deviations from the mean of the group."""
    ratings: tuple[float, ...] = ()
    """Of each reviewer alone, on the scale of the group; empty where only the mean is known."""
    accepted: bool | None = None
    predicted: float | None = None
    """The predicted rating, by a model that has not seen the group."""


class JudgeValidationTask(Value):
    """Which judges judge which texts. `by`: `rubric`, `review`, or the name of a pairwise judge."""

    judges: Annotated[tuple[str, ...], Field(min_length=1)]
    """A panel of models, `provider:model`."""
    by: str
    outcome: str
    """Which of people's ratings: `rating`, or the name of a score."""
    texts: Annotated[tuple[ValidatedText, ...], Field(min_length=2)]
    pairs: tuple[tuple[int, int], ...] = ()
    """Places in `texts` of texts of one group on which people clearly differ."""
    sources: tuple[str, ...] = ()
    """Names of the files."""
    left_out: dict[str, int] = {}
    """Records that are not used, by reason."""
    seed: int = 0

    @property
    def is_pairwise(self) -> bool:
        """Whether the judges compare pairs; else they give each text a score."""
        return self.by not in {RUBRIC, REVIEW}
