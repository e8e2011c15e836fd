"""The settings of a data set of next-idea prediction. Each setting is described here only."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from novum.core.record import Value

Ratio = Annotated[float, Field(ge=0, le=0.5)]


class NextIdeaSettings(Value):
    """How target papers are chosen, and how their contexts are made."""

    categories: tuple[str, ...] = ()
    """Only targets of these fields; empty: of all."""
    since: dt.date | None = None
    """Only targets from this day on, after the end of the training data of the models that are to be trained. Earlier
    papers may be known to a model by heart."""
    before: dt.date | None = None
    targets: tuple[str, ...] = ()
    """Ids of papers in the library; empty: all that pass the other conditions."""
    most: Annotated[int, Field(ge=1, le=1_000_000)] = 1_000
    """At most so many targets, spread evenly over the library."""
    least_references: Annotated[int, Field(ge=1, le=1_000)] = 5
    """Targets with fewer usable references are skipped."""
    most_references: Annotated[int, Field(ge=1, le=200)] = 40
    """References of one target that are used, the latest first."""
    tokens: Annotated[int, Field(ge=256, le=1_000_000)] = 8_192
    """Limit of a context in tokens (Table A1)."""
    leak_similarity: Annotated[float, Field(gt=0, le=1)] = 0.95
    """Cosine of the embeddings of a reference's idea and the truth from which the reference is removed."""
    split: Literal["time", "row"] = "time"
    """`time`: validation and test targets are later than all training targets. `row`: rows are drawn, as in the
    released code; variants of one target then lie in several splits."""
    validation: Ratio = 0.1
    test: Ratio = 0.1
    variants: Annotated[int, Field(ge=1, le=50)] = 1
    """Contexts for each target; all but the first lack a part of the relations."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.2
    """Share of the relations that a variant lacks."""
    seed: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _training_targets_remain(self) -> Self:
        if self.validation + self.test > 0.8:
            raise ValueError("validation and test together leave too few training targets")
        return self
