"""Settings of requests to models, made from the settings of the user and passed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from novum.llm.limits import Limits
from novum.llm.prices import Price
from novum.llm.providers import ModelName

Role = Literal["writer", "reader", "judge"]


@dataclass(frozen=True)
class ModelRoles:
    """Which model plays which role. `judges` is the panel; the role `judge` means its first member."""

    writer: ModelName
    reader: ModelName
    judges: tuple[ModelName, ...]

    def model_for(self, role: Role) -> ModelName:
        return {"writer": self.writer, "reader": self.reader, "judge": self.judges[0]}[role]

    def names(self) -> dict[str, str]:
        """Role to model name, as reports show them."""
        return {
            "writer": self.writer.short,
            "reader": self.reader.short,
            "judges": ", ".join(judge.short for judge in self.judges),
        }


@dataclass(frozen=True)
class CallSettings:
    """Settings of every call. `temperature` None: the provider's own."""

    temperature: float | None = 0.7
    max_tokens: int = 6000
    seed: int = 0
    deadline_seconds: float = 600.0
    token_probabilities: bool = False
    """Request the probability of each token of an answer. Not part of the key of a question: recorded answers are used
    as they are."""
    stall_seconds: float | None = None
    """Longest time without a byte of a response; None: as the pace of the server suggests."""


@dataclass(frozen=True)
class ModelSettings:
    """All settings of requests to models."""

    roles: ModelRoles
    calls: CallSettings = CallSettings()
    limits: Limits = field(default_factory=Limits)
    keys: Mapping[str, str] = field(default_factory=dict)
    """Environment variable name to key."""
    prices: Mapping[str, Price] = field(default_factory=dict)

    def limits_for(self, model: ModelName) -> Limits:
        """The limits of one model; calls in flight as its provider usually allows, unless they are set."""
        return replace(self.limits, in_flight=self.limits.in_flight or model.in_flight)
