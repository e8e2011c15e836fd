"""A source of papers: questions as requests, and how each answer is read. Pure; the client carries them out."""

from __future__ import annotations

import datetime as dt
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from novum.core import Paper, Value
from novum.literature.entry import Entry, Reject
from novum.registry import Registry


class Search(Value):
    """What is looked for."""

    text: str
    """Words or a sentence."""
    since: dt.date | None = None
    before: dt.date | None = None
    """Strict: public before this day."""
    fields: tuple[str, ...] = ()
    """Fields of science as the source names them; a source without fields leaves them out."""
    venues: tuple[str, ...] = ()
    """A source without venues leaves them out; OpenReview needs one."""
    limit: int = 100
    """How many papers are wanted in all; a source may use it to choose the size of its pages."""


@dataclass(frozen=True)
class Page:
    """One answer, read. What could not become a paper is among the rejects."""

    entries: tuple[Entry, ...] = ()
    rejects: tuple[Reject, ...] = ()
    next_request: Request | None = None
    """Asks for the next page; None at the end."""
    total: int | None = None
    """How many the source says there are, over all pages."""


@dataclass(frozen=True)
class Request:
    """One question to a service, without keys, which the client adds: requests and their cached answers are the same
    for everyone."""

    url: str
    """Absolute, beginning with the source's `address`."""
    read: Callable[[bytes], Page]
    """Reads the answer. Raises ValueError saying what is wrong with it."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    """JSON to POST; empty: GET."""
    when_missing: Page | None = field(default_factory=Page)
    """What it means when the service knows nothing of that name (404); None where that cannot be, unless the address is
    wrong."""


@dataclass(frozen=True)
class RateLimits:
    """How a service wants to be asked."""

    pause: float
    """Seconds between the beginnings of two requests."""
    pause_with_key: float
    """The same, for those who have a key."""
    at_once: int = 1
    """Requests in flight."""
    patience: float = 120.0
    """Seconds that may be spent waiting when it refuses (429, 5xx) before it is set aside."""


class Source(ABC):
    """One service. Subclasses answer with requests; what a service cannot do stays an empty list.

    `address` can be replaced, for a mirror or a test.
    """

    name: ClassVar[str]
    """As users write it: `semantic-scholar`."""
    title: ClassVar[str]
    """As people say it: `Semantic Scholar`."""
    home: ClassVar[str]
    """The service's usual address, without a final slash."""
    rate_limits: ClassVar[RateLimits]
    key_names: ClassVar[tuple[str, ...]] = ()
    """Environment variables that may hold a key, the first one preferred."""
    filters_by: ClassVar[frozenset[str]] = frozenset()
    """What of a search it keeps to, besides words and days: `fields`, `venues`."""
    has_references: ClassVar[bool] = False
    """Whether its papers come with what they cite."""

    def __init__(self, address: str = "") -> None:
        self.address = (address or self.home).rstrip("/")

    @abstractmethod
    def search(self, search: Search) -> Request:
        """The first page of what the service finds. Raises BadInput when it cannot be asked this way."""

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """Papers by (scheme, value) names, e.g. ("doi", "10.1/x"); names it does not know are left out."""
        return []

    def references(self, papers: Sequence[Paper]) -> list[Request]:
        """What these papers cite. The entries of the answers are the cited papers. Empty where references come with
        the papers themselves, or not at all."""
        return []

    def citations(self, papers: Sequence[Paper]) -> list[Request]:
        """What cites these papers: the entries of the answers are the citing papers, with their references."""
        return []

    def headers(self, key: str) -> dict[str, str]:
        """What a request carries; `key` is empty without one."""
        return {}

    def credentials(self, key: str, contact: str) -> dict[str, str]:
        """Parameters that a request carries besides its own; `contact`: the user's e-mail address or empty."""
        return {}


@dataclass(frozen=True)
class SourceKey:
    """The key of a service, and the environment variable that holds it."""

    name: str
    key: str


def key_of(source: Source | type[Source], environment: Mapping[str, str] | None = None) -> SourceKey | None:
    """The first key of a service that is set in the environment (the process's own by default); None without one.
    Blanks around it are removed: with a stray line break the service would refuse it."""
    environment = os.environ if environment is None else environment
    named = (SourceKey(name, environment.get(name, "").strip()) for name in source.key_names)
    return next((one for one in named if one.key), None)


sources: Registry[type[Source]] = Registry("source", "novum.literature.sources")
