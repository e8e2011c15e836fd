"""What importers read from files, before the library has made it its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from novum.core import Identifiers, Paper, Value

REGISTRIES = frozenset(Identifiers.model_fields)
"""Schemes that name a paper anywhere: doi, arxiv, s2, …"""


class Reference(NamedTuple):
    """One cited work as its source names it. Plain, for there are ten times as many of them as of papers.

    `scheme`: a registry (`doi`, `arxiv`, …), `paper` (an id of ours), `key` (a source's own key) or `title`.
    """

    scheme: str
    value: str

    @classmethod
    def read(cls, text: str, scope: str) -> Self:
        """`doi:10…`, `10…`, `paper-…`, `registry:number`, a key of the same file, or a title (three words or more)."""
        text = text.strip()
        scheme, colon, value = text.partition(":")
        if len(text.split()) >= _WORDS_OF_A_TITLE:
            return cls(scheme="title", value=text)
        if colon and scheme.lower() in REGISTRIES:
            return cls(scheme=scheme.lower(), value=clean_identifier(scheme.lower(), value))
        if _OUR_ID.fullmatch(text):
            return cls(scheme="paper", value=text)
        if _DOI.match(text):
            return cls(scheme="doi", value=clean_identifier("doi", text))
        return cls(scheme="key", value=scoped_key(text, scope))


_WORDS_OF_A_TITLE = 3
_OUR_ID = re.compile(r"paper-[0-9a-f]{16}")
_DOI = re.compile(r"(https?://(dx\.)?doi\.org/)?10\.\d{4,9}/", re.IGNORECASE)
_PREFIXES = re.compile(
    r"^(https?://(dx\.)?doi\.org/|doi:|https?://(www\.)?arxiv\.org/(abs|pdf)/|arxiv:|https?://openalex\.org/"
    r"|https?://(www\.)?aclanthology\.org/|https?://openreview\.net/forum\?id=|https?://dblp\.org/rec/)",
    re.IGNORECASE,
)
_ARXIV_VERSION = re.compile(r"(v\d+)?(\.pdf)?$")


def clean_identifier(scheme: str, value: str) -> str:
    """Without URL or scheme prefix; DOIs in lower case, arXiv ids without version, ACL ids without a final slash."""
    value = _PREFIXES.sub("", value.strip()).strip().rstrip("/")
    if scheme == "doi":
        return value.lower()
    return _ARXIV_VERSION.sub("", value) if scheme == "arxiv" else value


def scoped_key(key: str, scope: str) -> str:
    """A key of the form `registry:number` holds everywhere, a plain one only within its source `scope`."""
    return key if ":" in key else f"{scope}/{key}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One paper as read from a source, with the source's own key and its references as the source names them."""

    paper: Paper
    key: str = ""
    """From `scoped_key`; empty when the source has none."""
    references: tuple[Reference, ...] = ()
    full_text: str | None = None
    other_keys: tuple[str, ...] = ()
    """More keys under which its source has had it."""
    line: int = 0
    """Where it begins in its file, from 1; 0 when not from a file."""


class Reject(Value):
    """Something in a file that could not become a paper: `line` counts from 1, 0 where there are no lines."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        """As compilers say it."""
        return f"{self.file}:{self.line}: {self.reason}" if self.line else f"{self.file}: {self.reason}"


MOST_REJECTS = 200
"""Kept in a report, so that a bad file of a million lines costs no memory; all of them are in the rejects file."""


class ImportReport(Value):
    """What an import did. Every entry read is counted once: added, merged, unchanged or rejected."""

    source: str = ""
    added: int = 0
    merged: int = 0
    """Known papers of which something new was learnt."""
    unchanged: int = 0
    links: int = 0
    """New citation links, also between papers that had been there before."""
    waiting: int = 0
    """References in the whole library, after the import, to papers that it does not hold; they become links when these
    arrive."""
    rejected: int = 0
    """How many could not be taken in."""
    rejects: tuple[Reject, ...] = ()
    """The first of these, up to `MOST_REJECTS`."""

    @classmethod
    def of_rejects(cls, source: str, rejects: Sequence[Reject]) -> Self:
        """Of nothing else; with all of them, until it is added to another."""
        return cls(source=source, rejected=len(rejects), rejects=tuple(rejects))

    @property
    def read(self) -> int:
        """How many entries there were."""
        return self.added + self.merged + self.unchanged + self.rejected

    def __add__(self, other: ImportReport) -> ImportReport:
        """The report of both, one after the other."""
        return ImportReport(
            source=self.source or other.source,
            added=self.added + other.added,
            merged=self.merged + other.merged,
            unchanged=self.unchanged + other.unchanged,
            links=self.links + other.links,
            waiting=other.waiting,
            rejected=self.rejected + other.rejected,
            rejects=(self.rejects + other.rejects)[:MOST_REJECTS],
        )
