"""Methods that generate ideas: async functions from a topic to an `Ideation`, with a typed record of options.

class RagOptions(MethodOptions):
    papers: int = Field(8, ge=1, description="Papers in the writer's prompt")

@method("rag", RagOptions)
async def rag(lab: Lab, topic: Topic, options: RagOptions) -> Ideation:
    \"\"\"Retrieve, then generate.\"\"\"
"""

from __future__ import annotations

import datetime as dt
import difflib
import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from novum.core import Ideation, Topic
from novum.errors import BadInput
from novum.lab import Lab
from novum.methods.effort import EFFORT, LEVELS, has_effort, no_effort_note, with_effort
from novum.registry import Registry

FROM_OPPORTUNITIES = "from_opportunities"
"""The name of the option of methods that can start from opportunities."""


class MethodOptions(BaseModel):
    """Options that every method has. A field's description is its documentation everywhere."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    before: dt.date | None = Field(None, description="Nothing published on or after this day is read or cited")


Options = TypeVar("Options", bound=MethodOptions)
Generate = Callable[[Lab, Topic, Options], Awaitable[Ideation]]


@dataclass(frozen=True)
class Method:
    """A registered method."""

    name: str
    options: type[MethodOptions]
    generate: Callable[[Lab, Topic, Any], Awaitable[Ideation]]

    @property
    def doc(self) -> str:
        """The docstring of the function: what the method does, and its source."""
        return inspect.getdoc(self.generate) or ""

    def options_from(self, given: Mapping[str, Any]) -> MethodOptions:
        """Validate options; `effort` among them sets those that are not given. Raises BadInput that names the invalid
        option."""
        try:
            return self.options.model_validate(self._without_effort(given))
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"]) or "options"
            known = ", ".join(self.options.model_fields)
            if name == FROM_OPPORTUNITIES and first["type"] == "extra_forbidden":
                takers = [each for each in method_names() if name in get_method(each).options.model_fields]
                raise BadInput(
                    f"{self.name} does not start from opportunities. These do: {', '.join(takers)}."
                ) from error
            if first["type"] == "extra_forbidden":
                close = difflib.get_close_matches(name, self.options.model_fields, n=1)
                hint = f"Did you mean {close[0]}? " if close else ""
                raise BadInput(f"{self.name} has no option {name!r}. {hint}Its options are: {known}.") from error
            raise BadInput(
                f"{self.name}: option {name}: {first['msg'].lower()} (got {first['input']!r}). Its options are: "
                f"{known}."
            ) from error

    def _without_effort(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options with those of the effort in its place."""
        options = dict(given)
        effort = options.pop(EFFORT, "") if EFFORT not in self.options.model_fields else ""
        if not effort:
            return options
        if not has_effort(self.name):
            raise BadInput(no_effort_note(self.name))
        if effort not in LEVELS:
            raise BadInput(f"{self.name}: effort is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {effort!r}.")
        return with_effort(self.name, effort, options)


_methods: Registry[Method] = Registry("method", "novum.methods", lambda thing: isinstance(thing, Method))


def method(name: str, options: type[Options]) -> Callable[[Generate[Options]], Generate[Options]]:
    """Register a method under its public name. The decorated function stays as it is."""

    def enter(generate: Generate[Options]) -> Generate[Options]:
        _methods.register(name)(Method(name, options, generate))
        return generate

    return enter


def get_method(name: str) -> Method:
    """The method of that name. Raises BadInput with the nearest names when there is none."""
    return _methods.get(name)


def method_names() -> list[str]:
    """The names of all methods, built-in ones and those of other packages, sorted."""
    return _methods.names()
