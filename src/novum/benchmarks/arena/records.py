"""The record of one arena: what took part, what was submitted, and how every comparison went."""

from __future__ import annotations

from typing import Literal

from pydantic import AliasChoices, ConfigDict, Field

from novum.core.account import Account
from novum.core.comparison import ArenaEntry, ComparisonKind, Entrant, JudgedPair
from novum.core.record import Value

ScheduleName = Literal["round-robin", "reference", "swiss", "adaptive"]
StudyName = Literal["", "ablation", "length", "width", "quality"]
"""The study that an arena is; empty: none of them."""
IdeaForm = Literal["as-written", "cut", "restated"]
"""The form in which judges see ideas: as each method wrote them; the same parts, cut at the same number of words; or
restated by one model in the same parts and words."""


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
    protocol: str = ""
    """Name of the judging protocol; empty where a file does not say."""
    prompt_hashes: dict[str, str] = {}
    """SHA-256 of its prompts by name, where they are not part of Novum."""
    study: StudyName = ""
    form: IdeaForm = "as-written"
    words: int = 0
    """Most words of an idea that judges see, in the forms `cut` and `restated`."""
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
