"""The record of one arena: what took part, what was submitted, and how every comparison went."""

from __future__ import annotations

from typing import Literal

from novum.core.account import Account
from novum.core.comparison import Entrant, Entry, JudgedPair, Kind
from novum.core.record import Value

Schedule = Literal["round-robin", "swiss", "adaptive"]


class ArenaRun(Value):
    """One arena, whole or stopped on the way: what ratings, reports and match files are made from."""

    name: str
    """Id of the run, or name of the file that it was read from."""
    topics: tuple[str, ...]
    papers: dict[str, str] = {}
    """Topic to the id of the paper that it was taken from, where there is one."""
    entrants: tuple[Entrant, ...]
    judges: tuple[str, ...]
    kinds: tuple[Kind, ...] = ("idea",)
    schedule: Schedule = "round-robin"
    seed: int = 0
    before: str = ""
    """ISO day; nothing published on or after it was read or cited. Empty: no limit."""
    began: str = ""
    """ISO 8601, UTC, as is `ended`."""
    ended: str = ""
    entries: tuple[Entry, ...] = ()
    bouts: tuple[JudgedPair, ...] = ()
    stopped: str = ""
    """Why it is not complete; empty where it is."""
    notes: tuple[str, ...] = ()
    account: Account | None = None
    """None for a file that others made."""
