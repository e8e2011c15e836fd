"""The settings of a data set for reviewer models."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field

from novum.core.record import Value
from novum.core.scorecard import Share

Task = Literal["original-review", "idea-review", "original-abstract", "idea-abstract"]
TASKS: tuple[Task, ...] = ("original-review", "idea-review", "original-abstract", "idea-abstract")
IDEA_TASKS = frozenset[Task]({"idea-review", "idea-abstract"})
Ideas = Literal["none", "rules", "model"]
"""Source of idea texts: none, rules that drop sentences, or an annotator model."""
RatingAt = Literal["end", "start", "none"]


class JudgeDataSettings(Value):
    """How the data set is made."""

    tasks: Annotated[tuple[Task, ...], Field(min_length=1)] = TASKS
    ideas: Ideas = "none"
    """With `none`, idea tasks are omitted."""
    cutoff: dt.date | None = None
    """Papers of this date or later are test papers. None: January 1 of the latest year that leaves at least a tenth of
    the papers for testing."""
    validation: Share = 0.05
    """Share of the papers before the cut-off."""
    undated: Literal["drop", "train"] = "drop"
    """What to do with papers without a year."""
    withdrawn: bool = True
    """Whether reviews of withdrawn papers are used. Withdrawals are never decisions."""
    rating_at: RatingAt = "end"
    """Position of the rating in a review. At the start it survives cutting to a short length."""
    least_words: Annotated[int, Field(ge=1)] = 15
    """Least number of words of a review."""
    least_abstract: Annotated[int, Field(ge=1)] = 20
    """Least number of words of an abstract, original or idea."""
    longest_review: Annotated[int, Field(ge=200)] = 12_000
    """Longest review in characters; longer ones are cut at a space and counted."""
    tries: Annotated[int, Field(ge=1, le=10)] = 3
    """Attempts of the annotator for one text."""
    most: Annotated[int, Field(ge=1)] | None = None
    """Largest number of papers, taken in the order of the hashes of their titles, which is random."""
    max_lengths: Annotated[tuple[int, ...], Field(min_length=1)] = (1024, 2048, 4096, 8192)
    """Sequence lengths in tokens for which packing is planned."""
    seed: int = 0
    """Seed for sampling validation papers."""

    @property
    def available_tasks(self) -> tuple[Task, ...]:
        """The tasks for which there are texts."""
        return tuple(task for task in TASKS if task in self.tasks and (self.ideas != "none" or task not in IDEA_TASKS))
