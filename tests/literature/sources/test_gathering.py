"""Bringing papers from several services into a library, along citations, again and again."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Paper
from novum.errors import BadInput, SourceError
from novum.literature import Entry, Library, Reference
from novum.literature.fetching.citation_neighbours import CitationNeighbourhood
from novum.literature.fetching.gathering import GatheringResult, gather
from novum.literature.fetching.saved_searches import save_search, saved_searches
from novum.literature.fetching.updating import SearchUpdate, update_library
from novum.literature.services.client import SourceClient
from novum.literature.sources import Search, Source
from novum.literature.sources.openalex import OpenAlex, work_entry
from novum.literature.sources.semantic_scholar import SemanticScholar
from tests.literature.sources.conftest import Said, Service, said

Make = Callable[..., SourceClient]
GRAPHS = Search(text="graphs", limit=10)


def work(number: int, *cites: int, title: str = "", **more: object) -> dict[str, object]:
    """A work of OpenAlex."""
    return {
        "id": f"https://openalex.org/W{number}",
        "title": title or f"The Work of Number {number}",
        "publication_year": 2020,
        "authorships": [{"author": {"display_name": "Zoë Łuk"}}],
        "referenced_works": [f"https://openalex.org/W{cited}" for cited in cites],
        **more,
    }


def works(*found: dict[str, object], count: int = 0) -> Said:
    return said({"meta": {"count": count or len(found)}, "results": found})


def sha(number: int) -> str:
    return f"{number:040x}"


def record(number: int, title: str = "", **more: object) -> dict[str, object]:
    """A paper of Semantic Scholar."""
    title = title or f"The Work of Number {number}"
    return {"paperId": sha(number), "title": title, "year": 2020, "authors": [{"name": "Zoë Łuk"}], **more}


def bring(
    library: Library, client: SourceClient, *chosen: Source, search: Search = GRAPHS, **options: object
) -> GatheringResult:
    async def inside() -> GatheringResult:
        async with client:
            return await gather(library, client, chosen, search, **options)  # type: ignore[arg-type]

    return asyncio.run(inside())


def renew(library: Library, client: SourceClient, *chosen: Source) -> list[SearchUpdate]:
    async def inside() -> list[SearchUpdate]:
        async with client:
            by_name = {source.name: source for source in chosen}
            return await update_library(library, client, source=by_name.__getitem__)

    return asyncio.run(inside())


def titles(papers: list[Paper]) -> set[str]:
    return {paper.title for paper in papers}


def test_sources_work_side_by_side_and_agree_on_what_is_one_paper(
    library: Library, client: Make, service: Service, other_service: Service
) -> None:
    service.on("/works", works(work(1), work(2, title=""), work(3, is_retracted=True)))
    found = [record(1, abstract="Known here only."), record(4)]
    other_service.on("/graph/v1/paper/search", said({"total": 2, "offset": 0, "data": found}))
    progress: list[tuple[str, int, int | None]] = []
    done = bring(
        library,
        client(),
        OpenAlex(service.address),
        SemanticScholar(other_service.address),
        progress=lambda *news: progress.append(news),
    )
    openalex, scholar = done.reports
    assert (openalex.source, openalex.read, openalex.rejected) == ("OpenAlex", 3, 1)
    assert "withdrawn" in openalex.rejects[0].reason
    assert (scholar.source, scholar.read) == ("Semantic Scholar", 2)
    assert (done.total.added, done.total.merged, done.aside) == (3, 1, ())
    both = library.by_identifier("openalex", "W1")
    assert both and (both.ids.s2, both.abstract) == (sha(1), "Known here only.")
    assert {("OpenAlex", 2, 3), ("Semantic Scholar", 2, 2)} == set(progress)


def test_each_source_ends_at_the_limit(library: Library, client: Make, service: Service) -> None:
    service.on("/works", works(work(1), work(2), count=1000), page="1")
    service.on("/works", works(work(3), work(4), count=1000), page="2")
    done = bring(library, client(), OpenAlex(service.address), search=Search(text="graphs", limit=3))
    assert done.total.added == 3
    assert len(service.asked) == 2


def test_a_source_that_is_down_is_set_aside_while_the_other_goes_on(
    library: Library, client: Make, service: Service, other_service: Service
) -> None:
    service.on("/works", works(work(1), work(2)))
    other_service.on("/graph/v1/paper/search", Said(b'{"message": "Too Many Requests"}', 429, {"Retry-After": "900"}))
    done = bring(library, client(), OpenAlex(service.address), SemanticScholar(other_service.address))
    assert done.total.added == 2
    assert done.failed == ("semantic-scholar",)
    (line,) = done.aside
    assert line.startswith("Semantic Scholar refused us") and "SEMANTIC_SCHOLAR_API_KEY" in line


def test_what_came_before_a_source_failed_is_kept(library: Library, client: Make, service: Service) -> None:
    service.on("/works", works(work(1), count=300), page="1")
    service.on("/works", Said(b"broken", 400), page="2")
    done = bring(library, client(), OpenAlex(service.address), search=Search(text="graphs", limit=300))
    assert (done.total.added, len(done.aside)) == (1, 1)


def test_when_nothing_comes_from_anyone_it_is_an_error(
    library: Library, client: Make, service: Service, other_service: Service
) -> None:
    for one in (service, other_service):
        one.on("/works", Said(status=403))
        one.on("/graph/v1/paper/search", Said(status=403))
    with pytest.raises(SourceError, match=r"OpenAlex wants a key.* Semantic Scholar wants a key"):
        bring(library, client(), OpenAlex(service.address), SemanticScholar(other_service.address))
    assert saved_searches(library) == []


@pytest.mark.parametrize("wrong", [{"steps": 3}, {"search": Search(text="x", limit=0)}])
def test_what_makes_no_sense_is_refused(library: Library, client: Make, wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="Choose"):
        bring(library, client(), OpenAlex(), **wrong)  # type: ignore[arg-type]


def test_what_is_not_certainly_older_than_the_day_stays_outside(
    library: Library, client: Make, service: Service
) -> None:
    service.on("/works", works(work(1), work(2, publication_date="2020-03-05")))
    search = Search(text="graphs", before=dt.date(2020, 6, 1))
    done = bring(library, client(), OpenAlex(service.address), search=search)
    assert titles(list(library.papers())) == {"The Work of Number 2"}
    assert [reject.reason for reject in done.reports[0].rejects] == [
        "not certainly public before 2020-06-01: 'The Work of Number 1'"
    ]


def test_a_step_along_citations_brings_the_most_connected_first(
    library: Library, client: Make, service: Service
) -> None:
    service.on("/works", works(work(1, 10, 11), work(2, 10, 12), work(3, 10, 12)))
    service.on("/works", works(work(20, 1, 2, 3), work(21, 1)), filter="cites:W1|W2|W3")
    service.on("/works", works(work(10), work(12)), filter="openalex:W10|W12")
    search = Search(text="graphs", limit=3)
    done = bring(library, client(), OpenAlex(service.address), search=search, steps=1)
    assert {paper.ids.openalex for paper in library.papers()} == {"W1", "W2", "W3", "W10", "W12", "W20"}
    assert (done.total.added, done.total.links) == (6, 8)
    tenth = library.by_identifier("openalex", "W10")
    assert tenth and len(library.citing(tenth.id)) == 3


def test_among_equally_connected_the_most_cited_comes_first(library: Library, client: Make, service: Service) -> None:
    service.on("/works", works(work(1)))
    service.on("/works", works(work(20, 1, cited_by_count=5), work(21, 1, cited_by_count=50)), filter="cites:W1")
    bring(library, client(), OpenAlex(service.address), search=Search(text="graphs", limit=1), steps=1)
    assert {paper.ids.openalex for paper in library.papers()} == {"W1", "W21"}


def test_a_second_step_starts_from_what_the_first_brought(library: Library, client: Make, service: Service) -> None:
    service.on("/works", works(), filter="cites:W1")
    service.on("/works", works(work(1, 2)))
    service.on("/works", works(work(2, 3, 1)), filter="openalex:W2")
    service.on("/works", works(work(3, 1, 2)), filter="openalex:W3")
    service.on("/works", works(), filter="cites:W1")
    service.on("/works", works(), filter="cites:W2")
    done = bring(library, client(), OpenAlex(service.address), steps=2)
    assert [paper.ids.openalex for paper in library.papers()] == ["W1", "W2", "W3"]
    assert done.total.links == 5


def test_links_of_semantic_scholar_are_kept_in_both_directions(
    library: Library, client: Make, service: Service
) -> None:
    service.on("/graph/v1/paper/search", said({"total": 1, "data": [record(1)]}))
    cited = [{"citedPaper": record(2)}, {"citedPaper": {"paperId": None, "title": "A Book on Paper Only"}}]
    service.on(f"/graph/v1/paper/{sha(1)}/references", said({"offset": 0, "data": cited}))
    service.on(f"/graph/v1/paper/{sha(1)}/citations", said({"offset": 0, "data": [{"citingPaper": record(3)}]}))
    done = bring(library, client(), SemanticScholar(service.address), steps=1)
    centre = library.by_identifier("s2", sha(1))
    assert centre
    assert titles(library.references(centre.id)) == {"The Work of Number 2"}
    assert titles(library.citing(centre.id)) == {"The Work of Number 3"}
    assert (done.total.added, done.total.links) == (3, 2)
    assert done.total.waiting == library.stats().waiting == 1
    assert done.total.read == 3


def test_one_source_tells_what_the_papers_of_another_cite(
    library: Library, client: Make, service: Service, other_service: Service
) -> None:
    found = [record(1, externalIds={"DOI": "10.1/x"})]
    other_service.on("/graph/v1/paper/search", said({"data": found}))
    service.on("/works", works(), page="1")
    service.on("/works", works(work(1, 2, doi="https://doi.org/10.1/x")), filter="doi:10.1/x")
    service.on("/works", works(work(2)), filter="openalex:W2")
    service.on("/works", works(work(3, 1)), filter="cites:W1")
    chosen = SemanticScholar(other_service.address), OpenAlex(service.address)
    bring(library, client(), *chosen, steps=1)
    centre = library.by_identifier("s2", sha(1))
    assert centre and centre.ids.openalex == "W1"
    assert titles(library.references(centre.id)) == {"The Work of Number 2"}
    assert titles(library.citing(centre.id)) == {"The Work of Number 3"}
    assert not any(asked.path.endswith("/references") for asked in other_service.asked)


SURVEY = "A Survey of Learning on Graphs"


def test_two_papers_of_one_title_stay_two(library: Library, client: Make, service: Service) -> None:
    found = [
        record(1, SURVEY, year=2015, authors=[{"name": "Ada Byron"}], externalIds={"ArXiv": "1501.00001"}),
        record(2, SURVEY, year=2022, authors=[{"name": "Kurt Gödel"}], externalIds={"DOI": "10.1/two"}),
    ]
    service.on("/graph/v1/paper/search", said({"total": 2, "data": found}))
    for number in (1, 2):
        cited = [{"citedPaper": record(10 + number)}]
        service.on(f"/graph/v1/paper/{sha(number)}/references", said({"data": cited}))
        service.on(f"/graph/v1/paper/{sha(number)}/citations", said({"data": []}))
    bring(library, client(), SemanticScholar(service.address), steps=1)
    first, second = (library.by_identifier("s2", sha(number)) for number in (1, 2))
    assert first and second and first.id != second.id
    for number, survey in ((1, first), (2, second)):
        assert titles(library.references(survey.id)) == {f"The Work of Number {10 + number}"}


def test_a_later_paper_of_a_title_in_the_centre_stays_outside(library: Library, client: Make, service: Service) -> None:
    service.on("/works", works(work(1, title=SURVEY, publication_year=2015)))
    service.on("/works", works(work(2, 1, title=SURVEY, publication_year=2023)), filter="cites:W1")
    search = Search(text="graphs", before=dt.date(2020, 1, 1), limit=10)
    bring(library, client(), OpenAlex(service.address), search=search, steps=1)
    assert [paper.year for paper in library.papers()] == [2015]


def test_a_question_about_citations_that_cannot_be_answered_costs_no_other(
    library: Library, client: Make, service: Service
) -> None:
    service.on("/graph/v1/paper/search", said({"total": 2, "data": [record(1), record(2)]}))
    for number in (1, 2):
        service.on(f"/graph/v1/paper/{sha(number)}/references", said({"data": []}))
    service.on(f"/graph/v1/paper/{sha(1)}/citations", said({"error": "Response would exceed 10 MB"}, status=400))
    service.on(f"/graph/v1/paper/{sha(2)}/citations", said({"data": [{"citingPaper": record(3)}]}))
    done = bring(library, client(), SemanticScholar(service.address), steps=1)
    assert library.by_identifier("s2", sha(3))
    assert (done.failed, done.total.rejected) == ((), 1)
    assert "exceed 10 MB" in done.total.rejects[0].reason


@pytest.mark.slow
def test_papers_that_cite_count_although_the_centre_cites_very_much() -> None:
    def entry(number: int, cites: Sequence[int]) -> Entry:
        references = tuple(Reference(scheme="openalex", value=f"W{cited}") for cited in cites)
        return Entry(paper=work_entry(work(number)).paper, references=references)

    near = CitationNeighbourhood(
        [entry(n, range(10**6 + 1000 * n, 10**6 + 1000 * n + 1000)) for n in range(120)], met=set()
    )
    citing = entry(10**7, (1, 2, 3))
    near.add(citing, "any")
    assert near.best(1)[0].entry == citing


@settings(max_examples=30, deadline=None)
@given(st.permutations([sees for number in range(6) for sees in [(number, (number * 3) % 7), (number, number % 3)]]))
def test_the_best_neighbours_do_not_depend_on_who_told_of_them_first(order: list[tuple[int, int]]) -> None:
    def entry(number: int, *cites: int) -> Entry:
        references = tuple(Reference(scheme="openalex", value=f"W{cited}") for cited in cites)
        return Entry(paper=work_entry(work(number)).paper, references=references)

    def best(links: Sequence[tuple[int, int]]) -> list[tuple[str, int]]:
        near = CitationNeighbourhood([entry(number) for number in range(3)], met=set())
        for citing, cited in links:
            near.add(entry(citing, cited), "any")
        return [(min(one.names)[1], len(one.connected)) for one in near.best(10)]

    assert best(order) == best(sorted(order))
    assert best(order)


def test_doing_it_again_asks_nothing_and_changes_nothing(library: Library, client: Make, service: Service) -> None:
    service.on("/works", works(work(1, 2), work(5)))
    service.on("/works", works(work(2)), filter="openalex:W2")
    service.on("/works", works(work(7, 5)), filter="cites:W1|W5")
    source = OpenAlex(service.address)
    bring(library, client(), source, steps=1)
    before, asked = list(library.papers()), len(service.asked)
    again = bring(library, client(), source, steps=1)
    assert (again.total.added, again.total.merged, again.total.links) == (0, 0, 0)
    assert list(library.papers()) == before
    assert len(service.asked) == asked


def test_an_update_asks_for_what_is_new_since_then(library: Library, client: Make, service: Service) -> None:
    service.on("/works", works(work(1)))
    source = OpenAlex(service.address)
    bring(library, client(), source)
    (known,) = saved_searches(library)
    today = known.asked["openalex"]
    service.on("/works", works(work(1), work(2)))
    (renewed,) = renew(library, client(), source)
    assert renewed.since == today - dt.timedelta(days=14)
    assert service.asked[-1].query["filter"] == f"from_publication_date:{renewed.since}"
    assert (renewed.total.added, renewed.total.unchanged) == (1, 1)
    assert [one.search for one in saved_searches(library)] == [GRAPHS]


def test_an_update_that_was_cut_off_goes_on_without_asking_anew(
    library: Library, client: Make, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Search(text="graphs", limit=1000)
    save_search(library, known, 0, {"openalex": dt.date(2026, 3, 1)})
    service.on("/works", works(work(1), count=150), page="1")
    service.on("/works", Said(status=401), works(work(2), count=150), works(work(3), count=150), page="2")
    source = OpenAlex(service.address)
    for papers in (1, 2):
        renew(library, client(), source)
        assert len(list(library.papers())) == papers
        save_search(library, known, 0, {"openalex": dt.date(2026, 3, 1)})
    assert [asked.query["page"] for asked in service.asked] == ["1", "2", "2"]
    monkeypatch.setattr("novum.literature.fetching.updating.JUST_NOW", 0)
    renew(library, client(), source)
    assert [asked.query["page"] for asked in service.asked[3:]] == ["1", "2"]


def test_an_update_tells_of_a_search_that_failed_while_others_did_not(
    library: Library, client: Make, service: Service, other_service: Service
) -> None:
    long_ago = dt.date(2026, 3, 1)
    save_search(library, Search(text="graphs"), 0, {"openalex": long_ago})
    save_search(library, Search(text="trees"), 0, {"semantic-scholar": long_ago})
    service.on("/works", works(work(1)))
    other_service.on("/graph/v1/paper/search", Said(status=403))
    done = renew(library, client(), OpenAlex(service.address), SemanticScholar(other_service.address))
    (failed,) = (one for one in done if one.failed)
    assert (failed.remembered.search.text, failed.failed) == ("trees", ("semantic-scholar",))
    assert "SEMANTIC_SCHOLAR_API_KEY" in failed.aside[0]
    assert {"semantic-scholar": long_ago} in [one.asked for one in saved_searches(library)]


def test_searching_again_does_not_move_the_day_from_which_an_update_asks(
    library: Library, client: Make, service: Service
) -> None:
    long_ago = dt.date(2026, 3, 1)
    save_search(library, GRAPHS, 0, {"openalex": long_ago})
    service.on("/works", works(work(1), count=5000))
    bring(library, client(), OpenAlex(service.address))
    assert [one.asked for one in saved_searches(library)] == [{"openalex": long_ago}]


def test_a_note_that_cannot_be_read_is_written_anew(library: Library) -> None:
    day = dt.date(2026, 3, 1)
    save_search(library, GRAPHS, 0, {"openalex": day})
    (name,) = library.notes("search:")
    library.set_note(name, "{}")
    save_search(library, GRAPHS, 0, {"arxiv": day})
    assert [one.asked for one in saved_searches(library)] == [{"arxiv": day}]


def test_a_source_that_fails_in_an_update_is_asked_from_its_old_day_next_time(
    library: Library, client: Make, service: Service, other_service: Service
) -> None:
    service.on("/works", works(work(1)))
    other_service.on("/graph/v1/paper/search", said({"data": [record(2)]}))
    openalex, scholar = OpenAlex(service.address), SemanticScholar(other_service.address)
    bring(library, client(), openalex, scholar)
    (known,) = saved_searches(library)
    long_ago = dt.date(2020, 1, 1)
    save_search(library, known.search, known.steps, {"openalex": long_ago, "semantic-scholar": long_ago})
    other_service.on("/graph/v1/paper/search", Said(status=403))
    (renewed,) = renew(library, client(), openalex, scholar)
    assert renewed.failed == ("semantic-scholar",)
    (known,) = saved_searches(library)
    assert (known.asked["semantic-scholar"], known.asked["openalex"] > long_ago) == (long_ago, True)


def test_a_library_that_remembers_nothing_has_nothing_to_update(library: Library, client: Make) -> None:
    with pytest.raises(BadInput, match="has no saved search"):
        renew(library, client())


GATHERER = """
    import asyncio, sys
    from pathlib import Path
    from novum.literature import Library
    from novum.literature.sources import Search
    from novum.literature.fetching.gathering import gather
    from novum.literature.sources.openalex import OpenAlex
    from novum.literature.services.client import SourceClient

    async def main(folder, address):
        with Library.open(folder / "library") as library:
            async with SourceClient(folder / "answers", environment={}) as client:
                await gather(library, client, [OpenAlex(address)], Search(text="graphs", limit=1000))

    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
"""


@pytest.mark.slow
def test_a_killed_process_run_again_asks_nothing_twice(service: Service, tmp_path: Path) -> None:
    running: list[subprocess.Popen[bytes]] = []

    def kill() -> None:
        if len(running) == 1:
            os.kill(running[0].pid, signal.SIGKILL)

    for number in range(1, 6):
        first = kill if number == 4 else None
        service.on("/works", Said(works(work(number), count=500).body, first=first), page=str(number))
    for _ in range(2):
        command = [sys.executable, "-c", textwrap.dedent(GATHERER), str(tmp_path), service.address]
        running.append(subprocess.Popen(command))
        running[-1].wait(300)
    assert [process.returncode for process in running] == [-signal.SIGKILL, 0]
    assert [asked.query["page"] for asked in service.asked] == ["1", "2", "3", "4", "4", "5"]
    with Library.open(tmp_path / "library") as library:
        assert len(list(library.papers())) == 5


def test_cut_off_half_way_and_run_again_asks_nothing_twice(library: Library, client: Make, service: Service) -> None:
    for number in range(1, 6):
        service.on("/works", works(work(number), count=500), page=str(number))
    source, search = OpenAlex(service.address), Search(text="graphs", limit=1000)

    def stop(_source: str, papers: int, _total: int | None) -> None:
        if papers == 3:
            raise RuntimeError("the lights went out")

    with pytest.raises(RuntimeError):
        bring(library, client(), source, search=search, progress=stop)
    assert len(list(library.papers())) == 3
    bring(library, client(), source, search=search)
    assert [asked.query["page"] for asked in service.asked] == ["1", "2", "3", "4", "5"]
    assert len(list(library.papers())) == 5
