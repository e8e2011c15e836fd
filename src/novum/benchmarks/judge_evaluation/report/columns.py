"""An evaluation as columns: one row a paper, NaN where a reviewer said nothing usable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun, PaperReview, Reviewer
from novum.statistics.strata import rows_by_stratum
from novum.statistics.weighted_ranks import Floats, Rows


@dataclass(frozen=True)
class Papers:
    """What became of them."""

    run: JudgeEvaluationRun

    @cached_property
    def means(self) -> Floats:
        """Of the real ratings."""
        return np.array([each.mean for each in self.run.papers])

    @cached_property
    def accepted(self) -> Floats:
        """1 or 0; NaN where neither."""
        return _column([None if each.accepted is None else float(each.accepted) for each in self.run.papers])

    @cached_property
    def groups(self) -> NDArray[np.str_]:
        """Venue and year."""
        return np.array([each.group for each in self.run.papers])

    def strata(self, rows: Rows) -> list[Rows]:
        """Places within `rows` of each venue and year."""
        return list(rows_by_stratum(self.groups[rows])) if len(rows) else []


@dataclass(frozen=True)
class Said:
    """One reviewer's columns."""

    reviewer: Reviewer

    @property
    def reviews(self) -> Sequence[PaperReview | None]:
        """In the order of the papers."""
        return self.reviewer.reviews

    @cached_property
    def rating(self) -> Floats:
        """Mean of its ratings."""
        return _column([each.rating if each else None for each in self.reviews])

    @cached_property
    def utility(self) -> Floats:
        """What it puts a paper's worth at."""
        return _column([each.utility if each else None for each in self.reviews])

    @cached_property
    def accept(self) -> Floats:
        """1 or 0."""
        return _column([float(each.accept) if each and each.accept is not None else None for each in self.reviews])

    @cached_property
    def against(self) -> Floats:
        """What its rating is held against where that is not the mean of all."""
        return _column([each.against if each else None for each in self.reviews])

    @cached_property
    def decides(self) -> bool:
        """Whether it says utilities itself."""
        return bool(np.isfinite(self.utility).any())


def _column(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if each is None else each for each in values], dtype=np.float64)
