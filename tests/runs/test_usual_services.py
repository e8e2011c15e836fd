"""Which services a run may ask when nobody has named one."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.local_service import Service
from tests.methods.conftest import LINE, entry
from tests.runs.test_live_sources import TOPIC, work, works

from novum.lab import Workplace
from novum.literature.sources.openalex import OpenAlex
from novum.runs.engine import resume, settings_of, settings_to_repeat, start
from novum.runs.ideation import IDEATION, IdeationTask
from novum.settings import load_settings
from novum.testing import ScriptedServer

ALONE = {"branches": 1, "length": 2}


@pytest.fixture
def model():
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def service(monkeypatch):
    """OpenAlex on this machine, the only usual service."""
    monkeypatch.setattr("novum.settings._USUAL_SOURCES", ("openalex",))
    monkeypatch.setattr(OpenAlex, "rate_limits", replace(OpenAlex.rate_limits, pause=0.0, pause_with_key=0.0))
    running = Service()
    running.on("/works", works(*(work(number) for number in range(1, 5))))
    yield running
    running.close()


@pytest.fixture
def place(tmp_path, service, model):
    def opened(**more):
        addresses = {"openalex": service.address, "crossref": service.address}
        given = {"home": str(tmp_path / "home"), "writer": model.model, "source_addresses": addresses}
        return Workplace(load_settings(given | more, environment={}, folder=tmp_path))

    return opened


def live(workplace, kind):
    """The services of a run of this kind, by name."""
    with workplace.library:
        lab = workplace.lab(workplace.ledger.start_run(kind, "widgets", {}))
        return [source.name for source in lab.live.sources] if lab.live else []


@pytest.mark.parametrize("kind", ["ideate", "explore"])
def test_a_run_on_one_topic_asks_the_usual_services(place, kind):
    assert live(place(), kind) == ["openalex"]
    assert live(place(sources="none"), kind) == []
    assert live(place(writer="offline:smollm2-135m"), kind) == []


@pytest.mark.parametrize("kind", ["bulk", "arena", "arena-topics", "review", "liveidea"])
def test_a_run_on_many_topics_asks_only_services_that_are_named(place, kind):
    assert live(place(), kind) == []
    assert live(place(sources="crossref,auto"), kind) == ["crossref"]


def test_the_choice_is_stored_with_a_run(place):
    for given, stored in (({}, ["auto"]), ({"sources": "none"}, ["none"]), ({"sources": "openalex"}, ["openalex"])):
        with (here := place(**given)).library:
            assert settings_to_repeat(here)["sources"] == stored


def test_a_run_without_any_word_on_services_asks_the_usual_ones(place, service):
    async def inside():
        async with place() as here:
            here.library.add([entry(*each) for each in LINE])
            return await start(IDEATION, here, IdeationTask(topic=TOPIC, options=ALONE))

    report = asyncio.run(inside())
    assert service.asked
    assert any("from OpenAlex" in note for note in report.ideation.notes)


@pytest.mark.parametrize(("stored", "asks"), [([], False), (None, False), (["none"], False), (["auto"], True)])
def test_a_run_of_an_earlier_version_without_services_goes_on_without(place, model, service, stored, asks):
    """Then a run asked only services that were named, and stored none as an empty list."""
    settings = {"writer": model.model, "reader": model.model} | ({} if stored is None else {"sources": stored})
    params = {"topic": TOPIC, "method": "chain-of-ideas", "options": ALONE, "settings": settings}

    async def inside():
        async with place() as here:
            here.library.add([entry(*each) for each in LINE])
            record = here.ledger.start_run("ideate", TOPIC, params)
            here.ledger.end_run(record.id, "stopped", "long ago")
        async with place(**settings_of(record)) as here:
            return await resume(IDEATION, here, "last")

    assert asyncio.run(inside()).ideation.candidates
    assert bool(service.asked) is asks
