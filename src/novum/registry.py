"""Registries: methods, judges, metrics and sources by their public names. A new one is one new file, or comes with
another package.

    methods = Registry[Method]("method", "novum.methods")

    @methods.register("chain-of-ideas")
    async def chain_of_ideas(…): …

The decorator registers the function under the name and returns it unchanged. Modules of the package in Novum
are imported when a name is first looked up. Other packages announce theirs under the entry-point group of the same
name; what of them cannot be used is left out, and refused with the reason when it is asked for.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from novum.errors import BadInput

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Announced:
    """What other packages announce in one entry-point group, by name. `unusable`: the reason, in a sentence."""

    things: dict[str, Any] = field(default_factory=dict)
    unusable: dict[str, str] = field(default_factory=dict)


GROUPS = (
    "novum.methods", "novum.judges", "novum.literature.sources", "novum.idea_metrics", "novum.run_kinds",
    "novum.prompts",
)  # fmt: skip
"""Entry-point groups. That of prompts names packages with prompt files, the others name objects."""


def load_entry(entry: EntryPoint) -> Any:
    """What an entry point names: an object, or the folder of a package with prompts. Raises whatever its code does."""
    return resources.files(entry.value) if entry.group == "novum.prompts" else entry.load()


def announced_by_packages(group: str, accepts: Callable[[Any], bool] = lambda _: True) -> Announced:
    """What other packages announce. What cannot be loaded, or is not what the group is for, affects nothing else."""
    found = Announced()
    for each in entry_points(group=group):
        try:
            thing = load_entry(each)
        except (Exception, SystemExit) as error:  # code of another package may raise anything
            found.unusable[each.name] = _unusable(each, f"{type(error).__name__}: {error}")
        else:
            if accepts(thing):
                found.things[each.name] = thing
            else:
                found.unusable[each.name] = _unusable(
                    each, f"{each.value} is a {type(thing).__name__}, not for {group}"
                )
    return found


def _unusable(entry: EntryPoint, why: str) -> str:
    package = f"the package {entry.dist.name}" if entry.dist else "another package"
    return f"{entry.name!r} of {package} cannot be used ({why}). Repair or remove that package."


class Registry(Generic[Thing]):
    """`kind` is used in messages. `group` is the package in Novum, and the entry-point group of other packages.
    `accepts`: whether what another package announces is of this kind."""

    def __init__(self, kind: str, group: str, accepts: Callable[[Any], bool] = callable) -> None:
        self._kind = kind
        self._group = group
        self._accepts = accepts
        self._things: dict[str, Thing] = {}
        self._unusable: dict[str, str] = {}
        self._complete = False

    def register(self, name: str) -> Callable[[Thing], Thing]:
        """Registers something under `name`. Raises ValueError when the name is taken by something else."""

        def enter(thing: Thing) -> Thing:
            if self._things.get(name, thing) is not thing:
                raise ValueError(f"There are two {self._kind}s named {name!r}.")
            self._things[name] = thing
            return thing

        return enter

    def get(self, name: str) -> Thing:
        """What is registered under a name. Raises BadInput with the nearest names when there is nothing, and with
        the reason for what another package announces and cannot be used."""
        self._load()
        if name not in self._things and name in self._unusable:
            raise BadInput(f"The {self._kind} {self._unusable[name]}")
        if name not in self._things:
            begun = [known for known in self.names() if name and known.startswith(name)]
            close = begun[:3] or difflib.get_close_matches(name, self._things, n=3)
            hint = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(self.names())}."
            raise BadInput(f"There is no {self._kind} {name!r}. {hint}")
        return self._things[name]

    def names(self) -> list[str]:
        """All names, sorted."""
        self._load()
        return sorted(self._things)

    def _load(self) -> None:
        """Imports everything, once. A module that looks up a name meanwhile sees those registered so far."""
        if self._complete:
            return
        self._complete = True
        try:
            package = importlib.import_module(self._group)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self._group}.{module.name}")
            announced = announced_by_packages(self._group, accepts=self._accepts)
            self._unusable = announced.unusable
            for name, thing in announced.things.items():
                if name not in self._things:  # its module may have registered it with the decorator
                    self.register(name)(thing)
        except BaseException:  # Ctrl-C too: what was half loaded is loaded again at the next look-up
            self._complete = False
            raise
