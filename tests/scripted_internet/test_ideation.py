"""Ideas on a topic that the library lacks are built on papers that the scripted services gave, linked by citations."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from novum.lab import Workplace
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask
from novum.settings import load_settings
from novum.testing import ScriptedServer
from tests.scripted_internet.reader import reader_of

TOPIC = "trade guilds in Flanders"


@pytest.mark.slow
def test_a_topic_that_the_library_lacks_gets_chains_of_linked_papers_from_a_service(internet, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENALEX_API_KEY", raising=False)
    report = asyncio.run(ideate(internet, tmp_path))
    chains = [each.chain for each in report.ideation.candidates if each.chain]
    numbers = [[number_of(internet, link.paper) for link in chain.links] for chain in chains]
    assert chains
    assert all(len(papers) >= 3 for papers in numbers)
    assert all(internet.corpus.are_linked(*pair) for papers in numbers for pair in pairwise(papers))
    assert {internet.corpus.topic_of(paper).name for papers in numbers for paper in papers} == {TOPIC}
    assert {one.service for one in internet.log} == {"openalex"}
    assert all(expanded(internet, chain) for chain in chains)


def expanded(internet, chain):
    """Whether the citing papers of every paper from which a chain went on were requested."""
    asked = {paper for one in internet.asked(kind="citations") for paper in one.about}
    went_on = [one if two.direction == "forward" else two for one, two in pairwise(chain.links)]
    return {number_of(internet, link.paper) for link in went_on} <= asked


async def ideate(internet, home):
    with ScriptedServer(reader_of(TOPIC)) as server:
        given = {
            "home": str(home),
            "writer": server.model,
            "sources": "openalex",
            "source_addresses": internet.addresses,
        }
        async with Workplace(load_settings(given, environment={}, folder=home)) as workplace:
            task = IdeationTask(topic=TOPIC, options={"branches": 1, "rounds": 1}, opportunities=False)
            return await start(IDEATION, workplace, task)


def number_of(internet, paper):
    """The paper of the corpus that this is."""
    known = [internet.corpus.number_of(*name) for name in paper.ids.items()]
    return next(number for number in known if number is not None)
