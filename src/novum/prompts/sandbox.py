"""Prompts of a user's folder, which may have come from somebody else: they fill in text, and run nothing."""

from __future__ import annotations

from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel

_LARGEST = 1e9


class PromptSandbox(ImmutableSandboxedEnvironment):
    """Attributes of Python's own, methods of records and classes, and products are refused with SecurityError: they
    reach files, other programs and the memory of the machine."""

    intercepted_binops = frozenset({"*", "**"})

    def is_safe_callable(self, obj: Any) -> bool:
        """Records have methods that read files."""
        owner = getattr(obj, "__self__", None)
        return not isinstance(obj, type) and not isinstance(owner, type | BaseModel) and super().is_safe_callable(obj)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """A text times a number, and a power, may take all memory."""
        if operator != "*" or not all(isinstance(each, int | float) and abs(each) < _LARGEST for each in (left, right)):
            raise SecurityError(f"prompts use {operator} for two small numbers alone, and ** never")
        return left * right
