"""What a user decides about data for a reviewer model."""

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
"""Where idea texts come from: nowhere, from the rules that drop sentences, or from an annotator model."""
RatingAt = Literal["end", "start", "none"]


class JudgeDataSettings(Value):
    """How a set is made."""

    tasks: Annotated[tuple[Task, ...], Field(min_length=1)] = TASKS
    ideas: Ideas = "none"
    """With `none`, idea tasks are left out."""
    cutoff: dt.date | None = None
    """Papers of this day or later are for testing. None: the beginning of the latest year from which on lies at least
    a tenth of the papers."""
    validation: Share = 0.05
    """Of the papers before the cut-off."""
    undated: Literal["drop", "train"] = "drop"
    """What becomes of papers of which not even the year is known."""
    withdrawn: bool = True
    """Whether reviews of withdrawn papers are learnt from. They are no decisions in either case."""
    rating_at: RatingAt = "end"
    """Where in a review its rating stands, on the one scale. At the start it survives cutting to a short length."""
    least_words: Annotated[int, Field(ge=1)] = 15
    """Of a review that is learnt from."""
    least_abstract: Annotated[int, Field(ge=1)] = 20
    """Words of an abstract, original or idea."""
    longest_review: Annotated[int, Field(ge=200)] = 12_000
    """Characters; what is longer is cut at a space, and told."""
    tries: Annotated[int, Field(ge=1, le=10)] = 3
    """Times that the annotator is asked for one text before it is left out."""
    most: Annotated[int, Field(ge=1)] | None = None
    """Papers at most: those whose hashed titles come first, which is no order at all."""
    max_lengths: Annotated[tuple[int, ...], Field(min_length=1)] = (1024, 2048, 4096, 8192)
    """Tokens for which packing is planned."""
    seed: int = 0
    """Of the draw of validation papers."""

    @property
    def wanted(self) -> tuple[Task, ...]:
        """The tasks that there are texts for."""
        return tuple(task for task in TASKS if task in self.tasks and (self.ideas != "none" or task not in IDEA_TASKS))
