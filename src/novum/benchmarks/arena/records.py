"""The record of one arena: what took part, what was submitted, and how every comparison went."""

from __future__ import annotations

from typing import Literal

from pydantic import AliasChoices, ConfigDict, Field

from novum.core.account import Account
from novum.core.comparison import ArenaEntry, ComparisonKind, Entrant, JudgedPair
from novum.core.record import Value

ScheduleName = Literal["round-robin", "swiss", "adaptive"]


class ArenaRun(Value):
    """One arena, finished or stopped: the source of ratings, reports and match files."""

    model_config = ConfigDict(serialize_by_alias=True)

    name: str
    """Id of the run, or name of the file that it was read from."""
    topics: tuple[str, ...]
    papers: dict[str, str] = {}
    """Topic to the id of the paper that it was taken from, where there is one."""
    entrants: tuple[Entrant, ...]
    judges: tuple[str, ...]
    kinds: tuple[ComparisonKind, ...] = ("idea",)
    schedule: ScheduleName = "round-robin"
    seed: int = 0
    before: str = ""
    """ISO day; nothing published on or after it was read or cited. Empty: no limit."""
    began: str = ""
    """ISO 8601, UTC, as is `ended`."""
    ended: str = ""
    entries: tuple[ArenaEntry, ...] = ()
    judged_pairs: tuple[JudgedPair, ...] = Field(
        default=(), validation_alias=AliasChoices("judged_pairs", "bouts"), serialization_alias="bouts"
    )
    """Stored and exported as `bouts`."""
    stopped: str = ""
    """Why it is not complete; empty where it is."""
    notes: tuple[str, ...] = ()
    account: Account | None = None
    """None for a file that others made."""
