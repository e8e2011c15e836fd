"""Which services of papers have a key in the environment. Keys are shown as far as one needs to recognise them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from novum.literature.sources import Source


@dataclass(frozen=True)
class SourceKey:
    """A key and the variable that holds it."""

    name: str
    key: str


def key_of(source: Source | type[Source], environment: Mapping[str, str] | None = None) -> SourceKey | None:
    """The key that a service would be asked with; None without one."""
    environment = os.environ if environment is None else environment
    named = (SourceKey(name, environment.get(name, "").strip()) for name in source.key_names)
    return next((one for one in named if one.key), None)


def all_sources() -> list[type[Source]]:
    """Every service that there is, in order of name."""
    from novum.literature.sources import sources

    return [sources.get(name) for name in sources.names()]


def source_keys() -> dict[str, str]:
    """All that are set, by the names of their variables."""
    found = [key_of(source) for source in all_sources()]
    return {one.name: one.key for one in found if one}
