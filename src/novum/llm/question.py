"""One question to a model: which prompt, filled with what, expecting what back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from novum.llm.providers import ModelName
from novum.llm.schema import Answer
from novum.llm.settings import Role

Value = TypeVar("Value", bound="Answer | str")


@dataclass(frozen=True)
class Question(Generic[Value]):
    """`returns`: a subclass of `Answer`, or `str` for plain text. `sample` numbers repetitions of one question."""

    prompt: str
    needs: Mapping[str, object]
    returns: type[Value]
    role: Role | ModelName = "writer"
    sample: int = 0
    temperature: float | None = None
    """None: as configured. Judges and checks use 0."""


@dataclass(frozen=True)
class TypedAnswer(Generic[Value]):
    """An answer: the typed value, the model, its reasoning, the key of the call in the ledger, and its tokens where the
    server reports them.
    """

    value: Value
    model: ModelName
    reasoning: str
    key: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
