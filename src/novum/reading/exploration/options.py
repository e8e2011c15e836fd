"""How far an exploration goes."""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from novum.errors import BadInput


class ExploreOptions(BaseModel):
    """Options of `novum explore`. A field's description is its documentation everywhere."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    before: dt.date | None = Field(None, description="Nothing published on or after this day is read or cited")
    rounds: int = Field(4, ge=1, le=10, description="Turns of searching and reading at most")
    snippets: int = Field(5, ge=1, le=100, description="Evidence snippets that are enough")
    coverage: int = Field(3, ge=1, le=50, description="Papers that the evidence must come from to be enough")
    outcome: bool = Field(
        True, description="Enough is only what reports a result or a limitation too, or a round that found none"
    )
    score: int = Field(6, ge=1, le=10, description="Relevance, 1 to 10, from which on a passage is evidence")
    queries: int = Field(3, ge=1, le=10, description="Queries in a round at most")
    papers: int = Field(10, ge=1, le=100, description="Papers looked at for each query")
    passages: int = Field(12, ge=1, le=200, description="Passages read in a round")
    characters: int = Field(1200, ge=200, le=8000, description="Length of a passage, characters")
    overlap: int = Field(200, ge=0, le=4000, description="Characters that neighbouring passages share")
    balance: float = Field(
        0.7, ge=0, le=1, description="Weight of relevance against diversity in the order of the evidence (λ of MMR)"
    )
    shown: int = Field(12, ge=1, le=60, description="Evidence snippets that an answer is written from")
    judge: Literal["auto", "reader", "similarity"] = Field(
        "auto",
        description="Who judges passages: the reader model, or their similarity to the question alone (no calls); "
        "auto: the reader, unless it is the small offline model",
    )
    prospects: bool = Field(False, description="Also list the open problems and concepts that the evidence shows")

    @model_validator(mode="after")
    def _moves_on(self) -> Self:
        if self.overlap > self.characters // 2:
            raise ValueError(f"overlap must be at most half of characters ({self.characters // 2})")
        return self

    @classmethod
    def from_given(cls, given: Mapping[str, Any]) -> Self:
        """Options with what was given filled in. Raises BadInput naming the option at fault."""
        try:
            return cls.model_validate(dict(given))
        except ValidationError as error:
            first = error.errors()[0]
            name, known = ".".join(map(str, first["loc"])), ", ".join(cls.model_fields)
            if first["type"] == "extra_forbidden":
                close = difflib.get_close_matches(name, cls.model_fields, n=1)
                hint = f"Did you mean {close[0]}? " if close else ""
                raise BadInput(f"An exploration has no option {name!r}. {hint}Its options are: {known}.") from error
            reason = first["msg"].removeprefix("Value error, ").lower()
            place = f"option {name}: {reason} (got {first['input']!r})" if name else reason
            raise BadInput(f"The exploration cannot be done so: {place}. Its options are: {known}.") from error
