"""Registries: methods, judges, metrics and sources by their public names. A new one is one new file, or comes with
another package.

    methods = Registry[Method]("method", "novum.methods")

    @methods.register("chain-of-ideas")
    async def chain_of_ideas(…): …

The decorator registers the function under the name and returns it unchanged. Modules of the package in Novum
are imported when a name is first looked up. Other packages announce theirs under the entry-point group of the same
name.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from novum.errors import BadInput

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """`kind` is used in messages. `group` is the package in Novum, and the entry-point group of other packages."""

    def __init__(self, kind: str, group: str) -> None:
        self._kind = kind
        self._group = group
        self._things: dict[str, Thing] = {}
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
        """What is registered under a name. Raises BadInput with the nearest names when there is nothing."""
        self._load()
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
            for announced in entry_points(group=self._group):
                thing = announced.load()
                if announced.name not in self._things:  # its module may have registered it with the decorator
                    self.register(announced.name)(thing)
        except BaseException:  # Ctrl-C too: what was half loaded is loaded again at the next look-up
            self._complete = False
            raise
