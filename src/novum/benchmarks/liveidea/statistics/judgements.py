"""Judgements of a LiveIdeaBench run as columns: who judged which idea of whom, in which dimension, with what score."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from novum.core.arrays import Bools, Floats, Ints

JUDGED = ("originality", "feasibility", "clarity", "fluency")
"""The judged dimensions, in the order of the column `dimension`; flexibility follows from them."""
FLUENCY = JUDGED.index("fluency")


@dataclass(frozen=True, eq=False)
class Judgements:
    """One row for each requested score; all columns are equally long.

    `idea` numbers the ideas of one model and keyword from 0; for fluency, which compares ideas, it numbers the pairs.
    A requested score that was not given is NaN: it is counted and never imputed. Raises ValueError when a
    column does not fit.
    """

    models: tuple[str, ...]
    keywords: tuple[str, ...]
    judges: tuple[str, ...]
    model: Ints
    keyword: Ints
    idea: Ints
    judge: Ints
    dimension: Ints
    score: Floats

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
    def unit(self) -> Ints:
        """A number for each thing judged (idea, or pair of ideas), the same in all of its rows."""
        ideas = int(self.idea.max(initial=0)) + 1
        return (self.model * len(self.keywords) + self.keyword) * ideas + self.idea

    @cached_property
    def given(self) -> Bools:
        """Rows with a score."""
        return np.isfinite(self.score)

    def where(self, rows: Bools) -> Judgements:
        """Only some rows; the names stay."""
        columns = {each.name for each in fields(self)} - {"models", "keywords", "judges"}
        return replace(self, **{name: getattr(self, name)[rows] for name in columns})

    def of(self, dimension: int) -> Judgements:
        """The rows with a score in one dimension."""
        return self.where(self.given & (self.dimension == dimension))
