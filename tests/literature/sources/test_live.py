"""Papers fetched during a run: services side by side, none that holds up the others, and the citations of papers."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
from collections import Counter
from dataclasses import replace

import pytest

from novum.core import Identifiers, Paper
from novum.errors import SourceError, SourceUnreachable
from novum.literature import Entry, Library, Reference
from novum.literature.fetching import live as live_module
from novum.literature.fetching.expansion import MOST_REFERENCES, expanding_order
from novum.literature.fetching.live import PATIENCE, LiveSearchResult, LiveSources
from novum.literature.sources.arxiv import Arxiv
from novum.literature.sources.crossref import Crossref
from novum.literature.sources.europe_pmc import EuropePmc
from novum.literature.sources.openalex import OpenAlex
from novum.literature.sources.semantic_scholar import SemanticScholar
from tests.literature.sources.conftest import Said, Service, at, said

LONG = 60.0
"""Seconds that a test never waits in vain."""
BY_DOI = "/works/doi:10.1000%2Fone"
_ATOM = "<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom'>"


def work(number, cites=(), fields=(), year=2019, doi=""):
    """A work as OpenAlex writes it."""
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": doi and f"https://doi.org/{doi}",
        "title": f"Widgets and gadgets learning, part {number}",
        "publication_date": f"{year}-03-05",
        "publication_year": year,
        "topics": [{"field": {"display_name": field}} for field in fields],
        "referenced_works": [f"https://openalex.org/W{cited}" for cited in cites],
    }


def works(*found):
    return said({"meta": {"count": len(found)}, "results": found})


def record(number, cites=()):
    """A work as Crossref writes it."""
    return {
        "DOI": f"10.1000/{number}",
        "type": "journal-article",
        "title": [f"Folding sheets of paper, number {number}"],
        "issued": {"date-parts": [[2018, 12, 7]]},
        "reference": [{"key": str(cited), "DOI": f"10.1000/{cited}"} for cited in cites],
    }


def records(*found):
    return said({"status": "ok", "message": {"total-results": len(found), "items": found}})


def preprint(number):
    """An entry of arXiv's feeds."""
    return (
        f"<entry><id>http://arxiv.org/abs/2101.0000{number}v1</id><title>Gears that turn, volume {number}</title>"
        "<summary>Gears.</summary><published>2021-01-03T18:00:00Z</published>"
        "<author><name>Ada Li</name></author></entry>"
    )


def feed(*entries):
    return f"{_ATOM}{''.join(entries)}</feed>".encode()


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def results():
    """What the live sources reported, in order."""
    return []


@pytest.fixture
def use(library, client, results):
    """Runs a job with live sources, which end with it."""

    def run(sources, job, *, progress=lambda _: None, earlier=(), **options):
        def report(result):
            results.append(result)
            progress(result)

        async def inside():
            async with client(**options) as connected:
                live = LiveSources(library, connected, sources, progress=report, earlier=earlier)
                try:
                    return await asyncio.wait_for(job(live), LONG)
                finally:
                    await live.close()

        return asyncio.run(inside())

    return run


@pytest.fixture
def gate():
    """Open at the end of the test, so that no service waits for ever."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def third_service():
    running = Service()
    yield running
    running.close()


@pytest.fixture
def openalex(service):
    """Six papers for whatever is asked."""
    service.on("/works", works(*(work(number) for number in range(1, 7))))
    return at(service, OpenAlex)


@pytest.fixture
def crossref(other_service):
    """Two papers for whatever is asked."""
    other_service.on("/works", records(record(1), record(2)))
    return at(other_service, Crossref)


def slowly(answer, gate):
    """The same answer, when the gate is open."""
    return Said(answer.body, first=lambda: gate.wait(LONG))


def searches(service):
    """The words of the searches that came in."""
    words = (each.query.get("search") or each.query.get("query.bibliographic") for each in service.asked)
    return Counter(filter(None, words))


def queries(*texts, before=None):
    """A job: these queries, one after the other."""

    async def job(live):
        for text in texts:
            await live(text, before)
        return live

    return job


# None holds up the others


def test_the_papers_of_all_services_are_added_and_counted(use, library, results, openalex, crossref):
    live = use([openalex, crossref], queries("widgets"))
    (result,) = results
    assert (result.query, result.added, result.aside) == ("widgets", {"OpenAlex": 6, "Crossref": 2}, ())
    assert library.by_identifier("openalex", "W6")
    assert library.by_identifier("doi", "10.1000/2")
    assert live.notes == ["New papers were added to the library for this run: 6 from OpenAlex, 2 from Crossref."]


def test_a_slow_service_does_not_hold_up_a_query(use, library, gate, monkeypatch, openalex, other_service):
    monkeypatch.setattr(live_module, "_GRACE", 0.0)
    monkeypatch.setattr(live_module, "PATIENCE", LONG)
    other_service.on("/works", slowly(records(record(1)), gate))

    async def job(live):
        await live("widgets", None)
        return library.by_identifier("openalex", "W1"), gate.is_set()

    found, answered = use([openalex, at(other_service, Crossref)], job)
    assert found
    assert not answered


def test_late_papers_are_added_when_they_come_and_serve_a_later_query(
    use, library, gate, results, monkeypatch, openalex, other_service
):
    monkeypatch.setattr(live_module, "_GRACE", 0.0)
    other_service.on("/works", slowly(records(record(1)), gate))

    async def job(live):
        await live("widgets", None)
        before = library.by_identifier("doi", "10.1000/1")
        gate.set()
        await arrived.wait()
        hits = await library.search("folding sheets of paper", 1)
        return before, hits[0].paper.title, live.notes

    arrived = asyncio.Event()
    before, found, notes = use(
        [openalex, at(other_service, Crossref)], job, progress=lambda one: arrived.set() if not one.query else None
    )
    assert before is None
    assert found == "Folding sheets of paper, number 1"
    assert [(one.query, one.added) for one in results] == [("widgets", {"OpenAlex": 6}), ("", {"Crossref": 1})]
    assert notes == ["New papers were added to the library for this run: 6 from OpenAlex, 1 from Crossref."]


def test_a_query_ends_when_patience_does_though_every_service_hangs(
    use, gate, results, monkeypatch, service, other_service
):
    assert PATIENCE <= 12
    monkeypatch.setattr(live_module, "PATIENCE", 0.01)
    service.on("/works", slowly(works(work(1)), gate))
    other_service.on("/works", slowly(records(record(1)), gate))
    use([at(service, OpenAlex), at(other_service, Crossref)], queries("widgets"))
    assert not gate.is_set()
    assert [(one.query, one.added, one.aside) for one in results] == [("widgets", {}, ())]


def test_requests_that_nobody_waits_for_end_with_the_run(use, library, gate, results, monkeypatch, service):
    monkeypatch.setattr(live_module, "PATIENCE", 0.01)
    service.on("/works", slowly(works(work(1)), gate))
    use([at(service, OpenAlex)], queries("widgets"))
    gate.set()
    assert library.is_empty()
    assert len(results) == 1


def test_the_failure_of_a_late_service_is_noted_too(use, gate, results, monkeypatch, openalex, other_service):
    monkeypatch.setattr(live_module, "_GRACE", 0.0)
    other_service.on("/works", Said(b'{"message": "no such thing"}', 400, first=lambda: gate.wait(LONG)))

    async def job(live):
        await live("widgets", None)
        gate.set()
        await arrived.wait()
        return live.notes

    arrived = asyncio.Event()
    notes = use(
        [openalex, at(other_service, Crossref)], job, progress=lambda one: arrived.set() if not one.query else None
    )
    assert sum("Crossref" in line for line in notes) == 1


def test_results_are_in_the_order_of_the_services_whichever_came_first(use, gate, results, service, other_service):
    """So that the notes of a run do not hang on chance."""

    class First(Crossref):
        def search(self, search):
            request = super().search(search)
            return replace(request, read=lambda body: gate.set() or request.read(body))

    other_service.on("/works", records(record(1)))
    service.on("/works", slowly(works(*(work(number) for number in range(1, 7))), gate))
    use([at(service, OpenAlex), at(other_service, First)], queries("widgets"))
    assert list(results[0].added) == ["OpenAlex", "Crossref"]


# Each query once


def test_a_query_is_sent_once(use, service, openalex, results):
    use([openalex], queries("widgets", "gadgets", "widgets"))
    assert searches(service) == {"widgets": 1, "gadgets": 1}
    assert [one.query for one in results] == ["widgets", "gadgets"]


def test_the_same_query_of_two_tasks_at_once_is_sent_once_and_both_wait_for_it(use, library, gate, service):
    service.on("/works", slowly(works(*(work(number) for number in range(1, 7))), gate))

    async def asking(live):
        await live("widgets", None)
        return library.by_identifier("openalex", "W1") is not None

    async def job(live):
        both = asyncio.gather(asking(live), asking(live))
        asyncio.get_running_loop().call_soon(gate.set)
        return await both

    assert use([at(service, OpenAlex)], job) == [True, True]
    assert searches(service) == {"widgets": 1}


def test_the_same_words_with_another_day_are_another_query(use, service, openalex):
    async def job(live):
        await live("widgets", None)
        await live("widgets", dt.date(2030, 1, 1))

    use([openalex], job)
    assert searches(service) == {"widgets": 2}


# Which services are asked


def of_fields(*fields):
    """Twelve papers, as many as given with a field."""
    given = [*fields, *[()] * 12][:12]
    return works(*(work(number, fields=[field] if field else []) for number, field in enumerate(given, 1)))


@pytest.mark.parametrize(
    ("fields", "is_asked"),
    [
        (["Medicine"] * 12, False),
        (["Computer Science"] * 12, True),
        (["Medicine"] * 9 + ["Physics and Astronomy"] * 3, True),
        (["Medicine"] * 10 + ["Physics and Astronomy"] * 2, False),
        ([], True),
        (["Medicine"] * 9, True),
    ],
    ids=["other fields", "its fields", "a quarter", "a sixth", "no fields known", "too few known"],
)
def test_arxiv_is_asked_where_the_papers_of_the_topic_are_from_its_fields(
    use, service, other_service, fields, is_asked
):
    service.on("/works", of_fields(*fields))
    other_service.on("/api/query", Said(feed()))
    use([at(service, OpenAlex), at(other_service, Arxiv)], queries("widgets"))
    assert bool(other_service.asked) is is_asked


def test_arxiv_is_asked_at_once_where_no_other_service_is(use, other_service):
    other_service.on("/api/query", Said(feed()))
    use([at(other_service, Arxiv)], queries("widgets"))
    assert other_service.asked


def test_fields_of_the_first_query_decide_for_later_ones(use, service, other_service):
    service.on("/works", of_fields(*["Medicine"] * 12))
    other_service.on("/api/query", Said(feed()))
    use([at(service, OpenAlex), at(other_service, Arxiv)], queries("widgets", "gadgets"))
    assert other_service.asked == []


def test_a_service_that_found_nothing_for_two_queries_is_left_out(use, openalex, service, other_service):
    other_service.on("/works", records())
    use([openalex, at(other_service, Crossref)], queries("widgets", "gadgets", "gears", "wheels"))
    assert len(searches(other_service)) == 2
    assert len(searches(service)) == 4


def test_a_service_that_found_something_once_stays(use, openalex, other_service):
    other_service.on("/works", records(record(1)), records())
    use([openalex, at(other_service, Crossref)], queries("widgets", "gadgets", "gears", "wheels"))
    assert len(searches(other_service)) == 4


def test_a_service_whose_requests_wait_too_long_is_left_out_of_this_query_alone(
    use, gate, results, monkeypatch, openalex, other_service
):
    """arXiv wants three seconds between two requests: with one under way and one waiting, the next starts too late."""
    monkeypatch.setattr(live_module, "_GRACE", 0.0)
    feeds = [Said(feed(preprint(number))) for number in range(1, 5)]
    other_service.on("/api/query", feeds[0], *(slowly(each, gate) for each in feeds[1:]))

    async def job(live):
        for query in ("first", "second", "third", "fourth"):
            await live(query, None)
            if query == "first":
                await late(1)
        gate.set()
        await late(3)
        await live("fifth", None)
        await late(4)

    async def late(number):
        while sum("arXiv" in one.added for one in results) < number:
            await arrived.get()

    arrived = asyncio.Queue()
    use([openalex, at(other_service, Arxiv)], job, progress=arrived.put_nowait)
    asked = " ".join(each.query["search_query"] for each in other_service.asked)
    assert [word for word in ("first", "second", "third", "fourth", "fifth") if word not in asked] == ["fourth"]


def test_no_paper_of_the_day_or_later_is_added(use, library, service):
    service.on("/works", works(work(1, year=2015), work(2, year=2021), *(work(number) for number in range(3, 7))))
    use([at(service, OpenAlex)], queries("widgets", before=dt.date(2020, 1, 1)))
    assert library.by_identifier("openalex", "W1")
    assert library.by_identifier("openalex", "W2") is None


# Failures


def test_the_first_query_without_any_service_names_them_all_once(use, results, service, other_service):
    chosen = [at(service, OpenAlex), at(other_service, Crossref)]
    for each in (service, other_service):
        each.close()

    async def job(live):
        with pytest.raises(SourceUnreachable) as refusal:
            await live("widgets", None)
        await live("gadgets", None)
        await live.expand(Paper(title="Part 1", ids=Identifiers(openalex="W1")), "widgets", None)
        return str(refusal.value), live.notes

    message, notes = use(chosen, job, patience=PATIENCE)
    assert message == "OpenAlex and Crossref cannot be reached: check the network and proxy."
    assert [sum(title in line for line in notes) for title in ("OpenAlex", "Crossref")] == [1, 1]
    assert len(notes) == 2


def test_failures_of_several_kinds_are_told_in_the_words_of_each(use, service, other_service):
    service.on("/works", Said(b'{"message": "bad key"}', 401))
    chosen = [at(service, OpenAlex), at(other_service, Crossref)]
    other_service.close()

    async def job(live):
        with pytest.raises(SourceError, match=r"OPENALEX_API_KEY.* Crossref cannot") as refusal:
            await live("widgets", None)
        return refusal.type

    assert use(chosen, job, patience=PATIENCE) is SourceError


def test_a_failing_service_has_one_line_and_stops_nobody(use, results, service, other_service, crossref):
    service.on("/works", Said(b'{"message": "bad key"}', 401), Said(b'{"message": "other words"}', 401))
    live = use([at(service, OpenAlex), crossref], queries("widgets", "gadgets", "gears"))
    assert len(searches(other_service)) == 3
    assert [len(one.aside) for one in results] == [1, 0, 0]
    assert sum("OpenAlex" in line for line in live.notes) == 1


def test_what_a_run_fetched_before_it_was_resumed_is_counted_in_its_notes(use, openalex):
    earlier = [LiveSearchResult(query="before", added={"OpenAlex": 3, "arXiv": 2}, aside=("Crossref is down.",))]
    live = use([openalex], queries("widgets"), earlier=earlier)
    assert live.notes == [
        "New papers were added to the library for this run: 9 from OpenAlex, 2 from arXiv.",
        "Crossref is down.",
    ]


def test_a_service_that_failed_before_the_run_was_resumed_has_no_second_line(use, results, service, crossref):
    service.on("/works", Said(b'{"message": "bad key"}', 401))
    earlier = [LiveSearchResult(query="before", aside=("OpenAlex is down.",))]
    live = use([at(service, OpenAlex), crossref], queries("widgets"), earlier=earlier)
    assert service.asked
    assert [line for line in live.notes if "OpenAlex" in line] == ["OpenAlex is down."]


# Citations of a paper


def held(library, number, cites=(), cited_dois=(), **ids):
    """A paper that the library holds, with references by OpenAlex's numbers and by DOIs."""
    ids = ids or {"openalex": f"W{number}"}
    paper = Paper(title=f"Widgets and gadgets learning, part {number}", year=2019, ids=Identifiers(**ids))
    references = tuple(Reference(scheme="openalex", value=f"W{cited}") for cited in cites)
    references += tuple(Reference(scheme="doi", value=cited) for cited in cited_dois)
    library.add([Entry(paper=paper, references=references)])
    return library.find(paper.title)


def expanding(paper, topic="widgets", before=None):
    async def job(live):
        await live.expand(paper, topic, before)
        return live

    return job


def filters(service):
    return [each.query["filter"] for each in service.asked if "filter" in each.query]


@pytest.fixture
def citations(service):
    """OpenAlex: what W1 cites, and what cites it."""
    service.on("/works", works(work(2), work(3)))
    service.on("/works", works(work(8, cites=[1], year=2022), work(9, cites=[1], year=2020)), filter="cites:W1")
    service.on(BY_DOI, said(work(1, cites=[2, 3], doi="10.1000/one")))
    return at(service, OpenAlex)


def test_what_a_paper_cites_and_what_cites_it_is_requested_once(use, library, results, service, citations):
    paper = held(library, 1, cites=[2, 3])

    async def job(live):
        await asyncio.gather(*(live.expand(paper, "widgets", None) for _ in range(2)))
        await live.expand(paper, "widgets", None)

    use([citations], job)
    assert sorted(filters(service)) == ["cites:W1", "openalex:W2|W3"]
    assert {each.ids.openalex for each in library.references(paper.id)} == {"W2", "W3"}
    assert {each.ids.openalex for each in library.citing(paper.id)} == {"W8", "W9"}
    assert [(one.citations_of, one.added) for one in results] == [(paper.id, {"OpenAlex": 4})]


def test_references_that_the_library_holds_are_not_fetched_again(use, library, service, citations):
    held(library, 3)
    use([citations], expanding(held(library, 1, cites=[2, 3])))
    assert sorted(filters(service)) == ["cites:W1", "openalex:W2"]


def test_a_paper_with_hundreds_of_references_has_a_limited_number_fetched(use, library, service, citations):
    use([citations], expanding(held(library, 1, cites=range(100, 400))))
    (wanted,) = (each for each in filters(service) if each.startswith("openalex:"))
    assert len(wanted.split("|")) == MOST_REFERENCES


@pytest.mark.parametrize("ids", [{"doi": "10.1000/one"}, {"doi": "10.1000/one", "openalex": "W1"}])
def test_the_record_of_a_paper_without_references_comes_first(use, library, service, citations, ids):
    """By its DOI, alone, which costs nothing; it gives the service's own number of the paper as well."""
    paper = held(library, 1, **ids)
    use([citations], expanding(paper))
    assert service.asked[0].path in (BY_DOI, "/works/W1")
    assert "cites:W1" in filters(service) or "openalex" in ids
    assert {each.ids.openalex for each in library.citing(paper.id)} == {"W8", "W9"}


def test_the_record_of_a_paper_gives_its_references(use, library, service, citations):
    paper = held(library, 1, doi="10.1000/one")
    use([citations], expanding(paper))
    assert service.asked[0].path == BY_DOI
    assert sorted(filters(service)) == ["cites:W1", "openalex:W2|W3"]
    assert {each.ids.openalex for each in library.references(paper.id)} == {"W2", "W3"}


def test_a_record_of_another_paper_is_not_taken_for_it(use, library, service, citations):
    service.on(BY_DOI, said(work(77, cites=[2, 3]) | {"title": "Soup at altitude"}))
    paper = held(library, 1, doi="10.1000/one")
    use([citations], expanding(paper))
    assert filters(service) == []
    assert library.references(paper.id) == []


def test_a_paper_without_identifiers_is_not_asked_for(use, library, service, citations):
    library.add([Entry(paper=Paper(title="Widgets and gadgets learning, part 1", year=2019))])
    use([citations], expanding(library.find("Widgets and gadgets learning, part 1")))
    assert service.asked == []


@pytest.mark.parametrize("answer", [works(), Said(b'{"error": "no"}', 400)], ids=["nothing", "a failure"])
def test_the_next_service_is_asked_when_the_first_fails_or_has_nothing(use, library, service, other_service, answer):
    service.on("/works", answer)
    other_service.on("/works/10.1000%2F1", said({"status": "ok", "message": record(1, cites=[2, 3])}))
    other_service.on("/works", records(record(2), record(3)))
    library.add([Entry(paper=Paper(title="Folding sheets of paper, number 1", ids=Identifiers(doi="10.1000/1")))])
    paper = library.find("Folding sheets of paper, number 1")
    use([at(service, OpenAlex), at(other_service, Crossref)], expanding(paper))
    assert service.asked
    assert {each.ids.doi for each in library.references(paper.id)} == {"10.1000/2", "10.1000/3"}


def test_the_record_of_the_paper_alone_is_not_enough(use, library, service, other_service):
    alone = work(1, doi="10.1000/one") | {"title": "WIDGETS AND GADGETS LEARNING: PART 1"}
    service.on("/works", works())
    service.on(BY_DOI, said(alone))
    other_service.on("/works/10.1000%2Fone", said({"status": "ok", "message": record(1)}))
    use([at(service, OpenAlex), at(other_service, Crossref)], expanding(held(library, 1, doi="10.1000/one")))
    assert "cites:W1" in filters(service)
    assert other_service.asked


def test_a_service_is_enough_when_it_has_papers(use, library, citations, other_service):
    paper = held(library, 1, cites=[2], cited_dois=["10.1000/unknown"], openalex="W1", doi="10.1000/1")
    use([at(other_service, Crossref), citations], expanding(paper))
    assert other_service.asked == []


def test_no_later_paper_is_added_to_the_citations_but_the_paper_itself_is_completed(use, library, citations):
    paper = held(library, 1, doi="10.1000/one")
    use([citations], expanding(paper, before=dt.date(2019, 1, 1)))
    assert library.get(paper.id).ids.openalex == "W1"
    assert library.citing(paper.id) == library.references(paper.id) == []
    use([citations], expanding(paper, before=dt.date(2021, 1, 1)))
    assert {each.ids.openalex for each in library.citing(paper.id)} == {"W9"}


def test_services_with_the_whole_graph_come_first_and_those_that_would_refuse_are_left_out(client, service):
    chosen = [at(service, kind) for kind in (Crossref, EuropePmc, Arxiv, SemanticScholar, OpenAlex)]

    def order(**keys):
        return [source.name for source in expanding_order(chosen, client(environment=keys))]

    assert order() == ["openalex", "europe-pmc", "crossref"]
    assert order(S2_API_KEY="a-key") == ["openalex", "semantic-scholar", "europe-pmc", "crossref"]


def test_a_service_that_refused_the_key_is_not_asked_for_citations(use, library, service, other_service, crossref):
    service.on("/works", Said(b'{"message": "bad key"}', 401))

    async def job(live):
        await live("widgets", None)
        asked = len(service.asked)
        await live.expand(library.by_identifier("doi", "10.1000/1"), "widgets", None)
        return len(service.asked) - asked, expanding_order(live.sources, live.client)

    assert use([at(service, OpenAlex), crossref], job) == (0, [crossref])
    assert any(each.path == "/works/10.1000%2F1" for each in other_service.asked)


def test_a_citation_request_ends_with_patience_and_no_other_service_is_asked_then(
    use, library, gate, monkeypatch, service, other_service, crossref
):
    monkeypatch.setattr(live_module, "PATIENCE", 0.01)
    monkeypatch.setattr(live_module, "_GRACE", 0.0)
    service.on("/works", slowly(works(), gate))
    paper = held(library, 1, cited_dois=["10.1000/2"], openalex="W1", doi="10.1000/1")

    async def job(live):
        await live.expand(paper, "widgets", None)
        monkeypatch.setattr(live_module, "PATIENCE", LONG)
        await live("sheets", None)  # Crossref answers requests in their order

    use([at(service, OpenAlex), crossref], job)
    assert not gate.is_set()
    assert len(other_service.asked) == searches(other_service)["sheets"] == 1


# What is waited for in all


def test_after_much_waiting_queries_and_citations_wait_briefly(use, library, gate, results, monkeypatch, service):
    """All seconds of waiting count, and twenty are enough for a run."""
    assert live_module._WAITING <= 20
    assert live_module._BRIEFLY <= live_module._GRACE <= 2
    for name, seconds in (("PATIENCE", LONG), ("_WAITING", 0.0), ("_BRIEFLY", 0.01), ("_GRACE", 0.01)):
        monkeypatch.setattr(live_module, name, seconds)
    service.on("/works", slowly(works(), gate))

    async def job(live):
        await live("widgets", None)
        await live.expand(held(library, 1, cites=[2]), "widgets", None)
        return live.seconds

    assert use([at(service, OpenAlex)], job) > 0
    assert not gate.is_set()


# Missing abstracts


def abstracts(number):
    """The record of a paper by its DOI, with an abstract."""
    return work(number, doi=f"10.1000/{number}") | {"abstract_inverted_index": {"Widgets": [0], "turn.": [1]}}


def test_missing_abstracts_are_fetched_once(use, library, service):
    service.on("/works", works(abstracts(1)))
    service.on("/works/doi:10.1000%2F1", said(abstracts(1)))
    paper = held(library, 1, doi="10.1000/1")

    async def job(live):
        first = await live.complete([paper])
        asked = len(service.asked)
        return first, await live.complete([paper]), asked, len(service.asked)

    first, second, asked, asked_in_all = use([at(service, OpenAlex)], job)
    assert (first, second) == (True, False)
    assert asked == asked_in_all > 0
    assert library.get(paper.id).abstract == "Widgets turn."


def test_papers_with_an_abstract_are_not_asked_for(use, library, service):
    paper = held(library, 1, doi="10.1000/1").but(abstract="Widgets.")

    async def job(live):
        return await live.complete([paper]), await live.complete([])

    assert use([at(service, OpenAlex)], job) == (False, False)
    assert service.asked == []


def test_abstracts_are_waited_for_briefly(use, library, gate, monkeypatch, service):
    monkeypatch.setattr(live_module, "_GRACE", 0.01)
    service.on("/works", slowly(works(abstracts(1)), gate))
    service.on("/works/doi:10.1000%2F1", slowly(said(abstracts(1)), gate))
    paper = held(library, 1, doi="10.1000/1")

    async def job(live):
        return await live.complete([paper])

    assert use([at(service, OpenAlex)], job) is False
    assert not gate.is_set()
