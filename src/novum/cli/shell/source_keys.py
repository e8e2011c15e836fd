"""Which services of papers have a key in the environment."""

from __future__ import annotations

from novum.literature.sources import Source, key_of, sources


def all_sources() -> list[type[Source]]:
    """Every service that there is, in order of name."""
    return [sources.get(name) for name in sources.names()]


def source_keys() -> dict[str, str]:
    """All that are set, by the names of their variables."""
    found = [key_of(source) for source in all_sources()]
    return {one.name: one.key for one in found if one}
