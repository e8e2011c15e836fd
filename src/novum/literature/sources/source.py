"""The interface of a source of papers: it makes requests and parses responses. `SourceClient` sends the requests."""

from __future__ import annotations

import datetime as dt
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from novum.core import Paper, Value
from novum.credentials.redaction import register_secrets
from novum.literature.entry import Entry, Reject
from novum.registry import Registry


class Search(Value):
    """A search for papers."""

    text: str
    """Words or a sentence."""
    since: dt.date | None = None
    before: dt.date | None = None
    """Only papers that were public before this day."""
    fields: tuple[str, ...] = ()
    """Fields of science as the source names them; ignored by sources that cannot filter by field."""
    venues: tuple[str, ...] = ()
    """Ignored by sources that cannot filter by venue; OpenReview needs one."""
    limit: int = 100
    """Number of papers wanted in all; a source may choose the size of its pages by it."""


@dataclass(frozen=True)
class Page:
    """A parsed response. Records that are no usable paper are among the rejects."""

    entries: tuple[Entry, ...] = ()
    rejects: tuple[Reject, ...] = ()
    next_request: Request | None = None
    """The request for the next page; None for the last page."""
    total: int | None = None
    """Number of results over all pages, as the source says."""


@dataclass(frozen=True)
class Request:
    """A request to a service, without keys, which the client adds: so the requests and stored responses of all users
    are the same."""

    url: str
    """Absolute, beginning with the source's `address`."""
    read: Callable[[bytes], Page]
    """Parses the response. Raises ValueError with what is wrong with it."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    """JSON to POST; empty: GET."""
    when_missing: Page | None = field(default_factory=Page)
    """The page for a response 404; None when only a wrong address can be the reason."""
    instead: Request | None = None
    """The request to send when the service cannot answer this one (400, or a kind of search that is not open to us)."""


@dataclass(frozen=True)
class RateLimits:
    """The pace that a service asks for."""

    pause: float
    """Seconds between the starts of two requests."""
    pause_with_key: float
    """The same, with a key."""
    at_once: int = 1
    """Number of requests at the same time."""
    patience: float = 120.0
    """Seconds of waiting for a service that refuses requests (429, 5xx) before a request fails."""
    patience_without_key: float | None = None
    """The same without a key, where that is seldom worth waiting for; None: no difference."""
    pause_with_contact: float | None = None
    """Seconds between two requests of a user without key who gives an e-mail address; None: no difference."""
    at_once_with_contact: int | None = None
    """Number of requests at the same time of a user who gives an e-mail address; None: no difference."""
    set_aside: float = 240.0
    """Seconds without requests after three failures in a row, when the service names no time itself."""

    def pace(self, *, key: bool, contact: bool) -> float:
        """Seconds between the starts of two requests."""
        if key:
            return self.pause_with_key
        return self.pause if self.pause_with_contact is None or not contact else self.pause_with_contact

    def width(self, *, contact: bool) -> int:
        """Number of requests at the same time."""
        return self.at_once if self.at_once_with_contact is None or not contact else self.at_once_with_contact

    def patience_of(self, *, key: bool) -> float:
        """Seconds for which a request may wait."""
        return self.patience if key or self.patience_without_key is None else self.patience_without_key


class NotDataError(ValueError):
    """Raised by `Request.read` for a response that is not in the format of the service, such as a web page."""


class TooManyRequests(ValueError):
    """Raised by `Request.read` for a response that is a refusal although its status is 200. The message is the
    service's own."""


class Source(ABC):
    """A service. Subclasses return requests; an empty list means that the service cannot do this.

    `address`: of a mirror or a test server, by default `home`.
    """

    name: ClassVar[str]
    """In commands and settings: `semantic-scholar`."""
    title: ClassVar[str]
    """In messages: `Semantic Scholar`."""
    home: ClassVar[str]
    """The service's usual address, without a final slash."""
    rate_limits: ClassVar[RateLimits]
    key_names: ClassVar[tuple[str, ...]] = ()
    """Environment variables that may hold a key, in order of preference."""
    filters_by: ClassVar[frozenset[str]] = frozenset()
    """Which filters of a search it supports besides words and dates: `fields`, `venues`."""
    has_references: ClassVar[bool] = False
    """Whether its papers come with their references."""
    covers: ClassVar[frozenset[str]] = frozenset()
    """The fields of science that a service for some fields covers, in lower case, as OpenAlex and Semantic Scholar name
    them; empty: all."""
    key_page: ClassVar[str] = ""
    """The address of the page where a key can be had."""
    key_offer: ClassVar[str] = ""
    """What a key costs and gives, in a few words: `free, for ten times as many searches`."""
    wants_contact: ClassVar[bool] = False
    """Whether it answers users faster who give an e-mail address."""
    terms: ClassVar[str] = ""
    """What it allows and costs with and without a key, in a sentence for people."""

    def __init__(self, address: str = "") -> None:
        self.address = (address or self.home).rstrip("/")

    @abstractmethod
    def search(self, search: Search) -> Request:
        """The request for the first page of results. Raises BadInput when the service cannot make this search."""

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """Requests for papers by (scheme, value), such as ("doi", "10.1/x"); unknown schemes are ignored."""
        return []

    def fetch_free(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """The same where `fetch` costs money, by requests that cost none; more of them, and slower. Empty where that is
        not possible."""
        return []

    def references(self, papers: Sequence[Paper]) -> list[Request]:
        """Requests for what these papers cite: the entries are the cited papers. Empty when references come with the
        papers, or not at all."""
        return []

    def citations(self, papers: Sequence[Paper], *, topic: str = "") -> list[Request]:
        """Requests for what cites these papers: the entries are the citing papers, with their references.

        `topic`: words or a text; a source that can gives the citing papers that fit it best first.
        """
        return []

    def cost(self, request: Request) -> float:
        """The price of a request in US dollars, taken from what the service grants for free; 0 where nothing counts."""
        return 0.0

    def headers(self, key: str) -> dict[str, str]:
        """Headers of a request; `key` is empty when there is none."""
        return {}

    def sign_in(self, environment: Mapping[str, str]) -> SignIn | None:
        """How to get a key for the user name and the password in the environment; None without them, and for services
        that have no passwords."""
        return None

    def credentials(self, key: str, contact: str) -> dict[str, str]:
        """Additional parameters of a request; `contact`: the user's e-mail address or empty."""
        return {}


@dataclass(frozen=True)
class SignIn:
    """What a service wants to know before it gives a key."""

    url: str
    body: bytes = field(repr=False)
    """JSON with the password. It is sent to `url` alone and never stored."""
    read: Callable[[bytes], str]
    """The key in the response. Raises ValueError with what is wrong, in a few words."""
    names: tuple[str, ...]
    """The environment variables that hold user name and password."""


@dataclass(frozen=True)
class SourceKey:
    """The key of a service, and the environment variable that holds it."""

    name: str
    key: str


def key_of(source: Source | type[Source], environment: Mapping[str, str] | None = None) -> SourceKey | None:
    """The first key of a service that is set in the environment (the process's own by default); None without one.
    Blanks around it are removed: with a stray line break the service would refuse it."""
    environment = os.environ if environment is None else environment
    named = [SourceKey(name, environment.get(name, "").strip()) for name in source.key_names]
    register_secrets(*(one.key for one in named))
    return next((one for one in named if one.key), None)


sources: Registry[type[Source]] = Registry(
    "source", "novum.literature.sources", lambda thing: isinstance(thing, type) and issubclass(thing, Source)
)
