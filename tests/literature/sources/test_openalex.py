"""OpenAlex: what is asked, and what is made of its answers."""

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
from novum.literature import Reference
from novum.literature.importing.record import UnusableRecord
from novum.literature.services.client import SourceClient
from novum.literature.sources import Page, Request, Search
from novum.literature.sources.openalex import OpenAlex, work_entry
from tests.literature.sources.conftest import RECORDED, Said, Service, recorded, said

SOURCE = OpenAlex()
Make = Callable[..., SourceClient]


def work(number: int = 1, title: str | None = "Étude of Graphs", **more: object) -> dict[str, object]:
    return {
        "id": f"https://openalex.org/W{number}",
        "title": title,
        "publication_year": 2021,
        "publication_date": "2021-03-05",
        "authorships": [{"author": {"display_name": "Zoë Łuk"}}, {"raw_author_name": "李明"}, {"author": None}],
        **more,
    }


def results(*works: dict[str, object], count: int | None = None, **meta: object) -> Said:
    return said({"meta": {"count": len(works) if count is None else count, **meta}, "results": works})


def read_all(client: SourceClient, source: OpenAlex, request: Request) -> list[Page]:
    async def inside() -> list[Page]:
        async with client:
            return [page async for page in client.pages(source, request)]

    return asyncio.run(inside())


def test_everything_that_a_work_says_is_kept() -> None:
    entry = work_entry(
        work(
            title="<i>Étude</i> of Graphs &amp; Trees",
            doi="https://doi.org/10.1/ABC",
            abstract_inverted_index={"graphs": [1, 3], "On": [0], "and": [2], "trees": [4]},
            primary_location={"source": {"display_name": "Journal of Graphs"}},
            locations=[{"landing_page_url": "http://arxiv.org/abs/2101.00001v3"}],
            topics=[{"display_name": "Graph Theory", "field": {"display_name": "Mathematics"}, "subfield": None}],
            cited_by_count=12,
            referenced_works=["https://openalex.org/W2", "https://openalex.org/W2", "https://openalex.org/A3", None],
        ),
        7,
    )
    paper = entry.paper
    assert dict(paper.ids.items()) == {"doi": "10.1/abc", "arxiv": "2101.00001", "openalex": "W1"}
    assert (paper.title, paper.authors) == ("Étude of Graphs & Trees", ("Zoë Łuk", "李明"))
    assert (paper.abstract, paper.venue, paper.citation_count) == (
        "On graphs and graphs trees",
        "Journal of Graphs",
        12,
    )
    assert (paper.fields, paper.date) == (("Mathematics", "Graph Theory"), dt.date(2021, 3, 5))
    assert (entry.references, entry.key, entry.line) == ((Reference(scheme="openalex", value="W2"),), "", 7)


def test_a_work_with_only_a_year_is_not_taken_to_be_of_its_first_day() -> None:
    paper = work_entry(work(publication_date="2021-01-01")).paper
    assert (paper.date, paper.year) == (None, 2021)
    assert not paper.is_before(dt.date(2021, 6, 1))


def test_an_arxiv_doi_is_an_arxiv_id_too() -> None:
    ids = work_entry(work(doi="https://doi.org/10.48550/arXiv.2312.07559")).paper.ids
    assert (ids.doi, ids.arxiv) == ("10.48550/arxiv.2312.07559", "2312.07559")


def test_an_abstract_may_be_missing() -> None:
    assert work_entry(work(abstract_inverted_index=None)).paper.abstract == ""


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": None}, "no title"),
        ({"title": "<b> </b>"}, "no title"),
        ({"is_retracted": True}, "withdrawn: 'Étude of Graphs' is marked as retracted"),
        ({"title": "Retracted Article: Étude"}, "withdrawn"),
        ({"is_paratext": True}, "front matter"),
        ({"abstract_inverted_index": {"spam": list(range(10**5))}}, "an abstract of over"),
    ],
)
def test_a_work_that_is_no_paper_is_refused_with_its_reason(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(UnusableRecord, match=reason):
        work_entry(work(**changes))


@pytest.mark.parametrize(
    ("index", "text"),
    [
        ({"b": [-1, 1], "a": [0]}, "a b"),
        ({"end": [10**12], "start": [5]}, "start end"),
        ({"a": "no list", "b": [0, None, 1.5, "2"]}, "b"),
        ([1, 2], ""),
    ],
)
def test_a_hostile_index_gives_what_can_be_read_of_it(index: object, text: str) -> None:
    assert work_entry(work(abstract_inverted_index=index)).paper.abstract == text


_PLAIN = st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.integers()
_JSON = _PLAIN | st.lists(_PLAIN, max_size=3) | st.dictionaries(st.text(max_size=3), _PLAIN, max_size=3)
_NAMES = (
    *("id", "ids", "doi", "title", "display_name", "publication_year", "publication_date", "authorships", "topics"),
    *("concepts", "primary_location", "locations", "cited_by_count", "referenced_works", "abstract_inverted_index"),
)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(_NAMES), _JSON | st.lists(_JSON, max_size=2), max_size=6))
def test_no_record_breaks_the_reader(anything: dict[str, object]) -> None:
    try:
        assert work_entry(anything).paper.title
    except UnusableRecord as reason:
        assert str(reason)


def test_a_search_asks_for_the_days_and_fields_that_are_wanted() -> None:
    request = SOURCE.search(
        Search(
            text='What is "graph" learning?',
            since=dt.date(2018, 1, 1),
            before=dt.date(2020, 3, 1),
            fields=("computer science", "Medicine"),
            limit=30,
        )
    )
    asked = request.parameters
    assert (request.url, asked["search"]) == ("https://api.openalex.org/works", "graph learning")
    assert (asked["per_page"], asked["page"]) == ("30", "1")
    assert asked["filter"] == "from_publication_date:2018-01-01,to_publication_date:2020-02-29,topics.field.id:17|27"


@pytest.mark.parametrize(
    ("search", "complaint"),
    [
        ({"text": "?!"}, "OpenAlex needs words"),
        ({"text": "any", "fields": ("Alchemy",)}, "no field 'Alchemy'.*Chemistry"),
    ],
)
def test_a_search_that_cannot_be_asked_is_refused(search: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        SOURCE.search(Search.model_validate(search))


def test_pages_follow_by_number_until_all_are_seen(client: Make, service: Service) -> None:
    service.on("/works", results(work(1), work(2), count=3), page="1")
    service.on("/works", results(work(3), count=3), page="2")
    source = OpenAlex(service.address)
    pages = read_all(client(), source, source.search(Search(text="any", limit=2)))
    assert [[entry.paper.ids.openalex for entry in page.entries] for page in pages] == [["W1", "W2"], ["W3"]]
    assert pages[0].total == 3


def test_more_than_ten_thousand_are_paged_by_cursor(client: Make, service: Service) -> None:
    service.on("/works", results(work(1), count=20_000, next_cursor="more="), cursor="*")
    service.on("/works", results(count=20_000, next_cursor="evermore"), cursor="more=")
    source = OpenAlex(service.address)
    pages = read_all(client(), source, source.search(Search(text="any", limit=15_000)))
    assert [len(page.entries) for page in pages] == [1, 0]
    assert [asked.query["per_page"] for asked in service.asked] == ["100", "100"]


def test_works_are_fetched_by_id_and_doi_and_odd_dois_one_by_one(client: Make, service: Service) -> None:
    service.on("/works", results(work(1)))
    service.on("/works/doi:10.1023%2Fa:1007154515475", said(work(2)))
    source = OpenAlex(service.address)
    known = [
        ("openalex", "W1"),
        ("doi", "10.1/x"),
        ("arxiv", "2101.1"),
        ("doi", "10.1023/a:1007154515475"),
        ("s2", "x"),
    ]
    requests = source.fetch(known)
    pages = [page for request in requests for page in read_all(client(), source, request)]
    assert [asked.query.get("filter") for asked in service.asked] == [
        "openalex:W1",
        "doi:10.1/x|10.48550/arxiv.2101.1",
        None,
    ]
    assert [entry.paper.ids.openalex for page in pages for entry in page.entries] == ["W1", "W1", "W2"]


def test_a_hundred_numbers_or_fifty_dois_go_into_one_request() -> None:
    requests = SOURCE.fetch([("openalex", f"W{number}") for number in range(1, 121)])
    assert [request.parameters["filter"].count("W") for request in requests] == [100, 20]
    requests = SOURCE.fetch([("doi", f"10.1/{number}") for number in range(60)] + [("pmid", "7"), ("pmid", "x")])
    assert [request.parameters["filter"].count("10.1/") for request in requests] == [50, 10, 0]
    assert requests[-1].parameters["filter"] == "pmid:7"


def test_works_can_be_fetched_one_by_one_since_that_is_free() -> None:
    requests = SOURCE.fetch_free([("openalex", "W1"), ("arxiv", "2101.00001"), ("pmid", "7"), ("acl", "P1")])
    assert [request.url.rpartition("/works/")[2] for request in requests] == [
        "W1",
        "doi:10.48550%2Farxiv.2101.00001",
        "pmid:7",
    ]
    assert [SOURCE.cost(request) for request in requests] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "query", "fewer"),
    [
        ("BERT", "bert", None),
        ("How do guilds shape medieval Flanders?", "guilds shape medieval flanders", "medieval flanders"),
        ('ants AND "tree of life" NOT (bees)', '"tree of life" ants bees', '"tree of life" ants'),
        ("Einfluss der Zünfte auf Flandern", "einfluss zünfte flandern", "zünfte flandern"),
        ("中世纪佛兰德的贸易行会", "中世纪佛兰德的贸易行会", None),
        ("to be or not to be", "to be or not", "to be"),
    ],
)  # fmt: skip
def test_a_search_becomes_its_keywords_and_fewer_where_they_find_nothing(
    text: str, query: str, fewer: str | None
) -> None:
    request = SOURCE.search(Search(text=text, limit=10))
    assert request.parameters["search"] == query
    following = request.read(results(work(1), count=1).body).next_request
    assert (following and following.parameters["search"]) == fewer
    assert request.read(results(work(1), count=5).body).next_request is None
    assert following is None or following.read(results(count=0).body).next_request is None


ABSTRACT = (
    "We propose to map how exhaustion of lymphocytes in solid tumours arises, by integrating sequencing of single "
    "cells with spatial transcriptomics, in order to identify novel checkpoint targets for immunotherapy. "
)


def test_a_long_text_goes_to_the_semantic_search_and_else_to_that_of_its_keywords() -> None:
    request = SOURCE.search(Search(text=ABSTRACT * 30, limit=80, fields=("Medicine",)))
    asked = request.parameters
    assert asked["search.semantic"].startswith("We propose to map")
    assert len(asked["search.semantic"]) == 2000
    assert (asked["per_page"], asked["filter"], "search" in asked) == ("50", "topics.field.id:27", False)
    assert request.instead
    assert len(request.instead.parameters["search"].split()) == 6
    following = request.read(results(*(work(number) for number in range(1, 51)), count=50).body).next_request
    assert following
    assert following.parameters == request.instead.parameters
    few = SOURCE.search(Search(text=ABSTRACT, limit=50)).read(results(work(1), count=1).body)
    assert few.next_request is None


def test_where_the_semantic_search_does_not_answer_the_keywords_do(client: Make, service: Service) -> None:
    service.on("/works", results(*(work(number) for number in range(1, 6)), count=5))
    service.on("/works", said({"error": "Embedding failed"}, status=400), **{"search.semantic": ABSTRACT.strip()})
    source = OpenAlex(service.address)
    (page,) = read_all(client(), source, source.search(Search(text=ABSTRACT, limit=50)))
    assert len(page.entries) == 5
    assert [asked.query.keys() & {"search", "search.semantic"} for asked in service.asked] == [
        {"search.semantic"},
        {"search"},
    ]


def test_citing_works_that_fit_a_topic_come_first_and_the_most_cited_follow_where_none_do() -> None:
    (request,) = SOURCE.citations([Paper(title="x", ids=Identifiers(openalex="W1"))], topic="the guilds of Flanders")
    assert request.parameters["search"] == "guilds OR flanders"
    assert request.parameters["filter"] == "cites:W1"
    assert "sort" not in request.parameters
    assert SOURCE.cost(request) == 0.001
    following = request.read(results(count=0).body).next_request
    assert following
    assert following.parameters["sort"] == "cited_by_count:desc"
    assert SOURCE.cost(following) == 0.0001
    (plain,) = SOURCE.citations([Paper(title="x", ids=Identifiers(openalex="W1"))])
    assert plain.parameters == following.parameters


def test_citing_works_are_asked_for_fifty_papers_at_once_and_say_what_they_cite() -> None:
    papers = [Paper(title="x", ids=Identifiers(openalex=f"W{number}")) for number in (1, 2)]
    (request,) = SOURCE.citations([*papers, Paper(title="Nobody Knows Me")])
    assert request.parameters["filter"] == "cites:W1|W2"
    citing = work(3, referenced_works=["https://openalex.org/W2"])
    page = request.read(results(citing).body)
    assert page.entries[0].references == (Reference(scheme="openalex", value="W2"),)
    assert SOURCE.references(papers) == []


def test_pages_end_where_the_service_ends_them_and_it_is_told() -> None:
    (request,) = SOURCE.citations([Paper(title="x", ids=Identifiers(openalex="W1"))])
    rejects, asked = [], 0
    while request:
        page = request.read(results(work(), count=10_500).body)
        rejects += page.rejects
        request, asked = page.next_request, asked + 1
    assert asked == 100
    assert [str(reject) for reject in rejects] == ["OpenAlex:10000: the other 500 cannot be fetched"]


def test_rejects_say_where_in_the_results_they_were() -> None:
    page = SOURCE.search(Search(text="any")).read(results(work(1), work(2, None), work(3)).body)
    assert [str(reject) for reject in page.rejects] == ["OpenAlex:2: no title"]
    assert len(page.entries) == 2


@pytest.mark.parametrize("answer", [b"", b"[]", b"{}", b'{"results": 3}', b'{"results": [{"id"', b"<html>"])
def test_an_answer_of_another_form_is_an_error(answer: bytes) -> None:
    with pytest.raises(ValueError, match=r"JSON|no list"):
        SOURCE.search(Search(text="any")).read(answer)


def test_a_spent_day_without_a_key_ends_in_one_line_that_says_what_to_do(client: Make, service: Service) -> None:
    service.on("/works", said({"error": "Rate limit exceeded"}, status=429, headers={"Retry-After": "40000"}))
    source = OpenAlex(service.address)
    with pytest.raises(SourceError, match=r"OpenAlex refused us .*set OPENALEX_API_KEY .*other sources\.$"):
        read_all(client(), source, source.search(Search(text="any")))


def test_key_and_contact_are_parameters() -> None:
    assert SOURCE.credentials("k", "me@example.org") == {"api_key": "k", "mailto": "me@example.org"}
    assert SOURCE.credentials("", "") == SOURCE.headers("k") == {}


# The answers of the real service, as they were recorded (with their folder missing, only the hand-made one).


def recorded_works() -> list[dict[str, object]]:
    answers = [json.loads(str(one["body"])) for one in recorded("openalex") if one["status"] == 200]
    single = RECORDED / "openalex" / "work.json"
    answers += [json.loads(single.read_text("utf-8"))] if single.exists() else []
    found = [each for one in answers for each in one.get("results", [one]) if "title" in each]
    made = work(abstract_inverted_index={"Hello": [0]}, referenced_works=["https://openalex.org/W2"])
    return [made | {"doi": "https://doi.org/10.1/x"}, *found]


def test_every_recorded_work_becomes_a_paper_with_its_references() -> None:
    for one in recorded_works():
        entry = work_entry(one)
        assert str(one["id"]).endswith(str(entry.paper.ids.openalex))
        assert len(entry.references) == len(one["referenced_works"])  # type: ignore[arg-type]
        assert bool(entry.paper.abstract) == bool(one.get("abstract_inverted_index"))
        assert bool(entry.paper.authors) == bool(one["authorships"])


def test_a_recorded_work_is_fetched_by_its_doi(client: Make, service: Service) -> None:
    works = {str(one["doi"]).removeprefix("https://doi.org/"): one for one in recorded_works() if one.get("doi")}
    source = OpenAlex(service.address)
    service.on("/works", results(*(one for doi, one in works.items() if ":" not in doi)))
    for doi, one in works.items():
        service.on(f"/works/doi:{doi.replace('/', '%2F')}", said(one))
    requests = source.fetch([("doi", doi) for doi in works])
    pages = [page for request in requests for page in read_all(client(), source, request)]
    found = [entry.paper.ids.doi for page in pages for entry in page.entries]
    assert sorted(map(str, found)) == sorted(works)
