"""What every scripted service has in common: requests, replies, and its pace."""

from __future__ import annotations

import datetime as dt
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tests.scripted_internet.literature import Literature

VALID_KEY = "scripted-key"
"""The key that services accept; every other is refused."""


@dataclass(frozen=True)
class Call:
    """A request, its path without the service's own beginning. `at`: seconds of a clock that only grows."""

    method: str
    path: str
    pairs: Sequence[tuple[str, str]]
    """Its parameters in order, also those given twice."""
    headers: Mapping[str, str]
    """With names in lower case."""
    body: bytes
    at: float
    length: int = 0
    """Characters of its address."""
    in_flight: int = 1
    """How many requests the service works on, this one included."""

    @property
    def query(self) -> dict[str, str]:
        """Its parameters; of one given twice the last."""
        return dict(self.pairs)


@dataclass(frozen=True)
class Reply:
    """What a service answers, and what the log says about it."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    kind: str = "other"
    """search, semantic, list, single, batch, references, citations or other."""
    words: str = ""
    """What was searched for."""
    cost: float = 0.0
    """US dollars."""
    about: tuple[int, ...] = ()
    """Numbers of the papers that the request names."""
    found: int = 0
    """Number of the papers in the answer."""


class Refused(Exception):
    """A request that a service does not answer. Carries the reply."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.body)
        self.reply = reply


@dataclass(frozen=True)
class Rules:
    """What a user of the scripted internet may set."""

    paced: bool = True
    """Whether requests that come too fast are refused."""
    valid_keys: frozenset[str] = frozenset({VALID_KEY})
    openalex_daily_usd: float = 0.01
    """Without a key."""
    openalex_daily_usd_with_key: float = 1.0
    semantic_search_usd: float = 0.001
    s2_served_without_key: int = 8
    """Of so many requests without a key, Semantic Scholar answers one."""
    arxiv_refusal_status: int = 200


class ScriptedService(ABC):
    """One service. Its answers depend on the request and on what was asked before, never on chance."""

    name: ClassVar[str]
    """As Novum's source is called."""
    seconds: ClassVar[tuple[float, float]]
    """The least and the most that a real answer usually takes."""
    prefixes: ClassVar[tuple[str, ...]] = ()
    """Beginnings of paths that may be left out."""

    def __init__(self, literature: Literature, rules: Rules) -> None:
        self.literature = literature
        self.corpus = literature.corpus
        self.rules = rules

    def reply(self, call: Call) -> Reply:
        """The answer to a request, also to one that is refused."""
        try:
            return self.answer(call)
        except Refused as refusal:
            return refusal.reply

    @abstractmethod
    def answer(self, call: Call) -> Reply:
        """Raises Refused."""

    def typical_seconds(self, call: Call) -> tuple[float, float]:
        """The least and the most that this request takes at a real service."""
        return self.seconds

    def yesterday(self, body: bytes) -> bytes:
        """An answer in a form that nobody reads any more."""
        return body.replace(b'"results"', b'"works"').replace(b'"data"', b'"papers"').replace(b'"items"', b'"entries"')

    def reset(self) -> None:  # noqa: B027 - most services remember nothing
        """Forgets what was asked and spent."""

    def published(self, paper: int) -> str:
        """The day of publication; the first of January where no more than the year is known."""
        day = self.corpus.date(paper)
        return f"{day.year}-01-01" if self.corpus.year_only[paper] else day.isoformat()


def as_json(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def whole_number(text: str | None, usual: int) -> int | None:
    """A parameter that should be a number: `usual` when it is not given, None when it is none."""
    if text is None:
        return usual
    return int(text) if text.lstrip("-").isdigit() else None


def day_of(text: str) -> dt.date | None:
    """A day; the first of a month or of a year that is all that is given. None for what is none."""
    parts = text.split("-")
    try:
        return dt.date(*(int(part) for part in [*parts, "1", "1"][:3]))
    except (ValueError, TypeError):
        return None
