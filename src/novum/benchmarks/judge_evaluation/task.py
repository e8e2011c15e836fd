"""The task of an evaluation: reviewers, the papers of a data set, and the number of reports.

It is stored in the parameters of the run and read back when the run is resumed.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from novum.benchmarks.judge_evaluation.records import ReviewerKind
from novum.core.record import Value

MOST_REPORTS = 12
Split = Literal["test", "validation"]


class PromptedReviewer(Value):
    """A model that is prompted for reports: `provider:model`."""

    model: str
    kind: ReviewerKind
    """`model`, `trained` or `base`."""
    of: tuple[str, ...] = ()
    """For a base: the reviewers that were trained from it."""

    @property
    def key(self) -> tuple[str, str]:
        """Identifies the reviewer: one model may be prompted in two ways."""
        return self.kind, self.model


class ExpectedRatingReviewer(Value):
    """A model whose expected rating is computed from its token probabilities, without a report."""

    place: str
    """The folder of a trained model, or the name of a base."""
    name: str
    of: tuple[str, ...] = ()
    """For a base: the models that were trained from it."""


class JudgeEvaluationTask(Value):
    """What to evaluate. `data`: a folder made by `novum data build judge`."""

    data: str
    digest: str
    """Digest of the files that were read; a resumed run must find the same."""
    split: Split = "test"
    papers: Annotated[int | None, Field(ge=2)] = None
    """At most this many: those with the lowest hashes, which is a random choice."""
    idea_texts: bool = False
    """Reviewers see ideas without results instead of abstracts."""
    asked: tuple[PromptedReviewer, ...] = ()
    rated: tuple[ExpectedRatingReviewer, ...] = ()
    reports: Annotated[int, Field(ge=1, le=MOST_REPORTS)] = 3
    decider: str = ""
    """The model that decides on the reports. Empty: each prompted model itself, and none for trained reviewers."""
    compare_by: str = ""
    """The model that compares reports with real ones; empty: none."""
    seed: int = 0

    @property
    def models(self) -> tuple[str, ...]:
        """All models that will be called."""
        named = (*(each.model for each in self.asked), self.decider, self.compare_by)
        return tuple(dict.fromkeys(name for name in named if name))
