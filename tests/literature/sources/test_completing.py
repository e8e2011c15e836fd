"""Missing abstracts are fetched by identifier: in batches, one by one where that is free, within the budget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from novum.core import Identifiers, Paper
from novum.literature import Entry, Library
from novum.literature.fetching.completing import complete_abstracts
from novum.literature.services.client import SourceClient
from novum.literature.sources import Search, Source
from novum.literature.sources.crossref import Crossref
from novum.literature.sources.openalex import OpenAlex
from tests.literature.sources.conftest import Service, said

Make = Callable[..., SourceClient]


def paper(number: int, **more: object) -> Paper:
    return Paper(title=f"The Dance of Bees, Part {number}", year=2020, ids=Identifiers(doi=f"10.1000/{number}"), **more)


def work(number: int, *, abstract: str = "dance", doi: str = "") -> dict[str, object]:
    """A record of OpenAlex."""
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": doi or f"https://doi.org/10.1000/{number}",
        "title": f"The Dance of Bees, Part {number}",
        "publication_year": 2020,
        "abstract_inverted_index": {"Bees": [0], abstract: [1]} if abstract else None,
        "referenced_works": ["https://openalex.org/W1"],
    }


def works(*records: dict[str, object], remaining: float | None = None):
    headers = {} if remaining is None else {"X-RateLimit-Remaining-USD": str(remaining)}
    return said({"meta": {"count": len(records)}, "results": records}, headers=headers)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


def complete(library: Library, client: SourceClient, papers: list[Paper], *sources: Source, **options: float) -> int:
    library.add([Entry(one) for one in papers], "test")

    async def inside() -> int:
        async with client:
            return await complete_abstracts(library, client, papers, sources, **options)

    return asyncio.run(inside())


def test_papers_without_abstract_are_completed_in_one_batch_and_others_are_left_alone(
    library: Library, client: Make, service: Service
) -> None:
    service.on("/works", works(work(1), work(2)))
    papers = [paper(1), paper(2), paper(3, abstract="Known before."), Paper(title="Without Any Name")]
    assert complete(library, client(), papers, OpenAlex(service.address)) == 2
    assert [asked.query["filter"] for asked in service.asked] == ["doi:10.1000/1|10.1000/2"]
    completed = library.get(papers[1].id)
    assert completed
    assert (completed.abstract, completed.ids.openalex) == ("Bees dance", "W2")
    known = library.get(papers[2].id)
    assert known
    assert known.abstract == "Known before."


def test_the_next_source_is_asked_for_what_the_first_did_not_have(
    library: Library, client: Make, service: Service, other_service: Service
) -> None:
    service.on("/works", works(work(1), work(2, abstract="")))
    record = {"DOI": "10.1000/2", "title": ["The Dance of Bees, Part 2"], "abstract": "<jats:p>Bees sing.</jats:p>"}
    other_service.on("/works/10.1000%2F2", said({"message": record}))
    papers = [paper(1), paper(2)]
    done = complete(library, client(), papers, OpenAlex(service.address), Crossref(other_service.address))
    assert done == 2
    assert [asked.path for asked in other_service.asked] == ["/works/10.1000%2F2"]
    completed = library.get(papers[1].id)
    assert completed
    assert completed.abstract == "Bees sing."


def test_where_the_budget_is_spent_records_are_fetched_one_by_one_for_free(
    library: Library, client: Make, service: Service
) -> None:
    service.on("/works", works(remaining=0.0))
    for number in (1, 2):
        service.on(f"/works/doi:10.1000%2F{number}", said(work(number)))
    source, guest = OpenAlex(service.address), client()
    papers = [paper(1), paper(2)]
    library.add([Entry(one) for one in papers], "test")

    async def inside() -> int:
        async with guest:
            await guest.page(source, source.search(Search(text="bees")))
            return await complete_abstracts(library, guest, papers, [source])

    assert asyncio.run(inside()) == 2
    assert [asked.path for asked in service.asked] == ["/works", "/works/doi:10.1000%2F1", "/works/doi:10.1000%2F2"]


def test_a_source_that_fails_costs_no_other(
    library: Library, client: Make, service: Service, other_service: Service
) -> None:
    service.on("/works", said({"error": "down"}, status=503))
    record = {"DOI": "10.1000/1", "title": ["The Dance of Bees, Part 1"], "abstract": "Bees sing."}
    other_service.on("/works/10.1000%2F1", said({"message": record}))
    sources = [OpenAlex(service.address), Crossref(other_service.address)]
    assert complete(library, client(patience=12.0), [paper(1)], *sources) == 1


def test_another_paper_under_a_known_identifier_is_not_believed(
    library: Library, client: Make, service: Service
) -> None:
    other = work(1) | {"title": "Economics of Steel", "authorships": [{"author": {"display_name": "Ada Smith"}}]}
    service.on("/works", works(other))
    papers = [paper(1, authors=("Karl von Frisch",))]
    assert complete(library, client(), papers, OpenAlex(service.address)) == 0
    known = library.get(papers[0].id)
    assert known
    assert known.abstract == ""


def test_with_nothing_to_complete_nobody_is_asked(library: Library, client: Make, service: Service) -> None:
    assert complete(library, client(), [paper(1, abstract="Known.")], OpenAlex(service.address)) == 0
    assert service.asked == []
