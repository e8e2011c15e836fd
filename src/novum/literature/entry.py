"""What parsers read from files and responses: entries and rejects, and the report of an import."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from novum.core import Identifiers, Paper, Value

REGISTRIES = frozenset(Identifiers.model_fields)
"""Schemes whose identifiers are valid everywhere: doi, arxiv, s2, …"""


class Reference(NamedTuple):
    """One cited work as its source names it. Plain, for there are ten times as many of them as of papers.

    `scheme`: a registry (`doi`, `arxiv`, …), `paper` (an id of ours), `key` (a source's own key) or `title`.
    """

    scheme: str
    value: str

    @classmethod
    def read(cls, text: str, scope: str) -> Self:
        """`doi:10…`, `10…`, `paper-…`, `registry:number`, a page of PubMed, a key of the same file, or a title (three
        words or more)."""
        text = text.strip()
        scheme, colon, value = text.partition(":")
        if len(text.split()) >= _WORDS_OF_A_TITLE:
            return cls(scheme="title", value=text)
        if colon and scheme.lower() in REGISTRIES and (name := clean_identifier(scheme.lower(), value)):
            return cls(scheme=scheme.lower(), value=name)
        if _OUR_ID.fullmatch(text):
            return cls(scheme="paper", value=text)
        if _DOI.match(text):
            return cls(scheme="doi", value=clean_identifier("doi", text))
        for registry in _NUMBERED if _WEB.match(text) else ():
            if name := clean_identifier(registry, text):
                return cls(scheme=registry, value=name)
        return cls(scheme="key", value=scoped_key(text, scope))


_WORDS_OF_A_TITLE = 3
_OUR_ID = re.compile(r"paper-[0-9a-f]{16}")
_WEB = re.compile(r"https?://", re.IGNORECASE)
_DOI = re.compile(r"(https?://(dx\.)?doi\.org/)?10\.\d{4,9}/", re.IGNORECASE)
_PREFIXES = re.compile(
    r"^(https?://(dx\.)?doi\.org/|doi:|https?://(www\.)?arxiv\.org/(abs|pdf)/|arxiv:|https?://openalex\.org/"
    r"|https?://(www\.)?aclanthology\.org/|https?://openreview\.net/forum\?id=|https?://dblp\.org/rec/)",
    re.IGNORECASE,
)
_PUBMED = re.compile(
    r"(?:pmid\s*:?\s*|https?://pubmed\.ncbi\.nlm\.nih\.gov/|https?://(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed/"
    r"|https?://(?:www\.)?europepmc\.org/(?:article|abstract)/MED/)?0*([1-9][0-9]{0,8})",
    re.IGNORECASE,
)
_PUBMED_CENTRAL = re.compile(
    r"(?:pmcid\s*:?\s*|https?://(?:www\.)?(?:pmc\.)?ncbi\.nlm\.nih\.gov/(?:pmc/)?articles/"
    r"|https?://(?:www\.)?europepmc\.org/(?:articles?/(?:PMC/)?|abstract/PMC/))?(?:PMC)?([0-9]{1,9})(?:\.[0-9]+)?",
    re.IGNORECASE,
)
_NUMBERED = {"pmid": (_PUBMED, ""), "pmcid": (_PUBMED_CENTRAL, "PMC")}
_ARXIV_VERSION = re.compile(r"(v\d+)?(\.pdf)?$")


def clean_identifier(scheme: str, value: str) -> str:
    """The identifier without URL or scheme prefix; DOIs in lower case, arXiv ids without version, ACL ids without final
    slash. Empty for what cannot be a number of PubMed or PubMed Central."""
    if scheme in _NUMBERED:
        pattern, prefix = _NUMBERED[scheme]
        number = pattern.fullmatch(value.strip().rstrip("/"))
        return prefix + number[1] if number else ""
    value = _PREFIXES.sub("", value.strip()).strip().rstrip("/")
    if scheme == "doi":
        return value.lower()
    return _ARXIV_VERSION.sub("", value) if scheme == "arxiv" else value


def scoped_key(key: str, scope: str) -> str:
    """A key of the form `registry:number` is valid everywhere, a plain key only within its source `scope`."""
    return key if ":" in key else f"{scope}/{key}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One paper as read from a source, with the source's own key and its references as the source names them."""

    paper: Paper
    key: str = ""
    """As returned by `scoped_key`; empty when the source has none."""
    references: tuple[Reference, ...] = ()
    full_text: str | None = None
    other_keys: tuple[str, ...] = ()
    """Other keys that the source has used for it."""
    line: int = 0
    """The line on which it begins, from 1; 0 when it is not from a file."""


class Reject(Value):
    """A record that is no usable paper. `line` counts from 1; 0 where there are no lines."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        """`FILE:LINE: REASON`."""
        return f"{self.file}:{self.line}: {self.reason}" if self.line else f"{self.file}: {self.reason}"


MOST_REJECTS = 200
"""Rejects in a report, which bounds its memory; the file of rejects has all."""


class ImportReport(Value):
    """The result of an import. Every entry is counted once: as added, merged, unchanged or rejected."""

    source: str = ""
    added: int = 0
    merged: int = 0
    """Known papers that were completed."""
    unchanged: int = 0
    links: int = 0
    """New citation links, also between papers that were known."""
    waiting: int = 0
    """References in the whole library, after the import, to papers that it does not have; they become links when these
    are added."""
    rejected: int = 0
    """Number of rejects."""
    rejects: tuple[Reject, ...] = ()
    """The first `MOST_REJECTS` of them."""

    @classmethod
    def of_rejects(cls, source: str, rejects: Sequence[Reject]) -> Self:
        """A report of rejects only, with all of them until it is added to another report."""
        return cls(source=source, rejected=len(rejects), rejects=tuple(rejects))

    @property
    def read(self) -> int:
        """Number of entries."""
        return self.added + self.merged + self.unchanged + self.rejected

    def __add__(self, other: ImportReport) -> ImportReport:
        """The report of two imports."""
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
