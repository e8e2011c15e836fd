"""Judgements of a LiveIdeaBench run as columns: who judged which idea of whom, in which dimension, with what score."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]
Scores = NDArray[np.float64]

JUDGED = ("originality", "feasibility", "clarity", "fluency")
"""What judges give scores for, in the order of the column `dimension`; flexibility follows from them."""
FLUENCY = JUDGED.index("fluency")


@dataclass(frozen=True, eq=False)
class Judgements:
    """One row for each score that was asked for; all columns are equally long.

    `idea` numbers the ideas of one model and keyword from 0; for fluency, which compares ideas, it numbers the pairs.
    A score is NaN where the judge was asked and gave none: it is counted and never imputed. Raises ValueError when a
    column does not fit.
    """

    models: tuple[str, ...]
    keywords: tuple[str, ...]
    judges: tuple[str, ...]
    model: Indices
    keyword: Indices
    idea: Indices
    judge: Indices
    dimension: Indices
    score: Scores

    def __post_init__(self) -> None:
        ends = {
            "model": len(self.models),
            "keyword": len(self.keywords),
            "judge": len(self.judges),
            "dimension": len(JUDGED),
            "idea": np.iinfo(np.int32).max,
        }
        for name, end in ends.items():
            column = getattr(self, name)
            if column.shape != self.score.shape or column.ndim != 1:
                raise ValueError(f"the column {name} has the shape {column.shape}, the scores have {self.score.shape}")
            if column.size and not (column.min() >= 0 and column.max() < end):
                raise ValueError(f"the column {name} points outside its {end} names")
        if np.isinf(self.score).any():
            raise ValueError("a score is infinite")

    @cached_property
    def unit(self) -> Indices:
        """A number for each thing judged (idea, or pair of ideas), the same in all of its rows."""
        ideas = int(self.idea.max(initial=0)) + 1
        return (self.model * len(self.keywords) + self.keyword) * ideas + self.idea

    @cached_property
    def given(self) -> NDArray[np.bool_]:
        """Rows with a score."""
        return np.isfinite(self.score)

    def where(self, rows: NDArray[np.bool_]) -> Judgements:
        """Only some rows; the names stay."""
        columns = {each.name for each in fields(self)} - {"models", "keywords", "judges"}
        return replace(self, **{name: getattr(self, name)[rows] for name in columns})

    def of(self, dimension: int) -> Judgements:
        """The rows with a score in one dimension."""
        return self.where(self.given & (self.dimension == dimension))
