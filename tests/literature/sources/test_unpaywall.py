"""Unpaywall: how it is asked, and what is made of its answers, recorded ones among them."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.errors import BadInput, SourceError
from novum.literature.importing.record import UnusableRecord
from novum.literature.services.client import SourceClient
from novum.literature.sources import Page, Search
from novum.literature.sources.open_copies import OpenCopies
from novum.literature.sources.unpaywall import Unpaywall, article_entry
from tests.literature.sources.conftest import Said, Service, at, recorded, said

BEES: dict[str, object] = {
    "doi": "10.1000/BEE.1",
    "title": "On <i>bees</i>",
    "genre": "journal-article",
    "year": 2019,
    "published_date": "2019-03-04",
    "journal_name": "Bee World",
    "z_authors": [{"given": "Zoë", "family": "Nuñez"}, {"raw_author_name": "Wei Li"}],
    "is_paratext": False,
}
KNOWN = Paper(title="On bees", ids=Identifiers(doi="10.1000/bee.1"))


def copies(answer: object) -> tuple[str, ...]:
    """The addresses in an answer about one DOI."""
    request = Unpaywall().open_copies(KNOWN)
    assert request is not None
    page = request.read(json.dumps(answer).encode())
    assert isinstance(page, OpenCopies)
    return page.pdfs


def pages(service: Service, client: Callable[..., SourceClient], search: Search) -> list[Page]:
    """All pages of a search, made with an e-mail address."""

    async def run() -> list[Page]:
        async with client(contact="me@example.org") as asking:
            source = at(service, Unpaywall)
            return [page async for page in asking.pages(source, source.search(search))]

    return asyncio.run(run())


def test_a_record_becomes_a_paper():
    paper = article_entry(BEES).paper
    assert (paper.title, paper.year, paper.date) == ("On bees", 2019, dt.date(2019, 3, 4))
    assert (paper.authors, paper.venue, paper.ids.doi) == (("Zoë Nuñez", "Wei Li"), "Bee World", "10.1000/bee.1")


@pytest.mark.parametrize("changes", [{"genre": "peer-review"}, {"is_paratext": True}, {"title": None}])
def test_what_is_no_paper_is_rejected(changes: dict[str, object]):
    with pytest.raises(UnusableRecord):
        article_entry(BEES | changes)


def test_the_best_pdf_comes_first_and_each_once():
    best = {"url_for_pdf": "https://a.org/1.pdf", "url": "https://a.org/1.pdf"}
    others = [best, {"url_for_pdf": None, "url": "https://doi.org/10.1/x"}, {"url": "https://b.org/copy.PDF"}]
    found = copies({"doi": "10.1/x", "best_oa_location": best, "oa_locations": [*others, {"url_for_pdf": 7}]})
    assert found == ("https://a.org/1.pdf", "https://b.org/copy.PDF")
    assert copies({"doi": "10.1/x", "best_oa_location": None, "oa_locations": None}) == ()


def test_a_paper_is_asked_for_by_its_doi():
    request = Unpaywall().open_copies(Paper(title="x", ids=Identifiers(doi="10.1023/A:1<2>?#3")))
    assert request is not None
    assert request.url == "https://api.unpaywall.org/v2/10.1023/a%3A1%3C2%3E%3F%233"
    assert Unpaywall().open_copies(Paper(title="x", ids=Identifiers(arxiv="2101.00001"))) is None
    assert Unpaywall().open_copies(Paper(title="x", ids=Identifiers(doi="../../x"))) is None


def test_a_search_is_for_keywords_and_goes_on_while_pages_are_full(
    service: Service, client: Callable[..., SourceClient]
):
    full = [{"response": BEES | {"year": 2000 + number, "published_date": None}} for number in range(50)]
    service.on("/search", said({"results": full}), page="1")
    service.on("/search", said({"results": [{"response": BEES}, "x"]}), page="2")
    found = pages(service, client, Search(text="How do bees dance?", since=dt.date(2015, 1, 1)))
    assert [len(page.entries) for page in found] == [35, 1]
    assert [len(page.rejects) for page in found] == [0, 1]
    assert service.asked[0].query == {"query": "bees dance", "page": "1", "email": "me@example.org"}
    with pytest.raises(BadInput, match="searched by words"):
        Unpaywall().search(Search(text="?"))


@pytest.mark.parametrize("body", [b"<html></html>", b"", b"[]", b'{"message": "x"}'])
def test_something_else_than_results_is_one_line_about_the_service(
    body: bytes, service: Service, client: Callable[..., SourceClient]
):
    service.on("/search", Said(body))
    with pytest.raises(SourceError, match=r"^Unpaywall [^\n]*$"):
        pages(service, client, Search(text="bees"))


def test_recorded_answers_are_read():
    calls = recorded("unpaywall")
    if not calls:
        pytest.skip("the recordings are not at hand")
    searches = [call for call in calls if "/search?" in str(call["uri"])]
    read = [Unpaywall().search(Search(text="bees")).read(str(call["body"]).encode()) for call in searches]
    assert [len(page.entries) for page in read] == [1, 0, 1]  # one title is a whole list of contents
    assert all(entry.paper.authors and entry.paper.ids.doi for page in read for entry in page.entries)
    singles = [copies(json.loads(str(call["body"]))) for call in calls if call not in searches]
    assert [len(found) for found in singles] == [0, 0, 0, 0, 1]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["url", "url_for_pdf", "given"]), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([*BEES, "best_oa_location", "oa_locations"]), ANYTHING))
def test_any_record_is_a_paper_or_refused_and_has_addresses_or_none(changes: dict[str, object]):
    page = Unpaywall().search(Search(text="x")).read(json.dumps({"results": [{"response": BEES | changes}]}).encode())
    assert len(page.entries) + len(page.rejects) == 1
    assert len(copies(BEES | changes)) <= 5
