"""Abstracts of the starter papers: fetched by identifier, each service for what the others lack, and once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from novum.core import Paper
from novum.literature import Entry, Library, install_starter, starter_entries
from novum.literature.fetching.starter_abstracts import NOTE, complete_starter
from novum.literature.services.client import SourceClient
from novum.literature.sources import Source
from novum.literature.sources.arxiv import Arxiv
from novum.literature.sources.dblp_search import DblpSearch
from novum.literature.sources.europe_pmc import EuropePmc
from novum.literature.sources.openalex import OpenAlex
from novum.literature.sources.semantic_scholar import SemanticScholar
from tests.literature.sources.conftest import Asked, Said, Service, at, said

STARTER = [entry.paper for entry in starter_entries()]
WITH_DOI = [paper for paper in STARTER if paper.ids.doi]
WITH_ARXIV = [paper for paper in STARTER if paper.ids.arxiv]
FEED = '<feed xmlns="http://www.w3.org/2005/Atom">{}</feed>'


def work(paper: Paper, **changes: object) -> dict[str, object]:
    """What OpenAlex says of a paper."""
    number = "".join(char for char in paper.id if char.isdigit())[:9] or "1"
    words = {word: [place] for place, word in enumerate(f"All about number{number}.".split())}
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/{paper.ids.doi}",
        "title": paper.title,
        "publication_year": paper.year,
        "abstract_inverted_index": words,
        "topics": [{"display_name": "A topic of OpenAlex"}],
        **changes,
    }


class Scripted(Service):
    """Plays OpenAlex for the papers that it was given, and arXiv for all."""

    def __init__(self, works: list[dict[str, object]]) -> None:
        self.works = {str(one["doi"]).partition("doi.org/")[2].lower(): one for one in works}
        super().__init__()

    def answer(self, asked: Asked) -> Said:
        if asked.path == "/works":
            self.asked.append(asked)
            wanted = asked.query["filter"].partition(":")[2].split("|")
            return said({"meta": {"count": 1}, "results": [self.works[one] for one in wanted if one in self.works]})
        if asked.path == "/api/query":
            self.asked.append(asked)
            return Said(FEED.format("".join(map(entry, asked.query["id_list"].split(",")))).encode())
        return super().answer(asked)


def entry(number: str) -> str:
    """A paper of arXiv."""
    title = next(paper.title for paper in WITH_ARXIV if paper.ids.arxiv == number).replace("&", "&amp;")
    return (
        f"<entry><id>http://arxiv.org/abs/{number}v1</id><title>{title.replace('<', '&lt;')}</title>"
        f"<summary>arXiv says what {number} is about.</summary><published>2020-02-03T00:00:00Z</published></entry>"
    )


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        install_starter(opened)
        yield opened


@pytest.fixture
def services() -> Iterator[Scripted]:
    running = Scripted([work(paper) for paper in WITH_DOI[1:]])
    yield running
    running.close()


def complete(library: Library, client: Callable[..., SourceClient], *sources: Source, **options: object) -> int:
    """One call, as the first of a run."""

    async def run() -> int:
        async with client(**options) as asking:
            return await complete_starter(library, asking, sources)

    return asyncio.run(run())


def test_starter_papers_get_abstracts_and_nothing_else_changes(
    library: Library, services: Scripted, client: Callable[..., SourceClient]
):
    papers = library.size().papers
    done = complete(library, client, at(services, Arxiv), at(services, DblpSearch), at(services, OpenAlex))
    assert done == len({paper.id for paper in WITH_DOI[1:] + WITH_ARXIV})
    assert library.size().papers == papers
    got = library.get(WITH_DOI[1].id)
    assert got is not None
    assert (got.abstract[:16], got.ids.openalex is None) == ("All about number", False)
    assert (got.summary, got.fields, got.authors) == (WITH_DOI[1].summary, WITH_DOI[1].fields, WITH_DOI[1].authors)
    paths = [asked.path for asked in services.asked]
    assert paths == sorted(paths), "OpenAlex is asked for what arXiv did not have"
    assert len(paths) < 20


def test_it_is_done_once_and_a_new_service_is_asked_for_the_rest(
    library: Library, services: Scripted, client: Callable[..., SourceClient]
):
    complete(library, client, at(services, OpenAlex))
    asked = len(services.asked)
    assert complete(library, client, at(services, OpenAlex), fresh=True) == 0
    assert len(services.asked) == asked
    assert complete(library, client, at(services, OpenAlex), at(services, Arxiv)) > 0
    assert {one.path for one in services.asked[asked:]} == {"/api/query"}


def test_a_service_that_fails_is_asked_again_for_what_is_missing_and_does_not_stop_the_others(
    library: Library, services: Scripted, service: Service, client: Callable[..., SourceClient]
):
    first = Said(services.answer(Asked("/works", {"filter": "doi:" + str(WITH_DOI[1].ids.doi).lower()}, {}, b"")).body)
    service.on("/works", first, Said(b"<html>Proxy: sign in</html>"))
    service.on("/search", said({"hitCount": 0, "resultList": {"result": []}}))
    assert complete(library, client, at(service, OpenAlex), at(service, EuropePmc)) == 1
    assert library.get_note(NOTE) == '["europe-pmc"]'
    service.asked.clear()
    more = complete(library, client, at(services, OpenAlex), at(service, EuropePmc))
    assert more > 100
    assert service.asked == []
    assert library.get_note(NOTE) == '["europe-pmc","openalex"]'


def test_the_budget_for_searches_is_left_alone(library: Library, service: Service, client: Callable[..., SourceClient]):
    left = {"x-ratelimit-limit-usd": "0.01", "x-ratelimit-remaining-usd": "0.004", "x-ratelimit-cost-usd": "0.0001"}
    service.on("/works", said({"meta": {"count": 0}, "results": []}, headers=left))
    assert complete(library, client, at(service, OpenAlex)) == 0
    assert len(service.asked) <= 2
    assert library.get_note(NOTE) is None


def test_an_identifier_of_another_paper_is_not_believed(
    library: Library, service: Service, client: Callable[..., SourceClient]
):
    wrong = work(
        WITH_DOI[0], title="Something else altogether", authorships=[{"author": {"display_name": "Max Other"}}]
    )
    service.on(
        "/works", said({"meta": {"count": 2}, "results": [wrong, work(WITH_DOI[1], abstract_inverted_index=None)]})
    )
    assert complete(library, client, at(service, OpenAlex)) == 0
    kept = library.get(WITH_DOI[0].id)
    assert kept is not None
    assert kept.abstract == ""


def test_a_library_without_starter_papers_asks_nobody(
    tmp_path: Path, service: Service, client: Callable[..., SourceClient]
):
    with Library.open(tmp_path / "own") as own:
        own.add([Entry(Paper(title="A paper of my own", year=2020))])
        assert complete(own, client, at(service, OpenAlex), at(service, Arxiv)) == 0
    assert service.asked == []


def test_semantic_scholar_is_asked_with_a_key_alone(
    library: Library, service: Service, client: Callable[..., SourceClient]
):
    paper = WITH_DOI[1]
    found = {"paperId": "0" * 40, "externalIds": {"DOI": paper.ids.doi}, "title": paper.title, "year": paper.year}
    service.on("/graph/v1/paper/batch", said([found | {"abstract": "What it is about."}]))
    assert complete(library, client, at(service, SemanticScholar)) == 0
    assert service.asked == []
    keys = {"SEMANTIC_SCHOLAR_API_KEY": "a key of mine"}
    assert complete(library, client, at(service, SemanticScholar), environment=keys) == 1
    assert len(service.asked) <= 3
