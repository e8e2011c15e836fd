"""What services said of their limits, on disk beside the response cache, so that the next process knows it."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from novum.files.atomic import atomic_path
from novum.files.private import make_private_folder
from novum.literature.services.service_budget import ServiceBudget
from novum.literature.sources.source import Source

_FOLDER = "limits"
_LARGEST = 10_000
"""Bytes."""


@dataclass(frozen=True)
class StoredLimits:
    """The limits of one service for one key, or for no key. Times are in seconds since 1970."""

    budget: ServiceBudget | None = None
    read_at: float = 0.0
    set_aside_until: float = 0.0
    """The service said itself that it answers nothing before."""
    reason: str = ""
    """Why it is set aside, as one line for people."""


class LimitsFile:
    """The file of one service and one key. The key itself is not written: the name of the file is a hash of it."""

    def __init__(self, folder: Path, source: Source, key: str) -> None:
        """`folder`: that of the stored responses."""
        who = orjson.dumps([source.name, source.address, key])
        self._file = folder / _FOLDER / f"{source.name}-{hashlib.blake2b(who, digest_size=12).hexdigest()}.json"

    def read(self) -> StoredLimits:
        """What is stored; empty when there is nothing that can be read."""
        try:
            if self._file.stat().st_size > _LARGEST:
                return StoredLimits()
            found = orjson.loads(self._file.read_bytes())
            budget = ServiceBudget(**found.pop("budget")) if found.get("budget") else None
            return _checked(StoredLimits(**{**found, "budget": budget}))
        except (OSError, ValueError, TypeError, AttributeError):
            return StoredLimits()

    def write(self, limits: StoredLimits) -> None:
        """Stores the limits. Where that is not possible, they are not stored."""
        with suppress(OSError):
            make_private_folder(self._file.parent)
            with atomic_path(self._file) as draft:
                draft.write_bytes(orjson.dumps(asdict(limits)))


def _checked(limits: StoredLimits) -> StoredLimits:
    """Raises TypeError for values that are no numbers, as in a file that somebody edited."""
    budget = limits.budget or ServiceBudget()
    numbers = (budget.limit, budget.remaining, budget.cost, budget.resets_at, limits.read_at, limits.set_aside_until)
    if not all(value is None or isinstance(value, int | float) for value in numbers) or budget.unit not in _UNITS:
        raise TypeError("no limits")
    return limits


_UNITS = ("USD", "requests")
