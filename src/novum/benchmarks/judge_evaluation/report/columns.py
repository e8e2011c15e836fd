"""An evaluation as columns with a row for each paper, NaN where a reviewer has no usable answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun, PaperReview, Reviewer
from novum.benchmarks.metric_validation.records import MIXED_FROM
from novum.core.arrays import Bools, Floats
from novum.statistics.weighted import Rows, has_both, rows_by_stratum


@dataclass(frozen=True)
class EvaluationColumns:
    """The columns of the papers."""

    run: JudgeEvaluationRun

    @cached_property
    def means(self) -> Floats:
        """Means of the real ratings."""
        return np.array([each.mean for each in self.run.papers])

    @cached_property
    def accepted(self) -> Floats:
        """1 for accepted, 0 for rejected, else NaN."""
        return _column([None if each.accepted is None else float(each.accepted) for each in self.run.papers])

    @cached_property
    def groups(self) -> NDArray[np.str_]:
        """Venue and year of each paper."""
        return np.array([each.group for each in self.run.papers])

    @cached_property
    def mixed(self) -> Bools:
        """Whether at least a tenth of the decided papers of its venue and year were accepted, and a tenth rejected."""
        return has_both(self.accepted, self.groups, MIXED_FROM)

    def strata(self, rows: Rows) -> list[Rows]:
        """The positions within `rows` of the papers of each venue and year."""
        return list(rows_by_stratum(self.groups[rows])) if len(rows) else []


@dataclass(frozen=True)
class ReviewerColumns:
    """The columns of one reviewer."""

    reviewer: Reviewer

    @property
    def reviews(self) -> Sequence[PaperReview | None]:
        """Its reviews in the order of the papers."""
        return self.reviewer.reviews

    @cached_property
    def rating(self) -> Floats:
        """Mean ratings."""
        return _column([each.rating if each else None for each in self.reviews])

    @cached_property
    def utility(self) -> Floats:
        """Utilities of the papers."""
        return _column([each.utility if each else None for each in self.reviews])

    @cached_property
    def accept(self) -> Floats:
        """Decisions: 1 to accept, 0 to reject."""
        return _column([float(each.accept) if each and each.accept is not None else None for each in self.reviews])

    @cached_property
    def against(self) -> Floats:
        """Targets of its ratings, where they are not the mean of all."""
        return _column([each.against if each else None for each in self.reviews])

    @cached_property
    def decides(self) -> bool:
        """Whether the reviewer gives utilities itself."""
        return bool(np.isfinite(self.utility).any())


def _column(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if each is None else each for each in values], dtype=np.float64)
