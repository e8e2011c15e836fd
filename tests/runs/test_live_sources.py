"""Runs that fetch papers while they work, and still come to the same when they are stopped and taken up again."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
from tests.local_service import Said, Service, said
from tests.methods.conftest import LINE, entry

from novum.errors import BadInput, BudgetSpent
from novum.lab import LIVE_SEARCH, Workplace
from novum.literature.sources.openalex import OpenAlex
from novum.literature.sources.source import Search
from novum.reading.live_library import LiveLibrary
from novum.runs.engine import resume, start
from novum.runs.exploration import EXPLORATION, ExplorationTask
from novum.runs.ideation import IDEATION, IdeationTask
from novum.settings import load_settings
from novum.testing import ScriptedServer

TOPIC = "widgets and gadgets that learn"


def work(number, year=2019, cites=()):
    return {
        "id": f"https://openalex.org/W{number}",
        "title": f"Widgets and gadgets learning, part {number}",
        "publication_date": f"{year}-03-05",
        "publication_year": year,
        "cited_by_count": number,
        "abstract_inverted_index": {"widgets": [0], "gadgets": [1], "learning": [2], f"part{number}": [3]},
        "referenced_works": [f"https://openalex.org/W{cited}" for cited in cites],
    }


def works(*found):
    return said({"meta": {"count": len(found)}, "results": found})


@pytest.fixture
def service(monkeypatch):
    """OpenAlex on this machine: four papers, each citing the one before. It need not be spared."""
    monkeypatch.setattr(OpenAlex, "rate_limits", replace(OpenAlex.rate_limits, pause=0.0, pause_with_key=0.0))
    running = Service()
    running.on("/works", works(*(work(n, 2015 + n, [n - 1] if n > 1 else []) for n in range(1, 5))))
    yield running
    running.close()


@pytest.fixture
def model():
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def place(tmp_path, service, model):
    """Opens a workplace of its own home, whose runs may ask OpenAlex."""

    def opened(home="home", **more):
        given = {
            "home": str(tmp_path / home),
            "writer": model.model,
            "sources": "openalex",
            "source_addresses": {"openalex": service.address},
        }
        return Workplace(load_settings(given | more, environment={}, folder=tmp_path))

    return opened


async def ideated(workplace, **options):
    async with workplace as here:
        if here.library.is_empty():
            here.library.add([entry(*each) for each in LINE])
        request = IdeationTask(topic=TOPIC, options={"branches": 2, "length": 3} | options)
        return await start(IDEATION, here, request)


def events(workplace, run, kind):
    return [event for _, event in workplace.ledger.events(run) if event.kind == kind]


def questions(service):
    return Counter(each.query["search"] for each in service.asked if "search" in each.query)


def in_words_of_the_service(query):
    return OpenAlex().search(Search(text=query)).parameters["search"]


def test_the_topic_and_every_query_of_the_method_are_searched_at_the_sources_once(place, service):
    report = asyncio.run(ideated(place()))
    asked = questions(service)
    assert in_words_of_the_service(TOPIC) in asked
    assert len(asked) > 3
    assert set(asked.values()) == {1}
    assert "New papers were added to the library for this run: 4 from OpenAlex." in report.ideation.notes
    with place().library as library:
        assert library.by_identifier("openalex", "W4")


def test_fetched_papers_are_recorded_in_the_ledger_and_are_no_saved_search(place):
    report = asyncio.run(ideated(place()))
    here = place()
    (first, *_) = events(here, report.account.run_id, LIVE_SEARCH)
    assert (first.data["query"], first.data["added"]) == (TOPIC, {"OpenAlex": 4})
    assert here.library.notes("search:") == {}


def test_no_paper_of_the_day_or_later_is_fetched(place, service):
    asyncio.run(ideated(place(), before="2018-01-01"))
    with place().library as library:
        assert [library.by_identifier("openalex", f"W{n}") is not None for n in (1, 2, 3, 4)] == [
            True,
            True,
            False,
            False,
        ]


def test_a_resumed_run_repeats_its_requests_although_the_library_has_grown(place, service, model):
    asked_again = []

    def listen(event):
        if event.kind == "call":
            asked_again.append(bool(event.data.get("reused")))

    async def stopped_and_resumed():
        with pytest.raises(BudgetSpent):
            await ideated(place(budget_calls=9))
        paid, fetched = model.answered, len(service.asked)
        here = place()
        with here.library:
            (stopped,) = here.ledger.runs()
            gathered = {
                each.data["query"] for each in events(here, stopped.id, LIVE_SEARCH) if not each.data["citations_of"]
            }
        richer = [work(n, 2012) | {"title": f"Widgets that learn gadgets, volume {n}"} for n in range(50, 80)]
        service.on("/works", works(*richer))
        async with place() as here:
            here.library.add([entry(f"new{n}", f"Gadget learning {n}", 2014, ["root"], 5, TOPIC) for n in range(30)])
            report = await resume(IDEATION, here, "last", [listen])
        return paid, fetched, gathered, report

    paid, fetched, gathered, report = asyncio.run(stopped_and_resumed())
    assert paid > 5
    assert asked_again[:paid] == [True] * paid, "later ones may be, too: two branches may read the same paper"
    assert report.account.spend.calls == model.answered
    assert len(service.asked) > fetched
    times = questions(service)
    assert TOPIC in gathered
    assert {times[in_words_of_the_service(query)] for query in gathered} == {1}, (
        "only a search that the stop cut off is made again"
    )


def test_a_run_repeated_from_its_ledger_sends_no_request(place, service, model):
    async def twice():
        first = await ideated(place())
        answered, fetched = model.answered, len(service.asked)
        async with place() as here:
            here.library.add([entry(f"new{n}", f"Gadget learning {n}", 2014, ["root"], 5, TOPIC) for n in range(30)])
            here.ledger.end_run(first.account.run_id, "stopped", "as if before its last step")
            second = await resume(IDEATION, here, first.account.run_id)
        return first, second, model.answered - answered, len(service.asked) - fetched

    first, second, answered, fetched = asyncio.run(twice())
    assert (answered, fetched) == (0, 0)
    assert second.ideation == first.ideation


def test_a_failing_source_is_reported_once_and_the_run_continues_with_the_library(place, service):
    service.on("/works", Said(b'{"message": "no"}', 401))
    report = asyncio.run(ideated(place()))
    assert report.ideation.candidates
    (note,) = (note for note in report.ideation.notes if "OpenAlex" in note)
    assert "OPENALEX_API_KEY" in note
    assert len(service.asked) == 1


def test_an_exploration_finds_papers_of_the_sources(place):
    async def explored():
        async with place() as here:
            here.library.add([entry(*each) for each in LINE])
            return await start(EXPLORATION, here, ExplorationTask(question="How do widgets learn gadgets?"))

    report = asyncio.run(explored())
    seen = {paper.title for each in report.explorations for paper in each.papers}
    assert any("part" in title for title in seen)


def test_without_sources_no_service_is_called(place, service):
    report = asyncio.run(ideated(place(sources="none")))
    assert report.ideation.candidates
    assert service.asked == []


def test_an_unknown_source_is_reported_before_the_run_starts(place):
    with pytest.raises(BadInput, match="Did you mean openalex"):
        place(sources="openalx")


def test_papers_found_without_abstract_get_it_by_their_identifier_once(place, service):
    bare = [{**work(n), "abstract_inverted_index": None} for n in range(1, 4)]
    service.on("/works", works(*bare))
    for order in permutations(("W1", "W2", "W3")):
        service.on("/works", works(*(work(n) for n in range(1, 4))), filter=f"openalex:{'|'.join(order)}")

    async def searched():
        async with place() as here:
            run = here.ledger.start_run("ideate", TOPIC, {})
            lab = here.lab(run)
            library = LiveLibrary(here.library, lab.run, lab.live)
            return [(await library.search(query, 3)) for query in (TOPIC, "gadgets learning")]

    first, second = asyncio.run(searched())
    assert {hit.paper.abstract.split()[0] for hit in (*first, *second)} == {"widgets"}
    asked = [each.query["filter"] for each in service.asked if each.query.get("filter", "").startswith("openalex:")]
    assert [sorted(each.removeprefix("openalex:").split("|")) for each in asked] == [["W1", "W2", "W3"]]
