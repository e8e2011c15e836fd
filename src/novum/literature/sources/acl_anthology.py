"""The ACL Anthology: the papers of computational linguistics, from the XML files that the Anthology itself is made of
(https://aclanthology.org/faq/api/)."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar
from xml.etree.ElementTree import Element

from novum.core import Paper
from novum.errors import BadInput
from novum.literature.entry import Entry, Reject, clean_identifier
from novum.literature.importing.cleaning import clean_identifiers, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord, checked_abstract, checked_title
from novum.literature.sources.acl_collections import MAIN_VENUES, collection_of, collections_of, is_collection
from novum.literature.sources.json_responses import author_names
from novum.literature.sources.matching import content_words, matches_search
from novum.literature.sources.source import Page, RateLimits, Request, Search, Source, sources
from novum.literature.sources.xml_responses import text_of, xml_root

_ID = re.compile(r"[A-Z]\d\d-\d{4,5}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d{1,5}")
_MONTHS = re.compile(r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_MONTH_NAMES = [name.lower() for name in calendar.month_abbr]
_FIRST_YEAR = 1965
_RECENT_YEARS = 3
"""Years that a search without a first day reads: tens of megabytes each, which are stored for a week."""

Wanted = Callable[[Paper], bool]


@sources.register("acl-anthology")
class AclAnthology(Source):
    """There is no search to ask: a search reads the proceedings, one file a venue and year, and keeps the papers whose
    title and abstract hold the words.

    Without a first day (`since`) it reads the proceedings of the last three years before the search's last day, the
    newest first. Venues may be given as the Anthology's short names (`acl`, `wmt`), or as its files are called
    (`2023.eacl`, `P19`), whose years are then taken as they are. Without venues, the journals CL and TACL and the
    conferences ACL, COLING, EACL, EMNLP, NAACL and Findings are read. Fields are left out. Citations are unknown;
    papers are dated by the last day of the month of their volume.
    """

    name: ClassVar[str] = "acl-anthology"
    title: ClassVar[str] = "ACL Anthology"
    home: ClassVar[str] = "https://raw.githubusercontent.com/acl-org/acl-anthology/master"
    covers: ClassVar[frozenset[str]] = frozenset({"computer science"})
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=1.0, pause_with_key=1.0)
    filters_by: ClassVar[frozenset[str]] = frozenset({"venues"})
    terms: ClassVar[str] = "free; a search reads whole proceedings: those of three years, unless it says since when"

    def search(self, search: Search) -> Request:
        """The first of the files. Raises BadInput without words, or when there are no proceedings of the search's
        venues and years."""
        if not content_words(search.text):
            raise BadInput("The ACL Anthology is searched by words: give some.")
        collections = collections_of(search.venues or MAIN_VENUES, _years(search))
        if not collections:
            raise BadInput("The ACL Anthology has no proceedings of these venues and years: give others.")
        return self._collections(tuple(dict.fromkeys(collections)), partial(matches_search, search=search))

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """By `acl` ids: one file for all papers of a venue and year."""
        wanted: dict[str, set[str]] = {}
        for scheme, value in names:
            paper = clean_identifier("acl", value) if scheme == "acl" else ""
            if _ID.fullmatch(paper):
                wanted.setdefault(collection_of(paper), set()).add(paper)
        return [self._collections((name,), partial(_is_among, ids)) for name, ids in wanted.items()]

    def _collections(self, names: tuple[str, ...], wanted: Wanted) -> Request:
        """The first of these files, which the others follow, also where it does not exist: not every year has all."""

        def read(answer: bytes, next_request: Request | None) -> Page:
            page = read_collection(answer, wanted)
            return Page(page.entries, page.rejects, next_request)

        first, *others = (f"{self.address}/data/xml/{name}.xml" for name in names)
        next_request = None
        for url in reversed(others):
            next_request = Request(
                url, partial(read, next_request=next_request), when_missing=Page(next_request=next_request)
            )
        return Request(first, partial(read, next_request=next_request), when_missing=Page(next_request=next_request))


@dataclass(frozen=True)
class _Volume:
    """What the papers of a volume have in common."""

    collection: str
    name: str
    venue: str
    year: int | None
    day: dt.date | None


def read_collection(answer: bytes, wanted: Wanted = lambda _paper: True) -> Page:
    """The wanted papers of one file. Raises ValueError when it is not one of the Anthology's."""
    collection = xml_root(answer)
    if collection.tag != "collection":
        raise ValueError("not a collection of the ACL Anthology")
    entries: list[Entry] = []
    rejects: list[Reject] = []
    for number, (volume, element) in enumerate(_papers(collection), 1):
        acl = _acl_id(volume, element)
        try:
            paper = _paper(volume, element, acl)
            if wanted(paper):
                _refuse_taken_back(element)
                entries.append(Entry(paper=paper, key=f"acl:{acl}", line=number))
        except UnusableRecord as reason:
            rejects.append(Reject(file=AclAnthology.title, line=number, reason=f"{acl}: {reason}"))
    return Page(tuple(entries), tuple(rejects))


def _years(search: Search) -> Sequence[int]:
    """From `since` to the last that has days before `before`; without `since` the last of them, the newest first. None
    where the venues are files."""
    last = search.before - dt.timedelta(days=search.before > dt.date.min) if search.before else dt.date.today()
    end = min(last.year, dt.date.today().year)
    if search.since:
        return range(max(search.since.year, _FIRST_YEAR), end + 1)
    if search.venues and all(map(is_collection, search.venues)):
        return ()
    return range(end, max(end - _RECENT_YEARS, _FIRST_YEAR - 1), -1)


def _is_among(ids: set[str], paper: Paper) -> bool:
    return paper.ids.acl in ids


def _papers(collection: Element) -> Iterator[tuple[_Volume, Element]]:
    """Front matter has an element of its own, and is none of them."""
    for volume in collection.iterfind("volume"):
        common = _volume(clean_text(collection.get("id"))[:40], volume)
        for paper in volume.iterfind("paper"):
            yield common, paper


def _volume(collection: str, volume: Element) -> _Volume:
    year = clean_year(text_of(volume, "meta/year"))
    return _Volume(
        collection=collection,
        name=clean_text(volume.get("id"))[:40],
        venue=text_of(volume, "meta/journal-title")[:300] or text_of(volume, "meta/booktitle")[:300],
        year=year,
        day=_last_day(year, text_of(volume, "meta/month")[:100]),
    )


def _last_day(year: int | None, month: str) -> dt.date | None:
    """Of the month, or of the last of several; None when they run into another year."""
    named = [_MONTH_NAMES.index(name.lower()) for name in _MONTHS.findall(month)]
    if not year or not named or named != sorted(named):
        return None
    return dt.date(year, named[-1], calendar.monthrange(year, named[-1])[1])


def _paper(volume: _Volume, element: Element, acl: str) -> Paper:
    abstract = element.find("abstract")
    title = element.find("title")
    return Paper(
        title=checked_title("" if title is None else clean_text(_plain(title))),
        authors=author_names(map(_name, element.iterfind("author"))),
        year=volume.year,
        date=volume.day,
        venue=volume.venue,
        ids=clean_identifiers({"acl": acl, "doi": text_of(element, "doi")}),
        abstract=checked_abstract("" if abstract is None else clean_text(_plain(abstract))),
    )


def _refuse_taken_back(element: Element) -> None:
    """Raises Unusable with the Anthology's words."""
    for kind in ("retracted", "removed", "withdrawn"):
        notice = element.find(kind)
        if notice is not None:
            why = text_of(element, kind)[:200] or "no reason given"
            raise UnusableRecord(f"{kind} {clean_text(notice.get('date'))[:20]}: {why}")


def _acl_id(volume: _Volume, element: Element) -> str:
    """From its address, unless that leads elsewhere; then as the Anthology forms it."""
    given = clean_identifier("acl", text_of(element, "url"))
    if _ID.fullmatch(given):
        return given
    paper, name = clean_text(element.get("id"))[:10], volume.name
    if not volume.collection[:1].isalpha():
        return f"{volume.collection}-{name}.{paper}"
    wide = volume.collection[:1] == "W" or len(name) > 1
    return (
        f"{volume.collection}-{name.zfill(2)}{paper.zfill(2)}"
        if wide
        else f"{volume.collection}-{name}{paper.zfill(3)}"
    )


def _name(person: Element) -> str:
    """`First Last` in Latin letters; variants in other scripts are ignored."""
    return " ".join(filter(None, (text_of(person, "first"), text_of(person, "last"))))


def _plain(element: Element) -> str:
    """Text without markup; formulas stay, between dollar signs."""
    inside = [element.text or ""]
    for child in element:
        inside += [" " if child.tag == "br" else _plain(child), child.tail or ""]
    text = "".join(inside)
    return f"${text}$" if element.tag == "tex-math" else text
