"""What is to be found out: which reviewers, on which papers of which set, asked how often.

It is all that a run's parameters hold beside its settings, and is read back from them when the run is taken up again.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from novum.benchmarks.judge_evaluation.records import ReviewerKind
from novum.core.record import Value

MOST_REPORTS = 12
Split = Literal["test", "validation"]


class AskedReviewer(Value):
    """A model that is asked for reports: `provider:model`."""

    model: str
    kind: ReviewerKind
    """`model`, `trained` or `base`."""
    of: tuple[str, ...] = ()
    """For a base: the models of the trained reviewers that were made from it."""

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from others: one model may be asked in two ways."""
        return self.kind, self.model


class RatedReviewer(Value):
    """A model that is not asked: the rating that it finds likeliest is worked out from its weights."""

    place: str
    """A folder of a trained model, or the name of a base."""
    name: str
    of: tuple[str, ...] = ()
    """For a base: the trained models that were made from it."""


class JudgeEvaluationTask(Value):
    """`data`: a folder made by `novum data build judge`."""

    data: str
    digest: str
    """Of what was read from it: a run that goes on must find the same."""
    split: Split = "test"
    papers: Annotated[int | None, Field(ge=2)] = None
    """At most: those whose hashes come first, which is no order at all."""
    idea_texts: bool = False
    """Reviewers are shown ideas without results instead of abstracts."""
    asked: tuple[AskedReviewer, ...] = ()
    rated: tuple[RatedReviewer, ...] = ()
    reports: Annotated[int, Field(ge=1, le=MOST_REPORTS)] = 3
    decider: str = ""
    """Who decides on the reports. Empty: a model on its own, and nobody on those of a trained reviewer."""
    compare_by: str = ""
    """Who compares reports with real ones; empty: nobody."""
    seed: int = 0

    @property
    def models(self) -> tuple[str, ...]:
        """All that will be asked."""
        named = (*(each.model for each in self.asked), self.decider, self.compare_by)
        return tuple(dict.fromkeys(name for name in named if name))
