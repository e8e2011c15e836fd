"""DBLP's search: how it is asked, and what is made of its records."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Identifiers
from novum.errors import BadInput, SourceError
from novum.literature.importing.record import UnusableRecord
from novum.literature.services.client import SourceClient
from novum.literature.sources import Page, Search
from novum.literature.sources.dblp_search import DblpSearch, publication_entry
from tests.literature.sources.conftest import Said, Service, at, said

BEES: dict[str, object] = {
    "authors": {"author": [{"@pid": "1/2", "text": "Zoë Nuñez 0002"}, {"@pid": "3", "text": "Wei O&apos;Li"}]},
    "title": "On bees &amp; graphs.",
    "venue": "BeeConf",
    "pages": "1-9",
    "year": "2019",
    "type": "Conference and Workshop Papers",
    "access": "open",
    "key": "conf/beeconf/NunezL19",
    "doi": "10.1000/BEE.1",
    "ee": "https://doi.org/10.1000/BEE.1",
    "url": "https://dblp.org/rec/conf/beeconf/NunezL19",
}


def hits(*records: object, total: int | None = None) -> dict[str, object]:
    """An answer as DBLP writes it: without hits it has no list of them."""
    listed = {"hit": [{"@score": "3", "@id": "1", "info": record} for record in records]} if records else {}
    count = str(len(records) if total is None else total)
    return {"result": {"status": {"@code": "200"}, "hits": {"@total": count, "@sent": "1", "@first": "0", **listed}}}


def test_a_record_becomes_a_paper_without_the_marks_of_dblp():
    entry = publication_entry(BEES)
    paper = entry.paper
    assert (paper.title, paper.year, paper.venue) == ("On bees & graphs", 2019, "BeeConf")
    assert paper.authors == ("Zoë Nuñez", "Wei O'Li")
    assert paper.ids == Identifiers(doi="10.1000/bee.1", dblp="conf/beeconf/NunezL19")
    assert entry.key == "dblp:conf/beeconf/NunezL19"


@pytest.mark.parametrize(
    ("changes", "ids"),
    [
        ({"doi": "10.48550/ARXIV.2101.00001"}, {"doi": "10.48550/arxiv.2101.00001", "arxiv": "2101.00001"}),
        ({"doi": None, "ee": "https://arxiv.org/abs/2101.00001v2"}, {"arxiv": "2101.00001"}),
        ({"doi": None, "ee": ["https://aclanthology.org/P19-1001/"]}, {"acl": "P19-1001"}),
        ({"doi": 7, "ee": {"a": 1}}, {}),
    ],
)
def test_identifiers_are_read_from_addresses(changes: dict[str, object], ids: dict[str, str]):
    assert publication_entry(BEES | changes).paper.ids == Identifiers(dblp="conf/beeconf/NunezL19", **ids)


@pytest.mark.parametrize("authors", [{"author": {"text": "Solo Author"}}, {"author": "Solo Author"}])
def test_one_author_stands_alone(authors: object):
    assert publication_entry(BEES | {"authors": authors, "venue": ["A", "B"]}).paper.authors == ("Solo Author",)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"type": "Editorship"}, "no paper, of type editorship"),
        ({"title": ""}, "no title"),
        ({"title": "Withdrawn: On bees."}, "withdrawn"),
    ],
)
def test_what_is_no_paper_is_rejected_with_its_reason(changes: dict[str, object], reason: str):
    with pytest.raises(UnusableRecord, match=reason):
        publication_entry(BEES | changes)


def test_a_sentence_becomes_keywords_within_years_and_venues():
    search = Search(
        text="How do graph networks find bees?",
        since=dt.date(2018, 6, 1),
        before=dt.date(2020, 1, 1),
        venues=("Bee Conf",),
        limit=20,
    )
    request = DblpSearch().search(search)
    assert request.url == "https://dblp.org/search/publ/api"
    assert request.parameters == {
        "q": "graph networks find bees year:2018:|year:2019:|year:2020: venue:Bee_Conf:",
        "format": "json",
        "h": "20",
        "f": "0",
        "c": "0",
    }
    with pytest.raises(BadInput, match="searched by words"):
        DblpSearch().search(Search(text=" ?"))


def pages(service: Service, client: Callable[..., SourceClient], search: Search) -> list[Page]:
    """All pages of a search."""

    async def run() -> list[Page]:
        async with client() as asking:
            source = at(service, DblpSearch)
            return [page async for page in asking.pages(source, source.search(search))]

    return asyncio.run(run())


def test_pages_follow_each_other_and_papers_of_other_years_are_left_out(
    service: Service, client: Callable[..., SourceClient]
):
    first = [BEES | {"key": f"a/{number}", "year": str(2000 + number)} for number in range(12)]
    service.on("/search/publ/api", said(hits(*first, total=13)), f="0")
    service.on("/search/publ/api", said(hits(BEES, total=13)), f="12")
    found = pages(service, client, Search(text="bees", since=dt.date(2005, 1, 1), before=dt.date(2099, 1, 1)))
    assert [len(page.entries) for page in found] == [7, 1]


def test_few_papers_with_all_words_are_followed_by_papers_with_some(
    service: Service, client: Callable[..., SourceClient]
):
    service.on("/search/publ/api", said(hits()), q="graph bees")
    service.on("/search/publ/api", said(hits(BEES)), q="graph|bees")
    found = pages(service, client, Search(text="graph bees"))
    assert [len(page.entries) for page in found] == [0, 1]


@pytest.mark.parametrize(
    "body",
    [
        b"<html><title>Busy</title></html>",
        b"",
        b"[]",
        b'{"result": {}}',
        b'{"result": {"status": {"@code": "500", "text": "Internal"}, "hits": {"@total": "0"}}}',
    ],
)
def test_something_else_than_hits_is_one_line_about_the_service(
    body: bytes, service: Service, client: Callable[..., SourceClient]
):
    service.on("/search/publ/api", Said(body))
    with pytest.raises(SourceError, match=r"^DBLP [^\n]*$"):
        pages(service, client, Search(text="bees"))


def test_a_refusal_waits_as_long_as_dblp_says(service: Service, client: Callable[..., SourceClient], time: object):
    service.on("/search/publ/api", Said(b"", 429, {"Retry-After": "17"}), said(hits(BEES)))
    (page,) = pages(service, client, Search(text="bees"))
    assert len(page.entries) == 1
    assert 17.0 in time.slept  # type: ignore[attr-defined]


ANYTHING = st.recursive(
    st.none() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["author", "text"]), inner),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(BEES)), ANYTHING))
def test_any_record_is_a_paper_or_refused(changes: dict[str, object]):
    page = DblpSearch().search(Search(text="bees")).read(json.dumps(hits(BEES | changes)).encode())
    assert len(page.entries) + len(page.rejects) == 1
