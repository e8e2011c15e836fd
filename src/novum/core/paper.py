"""A published work, as far as it is known."""

from __future__ import annotations

import datetime as dt
import functools
from typing import Any, ClassVar

from novum.core.record import Record, Value
from novum.core.text import normal_title


class Identifiers(Value):
    """Names of one paper in the registries of the field, each without its URL prefix."""

    doi: str | None = None
    arxiv: str | None = None
    s2: str | None = None
    openalex: str | None = None
    acl: str | None = None
    dblp: str | None = None
    openreview: str | None = None

    def items(self) -> list[tuple[str, str]]:
        """(scheme, value) pairs of the known ones, DOI in lower case as DOIs are case-insensitive."""
        known = self.__dict__.items()  # the fields in order; asked for by the million
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
    ("openalex", "https://openalex.org/"),
    ("s2", "https://www.semanticscholar.org/paper/"),
    ("openreview", "https://openreview.net/forum?id="),
    ("dblp", "https://dblp.org/rec/"),
)


class Paper(Record):
    """One paper. Its id follows from its title and year, so that two sources that agree on them agree on the id."""

    id_prefix: ClassVar[str] = "paper"
    id_fields: ClassVar[tuple[str, ...]] = ("title", "year")

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    date: dt.date | None = None
    """First day on which it was certainly public, when known more closely than the year."""
    venue: str = ""
    ids: Identifiers = Identifiers()
    abstract: str = ""
    """The authors' abstract; empty when not known."""
    summary: str = ""
    """Somebody else's short account of it, used where there is no abstract."""
    fields: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """Ids of the papers that it cites, as far as the library knows them."""
    citation_count: int | None = None
    """Citations counted by its source, at the time of import; None when not known."""

    def identity(self) -> Any:
        return {"title": normal_title(self.title), "year": self.year}

    @property
    def gist(self) -> str:
        """Abstract, else summary, else nothing."""
        return self.abstract or self.summary

    @property
    def public_by(self) -> dt.date | None:
        """The day by which it was certainly public: its date, else the last day of its year; None when unknown."""
        return self.date or (dt.date(self.year, 12, 31) if self.year else None)

    def is_before(self, day: dt.date) -> bool:
        """Certainly public before `day`. A paper of unknown date is not: a leak from the future is worse than a gap."""
        return self.public_by is not None and self.public_by < day

    @property
    def short_authors(self) -> str:
        """`Wei et al.`, `Wei & Zhou`, `Wei`, or nothing."""
        surnames = [words[-1] for name in self.authors if (words := name.split())]
        if len(surnames) > 2:
            return f"{surnames[0]} et al."
        return " & ".join(surnames)

    @functools.cached_property
    def short_citation(self) -> str:
        """`Wei et al. 2022`: enough for a person to recognise it."""
        return " ".join(part for part in (self.short_authors or self.title[:40], str(self.year or "n.d.")) if part)
