"""CORE: how it is asked, and what is made of its works."""

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
from novum.literature.services.client import SourceClient
from novum.literature.sources import Page, Search
from novum.literature.sources.core import Core, work_entry
from tests.literature.sources.conftest import Said, Service, at, said

BEES: dict[str, object] = {
    "id": 4711,
    "doi": "https://doi.org/10.1000/BEE.1",
    "arxivId": "2101.00001",
    "pubmedId": 31000001,
    "title": "On bees",
    "authors": [{"name": "Nuñez, Zoë"}, {"name": "Wei Li"}, {"name": 7}],
    "abstract": "<p>Bees dance &amp; sing.</p>",
    "yearPublished": 2019,
    "publishedDate": "2019-03-04T00:00:00",
    "journals": [{"title": None}, {"title": "Bee World"}],
    "citationCount": 3,
    "downloadUrl": "https://core.ac.uk/download/4711.pdf",
}


def works(*records: object, total: int | None = None) -> dict[str, object]:
    """An answer as CORE writes it."""
    return {"totalHits": len(records) if total is None else total, "results": list(records)}


def pages(service: Service, client: Callable[..., SourceClient], search: Search) -> list[Page]:
    """All pages of a search, made with a key."""

    async def run() -> list[Page]:
        async with client(environment={"CORE_API_KEY": "a key of CORE"}) as asking:
            source = at(service, Core)
            return [page async for page in asking.pages(source, source.search(search))]

    return asyncio.run(run())


def test_a_work_becomes_a_paper():
    entry = work_entry(BEES)
    paper = entry.paper
    assert (paper.title, paper.year, paper.date) == ("On bees", 2019, dt.date(2019, 3, 4))
    assert (paper.authors, paper.venue) == (("Zoë Nuñez", "Wei Li"), "Bee World")
    assert (paper.abstract, paper.citation_count) == ("Bees dance & sing.", 3)
    assert paper.ids == Identifiers(doi="10.1000/bee.1", arxiv="2101.00001", pmid="31000001")
    assert entry.key == "core:4711"


def test_a_search_is_for_keywords_and_years_and_shows_its_key_in_a_header_alone(
    service: Service, client: Callable[..., SourceClient]
):
    service.on("/search/works/", said(works(BEES, BEES | {"id": 1}, total=3)), offset="0")
    service.on(
        "/search/works/", said(works(BEES | {"publishedDate": None, "yearPublished": 2030}, total=3)), offset="2"
    )
    days = {"since": dt.date(2018, 1, 1), "before": dt.date(2020, 1, 1)}
    found = pages(service, client, Search(text="How do bees dance?", limit=2, **days))
    assert [len(page.entries) for page in found] == [2, 0]
    asked = service.asked[0]
    assert asked.query["q"] == "(bees AND dance) AND yearPublished>=2018 AND yearPublished<=2020"
    assert asked.headers["Authorization"] == "Bearer a key of CORE"
    assert "a key of CORE" not in json.dumps(asked.query)
    with pytest.raises(BadInput, match="searched by words"):
        Core().search(Search(text="?"))


def test_a_doi_with_quotes_is_not_asked_for():
    assert Core().open_copies(Paper(title="x", ids=Identifiers(doi='10.1/"x'))) is None
    assert Core().open_copies(Paper(title="x")) is None


@pytest.mark.parametrize(
    "answer",
    [Said(b"<html></html>"), Said(b"[]"), said({"message": "Maintenance"}), Said(b'{"message": "No key"}', 401)],
    ids=["page", "list", "message", "refused"],
)
def test_something_else_than_works_is_one_line_about_the_service(
    answer: Said, service: Service, client: Callable[..., SourceClient]
):
    service.on("/search/works/", answer)
    with pytest.raises(SourceError, match=r"^CORE [^\n]*$"):
        pages(service, client, Search(text="bees"))


ANYTHING = st.recursive(
    st.none() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "title", "doi"]), inner),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([*BEES, "identifiers", "publisher"]), ANYTHING))
def test_any_record_is_a_paper_or_refused(changes: dict[str, object]):
    page = Core().search(Search(text="bees")).read(json.dumps(works(BEES | changes)).encode())
    assert len(page.entries) + len(page.rejects) == 1
