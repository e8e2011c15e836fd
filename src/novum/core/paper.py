"""A published work, as far as it is known."""

from __future__ import annotations

import datetime as dt
import functools
from typing import Any, ClassVar

from novum.core.record import Record, Value
from novum.core.text import normal_title


class Identifiers(Value):
    """Identifiers of one paper, each without its URL prefix."""

    doi: str | None = None
    arxiv: str | None = None
    s2: str | None = None
    openalex: str | None = None
    acl: str | None = None
    dblp: str | None = None
    openreview: str | None = None
    pmid: str | None = None
    """The number in PubMed: `25017039`."""
    pmcid: str | None = None
    """The number in PubMed Central: `PMC4140000`."""

    def items(self) -> list[tuple[str, str]]:
        """(scheme, value) pairs of the known ones; a DOI in lower case, since DOIs are case-insensitive."""
        known = self.__dict__.items()  # the fields in order, without the cost of a model dump for millions of papers
        return [(scheme, value.lower() if scheme == "doi" else value) for scheme, value in known if value]

    @property
    def url(self) -> str | None:
        """The best web address for a reader, or None."""
        for scheme, prefix in _ADDRESSES:
            value: str | None = getattr(self, scheme)
            if value:
                return prefix + value
        return None


_ADDRESSES = (
    ("doi", "https://doi.org/"),
    ("arxiv", "https://arxiv.org/abs/"),
    ("acl", "https://aclanthology.org/"),
    ("pmcid", "https://pmc.ncbi.nlm.nih.gov/articles/"),
    ("pmid", "https://pubmed.ncbi.nlm.nih.gov/"),
    ("openalex", "https://openalex.org/"),
    ("s2", "https://www.semanticscholar.org/paper/"),
    ("openreview", "https://openreview.net/forum?id="),
    ("dblp", "https://dblp.org/rec/"),
)


class Paper(Record):
    """One paper. Its id is derived from title and year, so sources that agree on these agree on the id."""

    id_prefix: ClassVar[str] = "paper"
    id_fields: ClassVar[tuple[str, ...]] = ("title", "year")

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    date: dt.date | None = None
    """First day on which it was certainly public, when more than the year is known."""
    venue: str = ""
    ids: Identifiers = Identifiers()
    abstract: str = ""
    """The authors' abstract; empty when not known."""
    summary: str = ""
    """A short description by others, used where there is no abstract."""
    fields: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """Ids of the cited papers that are in the library."""
    citation_count: int | None = None
    """Citations according to its source at the time of import; None when unknown."""

    def identity(self) -> Any:
        return {"title": normal_title(self.title), "year": self.year}

    @property
    def gist(self) -> str:
        """The abstract, else the summary, else an empty text."""
        return self.abstract or self.summary

    @property
    def public_by(self) -> dt.date | None:
        """The day by which it was certainly public: its date, else the last day of its year; None when unknown."""
        return self.date or (dt.date(self.year, 12, 31) if self.year else None)

    def is_before(self, day: dt.date) -> bool:
        """Whether it was certainly public before `day`; False for a paper of unknown date, which might leak the
        future."""
        return self.public_by is not None and self.public_by < day

    @property
    def short_authors(self) -> str:
        """Surnames such as `Wei et al.`, `Wei & Zhou` or `Wei`; empty without authors."""
        surnames = [words[-1] for name in self.authors if (words := name.split())]
        if len(surnames) > 2:
            return f"{surnames[0]} et al."
        return " & ".join(surnames)

    @functools.cached_property
    def short_citation(self) -> str:
        """A short citation such as `Wei et al. 2022`."""
        return " ".join(part for part in (self.short_authors or self.title[:40], str(self.year or "n.d.")) if part)
