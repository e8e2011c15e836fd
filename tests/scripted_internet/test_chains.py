"""Chains that grow along the citations that services give, step by step."""

from __future__ import annotations

import asyncio
import datetime as dt
from itertools import pairwise

import pytest

from novum.core import Topic
from novum.ledger import Ledger, Run
from novum.literature import Filters, Library
from novum.literature.fetching.live import LiveSources
from novum.literature.services.client import SourceClient
from novum.literature.sources.crossref import Crossref
from novum.literature.sources.openalex import OpenAlex
from novum.reading import ChainBuilder, ChainLimits, RelevanceQuery
from novum.reading.live_library import LiveLibrary
from novum.reading.relevance import Relevant
from tests.literature.sources.conftest import Time

TOPIC = "trade guilds in Flanders"
DAY = dt.date(2012, 1, 1)


class Willing:
    """A guide that takes every candidate, and reads none."""

    notice = ""

    async def perspectives(self, topic, count):
        return []

    async def relevant(self, search, candidates, purpose, beside=None, linked_by="cited"):
        return [Relevant(paper, "as it came") for paper in candidates]

    async def choose_anchor(self, search, equal):
        return equal

    async def read(self, topic, paper):
        return None


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        yield opened


@pytest.fixture
def grow(internet, library, ledger):
    """Builds a chain around a paper with citations on both sides, in the same run each time."""
    record = ledger.start_run("ideate", TOPIC, {})

    def build(*, length=5, before=None, sources=(OpenAlex,)):
        async def inside():
            time = Time()
            chosen = [kind(internet.address(kind.name)) for kind in sources]
            async with SourceClient(environment={}, clock=time.clock, sleep=time.sleep) as client:
                live = LiveSources(library, client, chosen)
                shelf = LiveLibrary(library, Run(ledger, record), live)
                hits = await shelf.search(TOPIC, 10, Filters(before=before))
                anchor = next(hit.paper for hit in hits if has_both_sides(internet, hit.paper, before))
                search = RelevanceQuery(Topic(text=TOPIC), TOPIC)
                builder = ChainBuilder(Willing(), shelf, search, ChainLimits(length=length, before=before))
                chain = await builder.build(TOPIC, Relevant(anchor, "the anchor"))
                await live.close()
                await ledger.written()
                return chain

        return asyncio.run(inside())

    return build


def number_of(internet, paper):
    known = [internet.corpus.number_of(*name) for name in paper.ids.items()]
    return next(number for number in known if number is not None)


def has_both_sides(internet, paper, before):
    number, corpus = number_of(internet, paper), internet.corpus
    citing = [other for other in corpus.citations(number) if before is None or corpus.date(int(other)) < before]
    return len(citing) > 2 and len(corpus.references(number)) > 2


def requested(internet, *kinds):
    return {paper for kind in kinds for one in internet.asked(kind=kind) for paper in one.about}


def test_the_citing_papers_and_the_references_of_each_paper_of_a_chain_are_requested(internet, library, grow):
    chain = grow()
    papers = [number_of(internet, link.paper) for link in chain.links]
    assert len(papers) == 5
    assert {link.direction for link in chain.links} == {"anchor", "forward", "backward"}
    assert all(internet.corpus.are_linked(*pair) for pair in pairwise(papers))
    for paper in [link.paper for link in chain.links][1:]:  # with the first one the chain reached its length
        assert number_of(internet, paper) in requested(internet, "citations")
        assert library.references(paper.id)
        left = {internet.corpus.number_of(*name) for name in library.missing_references(paper.id)} - {None}
        assert left <= requested(internet, "list", "batch"), "what is left was asked for, and is not to be had"


def test_a_resumed_run_asks_no_service_again_and_has_the_same_chain(internet, grow):
    first = grow()
    asked = len(internet.log)
    assert asked
    assert grow() == first
    assert len(internet.log) == asked


def test_no_chain_member_is_of_the_day_or_later(internet, library, grow):
    chain = grow(before=DAY)
    assert len(chain.links) >= 3
    assert all(link.paper.is_before(DAY) for link in chain.links)
    assert all(paper.is_before(DAY) for paper in library.papers())


def test_a_service_that_fails_beside_another_costs_no_link(internet, grow):
    internet.put_out_of_order("crossref", "503")
    chain = grow(sources=(Crossref, OpenAlex))
    assert len(chain.links) == 5
    assert {one.service for one in internet.asked(kind="citations")} == {"openalex"}
