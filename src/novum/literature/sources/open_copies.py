"""Where open copies of a paper are: the addresses of PDFs that services of literature know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from novum.core import Paper
from novum.literature.entry import clean_identifier
from novum.literature.importing.cleaning import clean_text
from novum.literature.sources.json_responses import json_object, nested_object, objects
from novum.literature.sources.openalex import OpenAlex, short_id
from novum.literature.sources.source import Page, Request

_MOST_COPIES = 5
"""Addresses of one paper that are worth trying."""
_LONGEST_ADDRESS = 2000
_SELECT = "id,doi,best_oa_location,locations"


@dataclass(frozen=True)
class OpenCopies(Page):
    """A page whose answer is about the open copies of one paper."""

    pdfs: tuple[str, ...] = ()
    """Addresses of PDFs, the best first; not to be trusted."""


class OpenAlexCopies(OpenAlex):
    """OpenAlex, asked for the places of single works, which costs nothing."""

    def open_copies(self, paper: Paper) -> Request | None:
        """By the OpenAlex id, else the DOI."""
        name = short_id(paper.ids.openalex or "")
        doi = clean_identifier("doi", paper.ids.doi or "")
        if not name and not doi:
            return None
        path = name or f"doi:{quote(doi, safe=':')}"
        return Request(f"{self.address}/works/{path}", _read_work, {"select": _SELECT})


def pdf_addresses(values: Iterable[object]) -> tuple[str, ...]:
    """The web addresses among `values`, once each, at most five."""
    found = dict.fromkeys(address for value in values if (address := _address(value)))
    return tuple(found)[:_MOST_COPIES]


def location_pdfs(locations: Sequence[Mapping[str, object]]) -> Iterator[object]:
    """What a list of locations, of OpenAlex or Unpaywall, names as PDFs: first what is said to be one, then addresses
    that end like one."""
    yield from (one.get("pdf_url") or one.get("url_for_pdf") for one in locations)
    yield from (url for one in locations if clean_text(url := one.get("url")).lower().endswith(".pdf"))


def _read_work(answer: bytes) -> OpenCopies:
    work = json_object(answer)
    locations = [nested_object(work, "best_oa_location"), *objects(work.get("locations"))]
    return OpenCopies(pdfs=pdf_addresses(location_pdfs([one for one in locations if one.get("is_oa") is True])))


def _address(value: object) -> str:
    """Empty for what is no web address, or holds a user name."""
    text = clean_text(value)
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
    except ValueError:
        return ""
    return text if usable and len(text) <= _LONGEST_ADDRESS and " " not in text else ""
