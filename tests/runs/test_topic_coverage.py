"""What a run does about a topic of which its library knows much, little or nothing."""

from __future__ import annotations

import asyncio
import shutil
import threading
from dataclasses import replace

import pytest
from tests.local_service import Said, Service
from tests.methods.conftest import LINE, entry
from tests.runs.test_live_sources import work, works

from novum.errors import BadInput, BudgetSpent
from novum.lab import Workplace
from novum.literature.sources.openalex import OpenAlex
from novum.runs.engine import resume, start
from novum.runs.exploration import EXPLORATION, ExplorationTask
from novum.runs.ideation import IDEATION, IdeationTask
from novum.runs.topic_coverage import ensure_coverage, starter_abstracts
from novum.settings import load_settings
from novum.testing import ScriptedServer

KNOWN, LITTLE, UNKNOWN = "deep widgets and gadgets", "soup at altitude", "trade guilds in medieval Flanders"
NOBODY = "http://127.0.0.1:9"
"""Where no service listens."""
MISSING = ("“guilds”", "“medieval”", "“Flanders”")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(OpenAlex, "rate_limits", replace(OpenAlex.rate_limits, pause=0.0, pause_with_key=0.0))


@pytest.fixture
def model():
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def service():
    """OpenAlex on this machine, which has nothing."""
    running = Service()
    running.on("/works", works())
    yield running
    running.close()


@pytest.fixture
def place(tmp_path, service, model):
    """Opens a workplace of its own home, without services unless they are named."""

    def opened(**more):
        addresses = {"openalex": service.address}
        given = {"home": str(tmp_path / "home"), "writer": model.model, "source_addresses": addresses}
        return Workplace(load_settings(given | {"sources": "none"} | more, environment={}, folder=tmp_path))

    return opened


@pytest.fixture
def ideate(place):
    """Runs an ideation over the widgets and returns its report."""

    def run(topic, *, force=False, before=None, **settings):
        async def inside():
            async with place(**settings) as here:
                if here.library.is_empty():
                    here.library.add([entry(*each) for each in LINE])
                options = {"branches": 1, "length": 2, **({"before": before} if before else {})}
                return await start(IDEATION, here, IdeationTask(topic=topic, options=options, force=force))

        return asyncio.run(inside())

    return run


def papers(number, about):
    return [entry(f"{about}{n}", f"{about}, part {n}", 2015, [], 3, about) for n in range(number)]


def recorded(workplace):
    """The verdicts in the ledger."""
    with workplace.library:
        events = workplace.ledger.events(workplace.ledger.run("last").id)
        return [event.data["coverage"]["verdict"] for _, event in events if event.kind == "coverage"]


def about_coverage(report):
    return [note for note in report.ideation.notes if note.startswith("The library knows")]


# Nothing is known


@pytest.mark.parametrize(
    ("settings", "advice"),
    [
        ({}, "Let services be searched (`--source openalex --source crossref`)"),
        ({"sources": "openalex"}, "Services had nothing on it either"),
        (
            {"sources": "openalex", "source_addresses": {"openalex": NOBODY}},
            "OpenAlex cannot be reached: check the network and proxy. Then run this again",
        ),
    ],
    ids=["without services", "nothing found", "no network"],
)
def test_a_topic_of_which_nothing_is_known_stops_the_run_before_anything_is_paid(
    ideate, place, model, settings, advice
):
    with pytest.raises(BadInput) as refusal:
        ideate(UNKNOWN, **settings)
    message = str(refusal.value)
    assert message.startswith(
        f"Nothing is known about “{UNKNOWN}”: none of the nearest of 7 papers of the library has "
    )
    assert all(word in message for word in MISSING)
    assert advice in message
    assert "`novum library add FILE`" in message
    assert message.endswith("or repeat the command with --force.")
    assert "\n" not in message
    assert model.asked == []
    assert recorded(place()) == []


def test_a_question_of_which_nothing_is_known_stops_an_exploration(place, model):
    async def explored():
        async with place() as here:
            here.library.add([entry(*each) for each in LINE])
            return await start(EXPLORATION, here, ExplorationTask(question=f"What ended the {UNKNOWN}?"))

    with pytest.raises(BadInput, match=r"Nothing is known about .*“guilds”"):
        asyncio.run(explored())
    assert model.asked == []


def test_where_no_paper_may_be_used_that_is_the_reason(ideate):
    with pytest.raises(BadInput, match="the library has no paper that may be used"):
        ideate(KNOWN, before="1990-01-01")


def test_force_goes_on_with_a_note(ideate, place):
    report = ideate(UNKNOWN, force=True)
    assert report.ideation.candidates
    (note,) = about_coverage(report)
    assert note.startswith("The library knows nothing about this topic: the nearest of 7 papers, “")
    assert "“guilds”" in note
    assert recorded(place()) == ["none"]


def test_force_goes_on_with_an_exploration(place):
    async def explored():
        async with place() as here:
            here.library.add([entry(*each) for each in LINE])
            return await start(EXPLORATION, here, ExplorationTask(question=UNKNOWN, force=True))

    (exploration,) = asyncio.run(explored()).explorations
    assert any(note.startswith("The library knows nothing") for note in exploration.notes)


def test_a_run_that_was_stopped_for_it_goes_on_when_papers_have_come(ideate, place, model):
    with pytest.raises(BadInput):
        ideate(UNKNOWN)

    async def again():
        async with place() as here:
            here.library.add(papers(8, UNKNOWN))
            return await resume(IDEATION, here, "last")

    report = asyncio.run(again())
    assert report.ideation.candidates
    assert about_coverage(report) == []
    assert model.asked


# Something is known


def test_of_a_topic_that_is_covered_nothing_is_said(ideate, place):
    report = ideate(KNOWN)
    assert about_coverage(report) == []
    assert recorded(place()) == ["good"]


def test_of_a_topic_that_is_hardly_covered_a_note_says_so(ideate, place):
    report = ideate(LITTLE)
    (note,) = about_coverage(report)
    assert note.startswith("The library knows little about this topic: 1 of 7 papers comes close")
    assert report.ideation.notes[0] == note
    assert recorded(place()) == ["thin"]


def test_papers_of_the_services_count_and_only_those_of_the_time(ideate, place, service):
    found = [work(n, 2010 + n) | {"title": f"{UNKNOWN}, part {n}"} for n in range(1, 9)]
    service.on("/works", works(*found))
    assert about_coverage(ideate(UNKNOWN, sources="openalex")) == []
    assert recorded(place()) == ["good"]
    assert service.asked[0].query["search"].split() == ["trade", "guilds", "medieval", "flanders"]
    with pytest.raises(BadInput, match="Nothing is known"):
        ideate(UNKNOWN, before="2006-01-01")


# What was found out is kept


def test_a_resumed_run_keeps_the_verdict_though_the_library_has_changed(ideate, place, service):
    with pytest.raises(BudgetSpent):
        ideate(UNKNOWN, force=True, budget_calls=2, sources="openalex")
    asked = [each.query.get("search") for each in service.asked]

    async def again():
        async with place(sources="openalex") as here:
            here.library.add(papers(8, UNKNOWN))
            return await resume(IDEATION, here, "last")

    (note,) = about_coverage(asyncio.run(again()))
    assert note.startswith("The library knows nothing")
    assert recorded(place()) == ["none"]
    topics = [each.query.get("search") for each in service.asked].count(asked[0])
    assert topics == asked.count(asked[0]), "the topic is not asked for again"


def test_a_verdict_of_another_version_is_found_out_again(place):
    async def judged():
        async with place() as here:
            here.library.add([entry(*each) for each in LINE])
            record = here.ledger.start_run("ideate", LITTLE, {})
            here.lab(record).run.emit("coverage", coverage={"verdict": "splendid"})
            await here.ledger.written()
            return await ensure_coverage(here.lab(record), LITTLE, None)

    (note,) = asyncio.run(judged())
    assert note.startswith("The library knows little")


# Abstracts of the starter library


def starting(place, job):
    """Does `job` beside the completion of the starter library."""

    async def inside():
        async with place() as here:
            lab = here.lab(here.ledger.start_run("ideate", "bees", {}))
            async with starter_abstracts(lab):
                return await job(lab)

    return asyncio.run(inside())


def test_missing_abstracts_of_the_starter_library_are_fetched_beside_a_run(tmp_path, filled_library, place, service):
    shutil.copytree(filled_library, tmp_path / "home" / "library")
    arrived = threading.Event()
    service.on("/works", Said(works().body, first=arrived.set))

    async def job(lab):
        return await asyncio.to_thread(arrived.wait, 60)

    assert starting(lambda: place(sources="openalex"), job)
    assert "filter" in service.asked[0].query


def test_a_service_that_hangs_does_not_hold_up_the_end_of_a_run(tmp_path, filled_library, place, service):
    shutil.copytree(filled_library, tmp_path / "home" / "library")
    arrived, released, answers = threading.Event(), threading.Event(), []
    service.on("/works", Said(works().body, first=lambda: (arrived.set(), answers.append(released.wait(8)))))

    async def job(lab):
        await asyncio.to_thread(arrived.wait, 60)

    starting(lambda: place(sources="openalex"), job)
    assert answers == []
    released.set()


def test_without_services_no_abstract_is_fetched(tmp_path, filled_library, place, service):
    shutil.copytree(filled_library, tmp_path / "home" / "library")

    async def job(lab):
        return lab.live

    assert starting(place, job) is None
    assert service.asked == []
