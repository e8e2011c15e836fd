"""Openings as a run has them: computed of a whole library, kept in its events, none from after its day."""

from __future__ import annotations

import asyncio
import shutil

import pytest
from tests.opportunities.made_up import NAMES, library_of, literature

from novum.lab import Workplace
from novum.opportunities.search import ensure_concept_map
from novum.runs.engine import start, stored_outcome
from novum.runs.ideation import IDEATION, IdeationTask
from novum.settings import load_settings

TOPIC = f"{NAMES[0]} and {NAMES[6]}"
LITTLE = {"branches": 1, "length": 1, "trends": False, "future": False, "rounds": 1, "experiment": False}


@pytest.fixture(scope="module")
def literature_with_a_map(tmp_path_factory):
    """Papers of the years 2008 to 2019, with all that is computed of their concepts."""
    folder = tmp_path_factory.mktemp("made up") / "library"
    with library_of(folder, literature(400)) as library:
        asyncio.run(library.index())
        asyncio.run(ensure_concept_map(library))
    return folder


@pytest.fixture
def work(tmp_path, literature_with_a_map, server):
    """Does a job in a workplace that has this library and a scripted model."""
    shutil.copytree(literature_with_a_map, tmp_path / "home" / "library")

    def run(job):
        settings = load_settings({"home": str(tmp_path / "home"), "writer": server.model}, environment={})

        async def inside():
            async with Workplace(settings) as workplace:
                return await job(workplace)

        return asyncio.run(inside())

    return run


def made(workplace, **options):
    return start(IDEATION, workplace, IdeationTask(topic=TOPIC, method="chain-of-ideas", options=LITTLE | options))


def test_opportunities_that_are_not_requested_are_not_computed(work, monkeypatch):
    def never(*_, **__):
        raise AssertionError("opportunities were computed")

    monkeypatch.setattr("novum.runs.ideation.opportunities_of", never)
    task = IdeationTask(topic=TOPIC, method="chain-of-ideas", options=LITTLE, opportunities=False)
    report = work(lambda place: start(IDEATION, place, task))
    assert report.ideation.best is not None
    assert report.openings is None
    assert report.without_openings == ""


@pytest.mark.slow
def test_a_report_has_the_opportunities_of_its_topic_and_ideas_start_from_the_best(work):
    report = work(lambda place: made(place, from_opportunities=2))
    held = [each.name for each in report.openings.openings]
    assert held
    assert {start.opening.name for start in report.ideation.starts} <= set(held[:2])
    assert report.openings.until == 2019
    named = {each for opening in report.openings.openings for each in (*opening.one.papers, *opening.other.papers)}
    assert named <= {paper.id for paper in report.openings.papers}


@pytest.mark.slow
def test_opportunities_are_stored_with_the_run_and_its_report_is_read_back_whole(work):
    async def job(workplace):
        report = await made(workplace)
        record = workplace.ledger.run(report.account.run_id)
        events = [event for _, event in workplace.ledger.events(record.id, kind="openings")]
        return report, stored_outcome(IDEATION, record), events

    report, read, events = work(job)
    assert read == report
    (event,) = events
    assert event.data["found"]["openings"]["until"] == report.openings.until


@pytest.mark.slow
@pytest.mark.parametrize(("day", "some"), [("2019-06-01", False), ("2019-12-31", False), ("2020-01-01", True)])
def test_opportunities_of_a_year_are_used_only_if_it_ended_before_the_day(work, day, some):
    report = work(lambda place: made(place, before=day, from_opportunities=1))
    assert (report.openings is not None) == some
    if not some:
        why = (
            "The concept map of the library covers papers until the end of 2019, and nothing from "
            f"{day} on may be used."
        )
        assert report.without_openings == why
        assert f"No idea starts from an opportunity. {why}" in report.ideation.notes
        assert report.ideation.starts == ()


@pytest.mark.slow
def test_a_damaged_concept_map_is_built_again_or_reported_and_the_run_continues(work, tmp_path):
    for file in (tmp_path / "home" / "library" / "index" / "opportunities").rglob("*"):
        if file.is_file():
            file.write_bytes(b"not what it was")
    report = work(made)
    assert report.ideation.best is not None
    assert (report.openings is not None) != bool(report.without_openings)


@pytest.mark.slow
def test_concurrent_topics_wait_for_one_concept_map_of_the_library(tmp_path, work):
    """In bulk every question asks for its openings at the same moment; the first count is everybody's."""
    shutil.rmtree(tmp_path / "home" / "library" / "index" / "opportunities")
    topics = [TOPIC, f"{NAMES[1]} and {NAMES[7]}", NAMES[2]]

    async def job(place):
        options = LITTLE | {"from_opportunities": 1}
        tasks = (IdeationTask(topic=topic, method="chain-of-ideas", options=options) for topic in topics)
        return await asyncio.gather(*(start(IDEATION, place, task) for task in tasks))

    reports = work(job)
    assert [each.without_openings for each in reports] == ["", "", ""]
    assert all(each.ideation.starts for each in reports)
