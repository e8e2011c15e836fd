"""Semantic Scholar: what is asked, and what is made of its answers."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.errors import BadInput
from novum.literature import Reference
from novum.literature.importing.record import UnusableRecord
from novum.literature.services.client import SourceClient
from novum.literature.sources import Page, Request, Search
from novum.literature.sources.semantic_scholar import SemanticScholar, paper_entry
from tests.literature.sources.conftest import RECORDED, Said, Service, recorded, recorded_body, said

SHA = "a" * 40
OTHER = "b" * 40
THIRD = "c" * 40
PAPER = Paper(title="A Known Paper", year=2020, ids=Identifiers(s2=SHA))
SOURCE = SemanticScholar()

Make = Callable[..., SourceClient]


def record(title: str = "Étude of Graphs", paper_id: str | None = OTHER, **more: object) -> dict[str, object]:
    return {"paperId": paper_id, "title": title, "year": 2021, "authors": [{"authorId": "1", "name": "Zoë Łuk"}]} | more


def read_all(client: SourceClient, source: SemanticScholar, request: Request) -> list[Page]:
    async def inside() -> list[Page]:
        async with client:
            return [page async for page in client.pages(source, request)]

    return asyncio.run(inside())


def test_everything_that_a_record_says_is_kept() -> None:
    entry = paper_entry(
        record(
            externalIds={"DOI": "10.1/ABC", "ArXiv": "2101.00001v2", "ACL": "P1", "DBLP": "x/y", "CorpusId": 7},
            abstract="  It\nsays <b>so</b>. ",
            venue="V",
            publicationVenue={"name": "Very Long Venue"},
            publicationDate="2021-03-05",
            citationCount=12,
            s2FieldsOfStudy=[{"category": "Computer Science", "source": "s2"}],
            fieldsOfStudy=["Computer Science", "Art"],
        )
    )
    paper = entry.paper
    assert dict(paper.ids.items()) == {
        "doi": "10.1/abc", "arxiv": "2101.00001", "s2": OTHER, "acl": "P1", "dblp": "x/y",
    }  # fmt: skip
    assert (paper.title, paper.authors, paper.venue) == ("Étude of Graphs", ("Zoë Łuk",), "Very Long Venue")
    assert (paper.abstract, paper.date, paper.citation_count) == ("It says so .", dt.date(2021, 3, 5), 12)
    assert paper.fields == ("Computer Science", "Art")
    assert entry.key == ""


def test_a_record_of_the_data_set_is_read_by_the_same_function() -> None:
    entry = paper_entry(
        {
            "corpusid": 42,
            "externalids": {"DOI": "10.1/x", "ArXiv": None},
            "url": f"https://www.semanticscholar.org/paper/{SHA}",
            "title": "From the Data Set",
            "publicationdate": None,
            "citationcount": 3,
            "s2fieldsofstudy": [{"category": "Physics", "source": "external"}],
        },
        9,
    )
    assert (entry.key, entry.line, entry.paper.ids.s2, entry.paper.fields) == ("corpusid:42", 9, SHA, ("Physics",))


@pytest.mark.parametrize(
    ("given", "day"),
    [("2021-03-05", dt.date(2021, 3, 5)), ("2021-02-01", dt.date(2021, 2, 28)), ("2021-01-01", None), ("soon", None)],
)
def test_a_first_of_the_month_vouches_only_for_the_month(given: str, day: dt.date | None) -> None:
    assert paper_entry(record(publicationDate=given)).paper.date == day


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": None}, "no title"),
        ({"title": "x" * 2000}, "a title of 2,000 characters"),
        ({"title": "RETRACTED: Étude of Graphs"}, "withdrawn"),
        ({"title": "WITHDRAWN ARTICLE: Étude"}, "withdrawn"),
        ({"abstract": "x" * 200_000}, "an abstract of 200,000 characters"),
    ],
)
def test_a_record_that_is_no_paper_is_refused_with_its_reason(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(UnusableRecord, match=reason):
        paper_entry(record(**changes))


_PLAIN = st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.integers()
_JSON = _PLAIN | st.lists(_PLAIN, max_size=3) | st.dictionaries(st.text(max_size=3), _PLAIN, max_size=3)
_NAMES = ("paperId", "title", "year", "authors", "externalIds", "abstract", "venue", "publicationVenue", "journal",
          "publicationDate", "citationCount", "fieldsOfStudy", "s2FieldsOfStudy", "url", "corpusid")  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(_NAMES), _JSON | st.lists(_JSON, max_size=2), max_size=6))
def test_no_record_breaks_the_reader(anything: dict[str, object]) -> None:
    try:
        assert paper_entry(anything).paper.title
    except UnusableRecord as reason:
        assert str(reason)


def test_a_search_asks_for_the_days_fields_and_venues_that_are_wanted() -> None:
    request = SOURCE.search(
        Search(
            text="graph-based (deep) learning?",
            since=dt.date(2020, 1, 1),
            before=dt.date(2021, 1, 1),
            fields=("Biology",),
            venues=("Nature", "Science"),
            limit=30,
        )
    )
    asked = request.parameters
    assert request.url == "https://api.semanticscholar.org/graph/v1/paper/search"
    assert (asked["query"], asked["limit"], asked["offset"]) == ("graph based deep learning", "30", "0")
    assert asked["publicationDateOrYear"] == "2020-01-01:2020-12-31"
    assert (asked["fieldsOfStudy"], asked["venue"]) == ("Biology", "Nature,Science")
    assert {"title", "abstract", "externalIds", "authors"} <= set(asked["fields"].split(","))


def test_half_of_the_words_follow_where_all_find_next_to_nothing() -> None:
    request = SOURCE.search(Search(text="Dances of honey bees in rainy Malta", limit=20))
    assert request.parameters["query"] == "dances honey bees rainy malta"
    following = request.read(json.dumps({"total": 4, "data": [record()]}).encode()).next_request
    assert following
    assert following.parameters["query"] == "dances honey malta"
    assert following.read(b'{"total": 0, "offset": 0}').next_request is None
    assert request.read(json.dumps({"total": 5, "data": [record()]}).encode()).next_request is None


def test_a_search_without_words_is_refused() -> None:
    with pytest.raises(BadInput, match="Semantic Scholar needs words"):
        SOURCE.search(Search(text=" -?* "))


def test_small_searches_are_ranked_and_paged_by_place(client: Make, service: Service) -> None:
    path = "/graph/v1/paper/search"
    service.on(path, said({"total": 3, "offset": 0, "next": 2, "data": [record("A"), record("B", SHA)]}), offset="0")
    service.on(path, said({"total": 3, "offset": 2, "data": [record("C", THIRD)]}), offset="2")
    source = SemanticScholar(service.address)
    pages = read_all(client(), source, source.search(Search(text="any")))
    assert [[entry.paper.title for entry in page.entries] for page in pages] == [["A", "B"], ["C"]]
    assert pages[0].total == 3


def test_the_ranked_search_ends_where_the_service_ends_it() -> None:
    request = SOURCE.search(Search(text="any", limit=1000))
    answer = json.dumps({"total": 70_000, "offset": 0, "next": 1000, "data": [record()]}).encode()
    assert request.read(answer).next_request is None


def test_large_searches_are_paged_by_token(client: Make, service: Service) -> None:
    path = "/graph/v1/paper/search/bulk"
    service.on(path, said({"total": 3, "token": "next!", "data": [record("A"), record("B", SHA)]}))
    service.on(path, said({"total": 3, "token": None, "data": [record("C", THIRD)]}), token="next!")
    source = SemanticScholar(service.address)
    pages = read_all(client(), source, source.search(Search(text="any", limit=5000)))
    assert [len(page.entries) for page in pages] == [2, 1]
    assert [asked.query["sort"] for asked in service.asked] == ["citationCount:desc"] * 2


def test_nothing_found_is_an_empty_page() -> None:
    page = SOURCE.search(Search(text="any")).read(b'{"total": 0, "offset": 0}')
    assert (page.entries, page.rejects, page.next_request, page.total) == ((), (), None, 0)


def test_papers_are_fetched_by_any_name_that_the_service_knows(client: Make, service: Service) -> None:
    service.on("/graph/v1/paper/batch", said([None, record(), {"paperId": SHA, "title": ""}]))
    source = SemanticScholar(service.address)
    known = [("doi", "10.1/x"), ("arxiv", "2101.00001"), ("s2", SHA), ("openalex", "W1"), ("doi", "10.1/x")]
    (request,) = source.fetch(known)
    (page,) = read_all(client(), source, request)
    assert json.loads(service.asked[0].body) == {"ids": ["DOI:10.1/x", "ARXIV:2101.00001", SHA]}
    assert [entry.paper.ids.s2 for entry in page.entries] == [OTHER]
    assert [str(reject) for reject in page.rejects] == ["Semantic Scholar:2: no title"]


def test_five_hundred_names_go_into_one_request() -> None:
    requests = SOURCE.fetch([("doi", f"10.1/{number}") for number in range(1200)])
    assert [len(json.loads(request.body)["ids"]) for request in requests] == [500, 500, 200]


def test_the_pages_of_references_hold_the_citing_paper_with_its_links() -> None:
    (request,) = SOURCE.references([PAPER])
    assert request.url.endswith(f"/paper/{SHA}/references")
    cited = [{"citedPaper": record()}, {"citedPaper": record("A Book That Nobody Has", None)}, {"citedPaper": None}]
    page = request.read(json.dumps({"offset": 0, "data": cited}).encode())
    *others, citing = page.entries
    assert [entry.paper.ids.s2 for entry in others] == [OTHER]
    assert citing.paper == PAPER
    assert citing.references == (
        Reference(scheme="s2", value=OTHER),
        Reference(scheme="title", value="A Book That Nobody Has"),
    )


def test_citing_papers_name_the_paper_that_they_cite() -> None:
    by_doi = Paper(title="By DOI", ids=Identifiers(doi="10.1/a b"))
    nameless = Paper(title="Nobody Knows Me")
    first, second = SOURCE.citations([PAPER, by_doi, nameless])
    assert second.url.endswith("/paper/DOI:10.1%2Fa%20b/citations")
    answer = json.dumps({"offset": 0, "data": [{"citingPaper": record()}, {"citingPaper": {"paperId": None}}]}).encode()
    page = first.read(answer)
    assert [entry.references for entry in page.entries] == [(Reference(scheme="s2", value=SHA),)]
    assert second.read(answer).entries[0].references == (Reference(scheme="doi", value="10.1/a b"),)
    assert [reject.reason for reject in page.rejects] == ["no title"]


def test_citations_end_where_the_service_ends_them_and_it_is_told() -> None:
    (request,) = SOURCE.citations([PAPER])
    limits, rejects = [], []
    while request:
        offset, limit = int(request.parameters["offset"]), int(request.parameters["limit"])
        limits.append(offset + limit)
        page = request.read(json.dumps({"next": offset + limit, "data": [{"citingPaper": record()}]}).encode())
        rejects += page.rejects
        request = page.next_request
    assert limits[-1] == 9_999
    assert len(limits) == 20
    assert [reject.reason for reject in rejects] == [
        "citations of 'A Known Paper' beyond the first 9,999 cannot be fetched"
    ]


def test_references_that_a_publisher_withholds_are_none() -> None:
    (request,) = SOURCE.references([PAPER])
    assert request.read(b'{"citingPaperInfo": {}, "data": null}').entries == ()


@pytest.mark.parametrize("answer", [b"", b"[]", b"null", b'{"data": {"a": 1}}', b'{"data": [{"paperId"', b"<html>"])
def test_an_answer_of_another_form_is_an_error(answer: bytes) -> None:
    with pytest.raises(ValueError, match=r"JSON|no list"):
        SOURCE.search(Search(text="any")).read(answer)


def test_the_key_travels_in_a_header_only() -> None:
    assert SOURCE.headers("k") == {"x-api-key": "k"}
    assert SOURCE.headers("") == SOURCE.credentials("k", "me@example.org") == {}


# The answers of the real service, as they were recorded (with their folder missing, only the hand-made ones above).

HAND_MADE = {"uri": "/paper/search?query=any", "status": 200, "body": json.dumps({"data": [record()]})}
SEARCHES = [one for one in recorded("semanticscholar") if "/paper/search" in str(one["uri"]) and one["status"] == 200]


def test_every_recorded_search_is_read_without_loss() -> None:
    for one in [HAND_MADE, *SEARCHES]:
        body = str(one["body"]).encode()
        page = SOURCE.search(Search(text="any")).read(body)
        given = json.loads(body).get("data") or []
        assert len(page.entries) + len(page.rejects) == len(given)
        without = sum("title" not in each for each in given)
        assert len(page.rejects) >= without


def test_recorded_citations_are_followed_from_page_to_page(client: Make, service: Service) -> None:
    path = f"/graph/v1/paper/{SHA}/citations"
    service.on(path, said({"offset": 0, "next": 100, "data": [{"citingPaper": record()}]}), offset="0")
    service.on(path, said({"offset": 100, "data": [{"citingPaper": record("Last", None)}]}), offset="100")
    expected = 2
    if RECORDED.exists():
        expected = 1881
        for offset in range(0, 1900, 100):
            body = recorded_body("semanticscholar", f"14514057/citations?fields=title&offset={offset}&")
            service.on(path, Said(body or b""), offset=str(offset))
    source = SemanticScholar(service.address)
    (request,) = source.citations([PAPER])
    pages = read_all(client(), source, request)
    entries = [entry for page in pages for entry in page.entries]
    assert len(entries) + sum(len(page.rejects) for page in pages) == expected
    assert {entry.references for entry in entries} == {(Reference(scheme="s2", value=SHA),)}


def test_recorded_references_keep_the_works_without_an_id_as_titles() -> None:
    body = recorded_body("semanticscholar", "2250500/references?fields=title&offset=0")
    made = json.dumps({"next": 1, "data": [{"citedPaper": record()}, {"citedPaper": record("Only a Title", None)}]})
    (request,) = SOURCE.references([PAPER])
    page = request.read(body or made.encode())
    references = page.entries[-1].references
    by_title = [reference for reference in references if reference.scheme == "title"]
    assert (len(references), len(by_title)) == ((50, 10) if body else (2, 1))
    assert page.next_request is not None
