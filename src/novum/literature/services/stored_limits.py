"""What services said of their limits, on disk beside the response cache, so that the next process knows it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import orjson

from novum.files.atomic import atomic_path
from novum.files.inputs import read_plain
from novum.files.locks import brief_lock
from novum.files.private import make_private_folder
from novum.literature.services.service_budget import LONGEST_PERIOD, ServiceBudget
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
    under_way: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Requests of all processes that were sent and not yet answered: US dollars, and until when they count, by a random
    name."""

    def with_request(self, name: str, cost: float, until: float) -> StoredLimits:
        """The same, while another request is under way."""
        return replace(self, under_way={**self.under_way, name: (cost, until)})

    def without_request(self, name: str) -> StoredLimits:
        """The same, when the request has been answered or has failed."""
        return replace(self, under_way={each: one for each, one in self.under_way.items() if each != name})

    def at(self, now: float) -> StoredLimits:
        """The same, without requests of processes that must have ended."""
        return replace(self, under_way={name: one for name, one in self.under_way.items() if one[1] > now})


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
            found = orjson.loads(read_plain(self._file))
            budget = ServiceBudget(**found.pop("budget")) if found.get("budget") else None
            return _checked(StoredLimits(**{**found, "budget": budget}))
        except (OSError, ValueError, TypeError, AttributeError):
            return StoredLimits()

    def change(self, change: Callable[[StoredLimits], StoredLimits]) -> None:
        """Stores what `change` makes of the stored limits; no other process changes them meanwhile. Raises what it
        raises, and nothing where they cannot be stored."""
        with suppress(OSError):
            make_private_folder(self._file.parent)
        with brief_lock(self._file.with_suffix(".lock")):
            self.write(change(self.read()))

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
    under_way = {name: (float(cost), float(until)) for name, (cost, until) in limits.under_way.items()}
    until = min(limits.set_aside_until, limits.read_at + LONGEST_PERIOD)
    return replace(limits, under_way=under_way, set_aside_until=until)


_UNITS = ("USD", "requests")
