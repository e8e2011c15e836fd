"""Options that several commands share, as records.

A command takes a record as one keyword parameter, and its help shows an option for each field of the record.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, get_type_hints

from novum.cli.shell.options import (
    BaseUrl,
    BudgetCalls,
    BudgetTokens,
    BudgetUsd,
    Fresh,
    LiveSource,
    Prompts,
    Reader,
    Seed,
    check_address,
)

if TYPE_CHECKING:
    from novum.settings import LoadedSettings


@dataclass(frozen=True)
class ModelOptions:
    """How models are called, and what they may cost. `fresh`: answers of other runs are not used."""

    base_url: BaseUrl = None
    prompts: Prompts = None
    fresh: Fresh = False
    budget_usd: BudgetUsd = None
    budget_tokens: BudgetTokens = None
    budget_calls: BudgetCalls = None

    def settings(self, **others: object) -> LoadedSettings:
        """The settings with these options and `others`, which take precedence over files and the environment."""
        from novum.settings import load_settings  # noqa: PLC0415  loads the models, which the help does not need

        return load_settings({
            "base_url": self.base_url, "prompts": self.prompts, "budget_usd": self.budget_usd,
            "budget_tokens": self.budget_tokens, "budget_calls": self.budget_calls, **others,
        })  # fmt: skip


@dataclass(frozen=True)
class SeededOptions(ModelOptions):
    """The options of commands with random choices."""

    seed: Seed = None

    def settings(self, **others: object) -> LoadedSettings:
        """As `ModelOptions.settings`."""
        return super().settings(seed=self.seed, **others)


@dataclass(frozen=True)
class ResearchOptions(SeededOptions):
    """The options of commands that read literature: also the services that are searched, and the model that reads."""

    source: LiveSource = None
    reader: Reader = None

    def settings(self, **others: object) -> LoadedSettings:
        """As `ModelOptions.settings`. Raises BadInput for an address that no model uses."""
        settings = super().settings(sources=",".join(self.source or ()), reader=self.reader, **others)
        check_address(settings, self.base_url)
        return settings


def expand_option_groups(function: Callable[..., object]) -> Callable[..., object]:
    """`function` with a keyword parameter for each field of a record, in place of each parameter that takes one."""
    parameters = inspect.signature(function, eval_str=True).parameters.values()
    groups: dict[str, Any] = {each.name: each.annotation for each in parameters if is_dataclass(each.annotation)}
    if not groups:
        return function

    def call(**given: Any) -> object:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        return function(**given)

    expanded = [each for parameter in parameters for each in _expanded(parameter, groups)]
    setattr(call, "__signature__", inspect.Signature(expanded))  # noqa: B010  functions have any attribute
    call.__annotations__ = {each.name: each.annotation for each in expanded}
    call.__name__, call.__module__, call.__doc__ = function.__name__, function.__module__, function.__doc__
    return call


def _expanded(parameter: inspect.Parameter, groups: dict[str, Any]) -> Iterator[inspect.Parameter]:
    if parameter.name not in groups:
        yield parameter
        return
    group = groups[parameter.name]
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        yield inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
