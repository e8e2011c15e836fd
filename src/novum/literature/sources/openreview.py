"""OpenReview: submissions to conferences and journals that review in public, as https://docs.openreview.net describes
version 2 of its API."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar

import orjson

from novum.core import Identifiers, Paper
from novum.credentials.redaction import register_secrets
from novum.errors import BadInput, SourceError
from novum.literature.entry import Entry, Reject
from novum.literature.importing.cleaning import LONGEST_TEXT, clean_count, clean_identifiers, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord, checked_abstract, dated_by_arxiv
from novum.literature.sources.json_responses import author_names, clean_title, json_object, plain_text, service_message
from novum.literature.sources.matching import matches_dates, matches_search
from novum.literature.sources.openreview_notes import (
    Note,
    field,
    invitations,
    is_public,
    moment,
    note_id,
    taken_back,
    texts,
)
from novum.literature.sources.openreview_reviews import ReviewedPage, submission_reviews
from novum.literature.sources.source import Page, RateLimits, Request, Search, SignIn, Source, sources

_FOUND_AT_ONCE = 25
"""Notes that the search gives in one answer; a shorter answer is the last."""
_LISTED_AT_ONCE = 1000
_LOOKED_AT = 1000
"""Notes of a search, best first, among which those of the right days are looked for, unless more are wanted."""
_REVIEWED_AT_ONCE = 100
"""Submissions with all that was written about them."""
_ID = re.compile(r"[\w-]{4,40}", re.ASCII)
_SHORT_VENUE = re.compile(r"(ICLR|ICML|NeurIPS|COLM)[ -]?(20\d\d)", re.IGNORECASE)
_GROUPS = {"iclr": "ICLR.cc", "icml": "ICML.cc", "neurips": "NeurIPS.cc", "colm": "colmweb.org/COLM"}
_YEAR_WITHIN = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
_DOI_PAGE = re.compile(r"https?://(?:dx\.)?doi\.org/(10\.\S{3,200})", re.IGNORECASE)
_ARXIV_PAGE = re.compile(r"https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/([^\s?#]{4,40})", re.IGNORECASE)
_SHOWN = 60

_ACCOUNT = ("OPENREVIEW_USERNAME", "OPENREVIEW_PASSWORD")
"""Environment variables."""
_SIGNED_IN = 24 * 3600
"""Seconds; OpenReview allows a week, and grants an hour to who asks for nothing."""

Wanted = Callable[[Paper], bool]


@sources.register("openreview")
class OpenReview(Source):
    """Submissions with their keywords as fields. Withdrawn and desk-rejected ones become rejects; those that a venue
    rejected after review stay papers.

    Without venues, OpenReview's own search is used, which knows no dates: papers outside the requested days are left
    out. With venues (`ICLR 2024`, or a group such as `ICLR.cc/2024/Conference`), all their submissions are listed,
    and those kept that hold the words. OpenReview answers only those who are signed in: by the name and the password of
    their account, or by a token of it. Venues of the API's first version answer at another address, by their full
    invitation: `OpenReview("https://api.openreview.net")`, `ICLR.cc/2020/Conference/-/Blind_Submission`.

    A paper's day is when it went online, or was published if that is not known. When it was created says no more than
    its year: submissions wait for months before they become public.
    """

    name: ClassVar[str] = "openreview"
    title: ClassVar[str] = "OpenReview"
    home: ClassVar[str] = "https://api2.openreview.net"
    covers: ClassVar[frozenset[str]] = frozenset({"computer science"})
    rate_limits: ClassVar[RateLimits] = RateLimits(pause=1.0, pause_with_key=1.0)
    key_names: ClassVar[tuple[str, ...]] = ("OPENREVIEW_TOKEN",)
    filters_by: ClassVar[frozenset[str]] = frozenset({"venues"})
    key_page: ClassVar[str] = "https://openreview.net/signup"
    terms: ClassVar[str] = "free with an account: set OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD, or OPENREVIEW_TOKEN"

    def search(self, search: Search) -> Request:
        """Raises BadInput for a venue of unknown form, or without words and venues."""
        if search.venues:
            venues = tuple(map(_invitation, search.venues))
            return self._listing_request(venues, 0, partial(matches_search, search=search))
        words = clean_text(search.text)[:500]
        if not words:
            raise BadInput("OpenReview is searched by words or listed by venue: give one of them.")
        return self._search_request(words, 0, max(_LOOKED_AT, search.limit), partial(matches_dates, search=search))

    def fetch(self, names: Sequence[tuple[str, str]]) -> list[Request]:
        """By `openreview` ids, one request each."""
        ids = dict.fromkeys(value for scheme, value in names if scheme == "openreview" and _ID.fullmatch(value))
        return [Request(f"{self.address}/notes", partial(read_notes, wanted=_any), {"id": value}) for value in ids]

    def reviewed(self, venue: str) -> Request:
        """All submissions of a venue with what was written about them: every page is a `ReviewedPage`. Raises BadInput
        for a venue of unknown form."""
        return self._reviews_request(_invitation(venue), 0)

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def sign_in(self, environment: Mapping[str, str]) -> SignIn | None:
        """By the user name, an e-mail address or a profile's name, and the password in the environment."""
        name, password = (environment.get(variable, "").strip() for variable in _ACCOUNT)
        register_secrets(password)
        if not name or not password:
            return None
        body = orjson.dumps({"id": name, "password": password, "expiresIn": _SIGNED_IN})
        return SignIn(f"{self.address}/login", body, _read_token, _ACCOUNT)

    def _search_request(self, words: str, offset: int, most: int, wanted: Wanted) -> Request:
        query = {"term": words, "type": "terms", "content": "all", "group": "all", "source": "forum"}
        return self._notes(
            "/notes/search", query, offset, _FOUND_AT_ONCE, partial(self._read_search, words, most, wanted)
        )

    def _read_search(self, words: str, most: int, wanted: Wanted, answer: bytes, offset: int) -> Page:
        """How many there are stays unknown: the search counts no further than its bound. Raises SourceError when the
        search is switched off, which no repetition changes soon."""
        page, here = read_notes(answer, wanted, offset), len(_notes(answer))
        if json_object(answer).get("searchUnavailable") is True:
            raise SourceError(_WITHOUT_SEARCH)
        seen = offset + here
        following = self._search_request(words, seen, most, wanted) if here >= _FOUND_AT_ONCE and seen < most else None
        return Page(page.entries, page.rejects, following)

    def _listing_request(self, venues: tuple[str, ...], offset: int, wanted: Wanted) -> Request:
        """The submissions of the first of these, then of the others."""
        query = {"invitation": venues[0]}
        return self._notes("/notes", query, offset, _LISTED_AT_ONCE, partial(self._read_listing, venues, wanted))

    def _read_listing(self, venues: tuple[str, ...], wanted: Wanted, answer: bytes, offset: int) -> Page:
        page, here = read_notes(answer, wanted, offset), len(_notes(answer))
        following = None
        if here >= _LISTED_AT_ONCE:
            following = self._listing_request(venues, offset + here, wanted)
        elif venues[1:]:
            following = self._listing_request(venues[1:], 0, wanted)
        return Page(page.entries, page.rejects, following)

    def _reviews_request(self, venue: str, offset: int) -> Request:
        query = {"invitation": venue, "details": "replies"}
        return self._notes("/notes", query, offset, _REVIEWED_AT_ONCE, partial(self._read_reviews, venue))

    def _read_reviews(self, venue: str, answer: bytes, offset: int) -> ReviewedPage:
        page, notes = read_notes(answer, _any, offset), _notes(answer)
        following = self._reviews_request(venue, offset + len(notes)) if len(notes) >= _REVIEWED_AT_ONCE else None
        reviews = tuple(submission_reviews(note) for note in notes if _is_submission(note) and is_public(note))
        return ReviewedPage(page.entries, page.rejects, following, page.total, reviews)

    def _notes(
        self, path: str, query: dict[str, str], offset: int, limit: int, read: Callable[[bytes, int], Page]
    ) -> Request:
        parameters = query | {"limit": str(limit), "offset": str(offset)}
        return Request(f"{self.address}{path}", lambda answer: read(answer, offset), parameters)


_WITHOUT_SEARCH = (
    'OpenReview has switched its search off for now: list a venue, as in --venue "ICLR 2024", try again later, or use '
    "other sources."
)


def _read_token(answer: bytes) -> str:
    """The token in the response to a login. Raises ValueError."""
    record = json_object(answer)
    if record.get("mfaPending"):
        raise ValueError("the account asks for a second factor, which only a browser can give: set OPENREVIEW_TOKEN")
    token = clean_text(record.get("token")).removeprefix("Bearer ").strip()
    if not token:
        raise ValueError("its answer has no token")
    return token


def read_notes(answer: bytes, wanted: Wanted, before: int = 0) -> Page:
    """The wanted submissions of one answer, whose notes are counted on from `before`. Raises ValueError."""
    entries: list[Entry] = []
    rejects: list[Reject] = []
    for number, note in enumerate(_notes(answer), before + 1):
        try:
            paper = submission_paper(note)
            if wanted(paper):
                _refuse_withdrawn(note)
                entries.append(Entry(paper=paper, key=f"openreview:{paper.ids.openreview}", line=number))
        except UnusableRecord as reason:
            name = note_id(note) or "no id"
            rejects.append(Reject(file=OpenReview.title, line=number, reason=f"{name}: {reason}"))
    return Page(tuple(entries), tuple(rejects), total=clean_count(json_object(answer).get("count")))


def submission_paper(note: Note) -> Paper:
    """The paper of one submission. Raises Unusable: replies, and what is not public, are none."""
    if not _is_submission(note):
        raise UnusableRecord("a reply, no paper")
    if not is_public(note):
        raise UnusableRecord("not public")
    online = moment(note, "odate") or moment(note, "pdate")
    paper = Paper(
        title=clean_title(field(note, "title")),
        authors=author_names(name for name in _authors(note) if name and clean_text(name).lower() != "anonymous"),
        year=_year(note),
        date=online.date() if online else None,
        venue=_venue(note),
        ids=_identifiers(note),
        abstract=checked_abstract(plain_text(field(note, "abstract"))),
        summary=plain_text(field(note, "TLDR", "TL;DR", "tldr", "one-sentence_summary"))[:LONGEST_TEXT],
        fields=tuple(dict.fromkeys(text[:100] for text in texts(field(note, "keywords"))))[:20],
    )
    return paper if paper.date else dated_by_arxiv(paper)


def _any(_paper: Paper) -> bool:
    return True


def _notes(answer: bytes) -> list[Note]:
    """Raises ValueError with OpenReview's words when there are none."""
    if answer.lstrip()[:1] == b"<":
        raise ValueError(
            "it wants to see a browser; with OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD, or OPENREVIEW_TOKEN, it "
            "answers programs"
        )
    found = json_object(answer)
    notes = found.get("notes")
    if not isinstance(notes, list):
        raise ValueError(service_message(found.get("message")) or "no list of notes")
    return [note if isinstance(note, Mapping) else {} for note in notes]


def _is_submission(note: Note) -> bool:
    return bool(note_id(note)) and note.get("forum", note.get("id")) == note.get("id") and not note.get("replyto")


def _refuse_withdrawn(note: Note) -> None:
    """Raises Unusable for what its authors or the chairs took back, before or without review."""
    if withdrawal := taken_back(note):
        raise UnusableRecord(f"{withdrawal}: {clean_text(field(note, 'title'))[:_SHOWN]!r}")


def _authors(note: Note) -> Iterator[object]:
    """Names, or people of whom the full name is given."""
    listed = field(note, "authors")
    for author in listed if isinstance(listed, list) else texts(listed):
        yield author.get("fullname") if isinstance(author, Mapping) else author


def _year(note: Note) -> int | None:
    """Of the venue, which is what others cite; else when it came online or into being."""
    for text in (field(note, "venueid"), field(note, "venue"), *invitations(note)):
        match = _YEAR_WITHIN.search(clean_text(text))
        if match:
            return clean_year(match.group(1))
    day = moment(note, "pdate", "odate", "cdate", "tcdate")
    return day.year if day else None


def _venue(note: Note) -> str:
    """The field `venue`; without it the group's name and year, `ICLR 2020`."""
    if venue := plain_text(field(note, "venue"))[:300]:
        return venue
    group = next((name.partition("/-/")[0] for name in invitations(note) if "/-/" in name), "").split("/")
    return " ".join(filter(None, (group[0].partition(".")[0], next(filter(str.isdecimal, group), ""))))[:300]


def _identifiers(note: Note) -> Identifiers:
    """Its own, and what its links and entries elsewhere tell."""
    pages = " ".join(clean_text(field(note, name))[:500] for name in ("html", "pdf", "ee", "preprint", "arxiv"))
    doi, arxiv = _DOI_PAGE.search(pages), _ARXIV_PAGE.search(pages)
    found: dict[str, object] = {
        "doi": clean_text(field(note, "doi")) or (doi.group(1) if doi else None),
        "arxiv": arxiv.group(1) if arxiv else None,
    }
    external = note.get("externalIds")
    for name in (*(external if isinstance(external, list) else ()), note.get("externalId")):
        scheme, colon, value = clean_text(name).partition(":")
        if colon and scheme.lower() in ("dblp", "doi", "arxiv"):
            found[scheme.lower()] = found.get(scheme.lower()) or value
    return clean_identifiers(found | {"openreview": note_id(note)})


def _invitation(venue: str) -> str:
    """What the submissions of a venue answer to. Raises BadInput."""
    venue = clean_text(venue).strip("/")
    if match := _SHORT_VENUE.fullmatch(venue):
        return f"{_GROUPS[match.group(1).lower()]}/{match.group(2)}/Conference/-/Submission"
    if "/-/" in venue:
        return venue
    if "/" in venue or venue == "TMLR":
        return f"{venue}/-/Submission"
    raise BadInput(f"OpenReview has no venue {venue!r}: write ICLR 2024, or its group, ICLR.cc/2024/Conference.")
