"""A small LiveIdeaBench on a scripted server: models and judges by name, a home of its own, one call to measure."""

from __future__ import annotations

import asyncio
import re

from novum.benchmarks.liveidea.durable import LIVEIDEA
from novum.benchmarks.liveidea.records import Keyword, LiveIdeaProtocol
from novum.benchmarks.liveidea.task import LiveIdeaTask, panel_of
from novum.core import Paper
from novum.lab import Workplace
from novum.literature import Entry, Library
from novum.llm import ModelName
from novum.runs.engine import replay, resume, start
from novum.settings import load_settings
from novum.testing import ideas_and_scores

MODELS = ("dreamer-3", "dreamer-7")
JUDGES = ("judge-a", "judge-b", "judge-c", "judge-d")


def names(server, models):
    return [ModelName.parse(f"server:{model}@{server.base_url}") for model in models]


def assignment(server, *, models=MODELS, seats=JUDGES, keywords=3, anchors=None, papers_before=None, **protocol):
    """`keywords`: how many, or which."""
    if isinstance(keywords, int):
        keywords = tuple(
            Keyword(keyword=f"subject {n}", discipline="arts" if n % 2 else "crafts") for n in range(keywords)
        )
    panel, addresses = panel_of(names(server, seats))
    return LiveIdeaTask(
        models=tuple(map(str, names(server, models))),
        keywords=keywords,
        panel=panel,
        addresses=addresses,
        protocol=LiveIdeaProtocol(**protocol),
        anchors=anchors,
        papers_before=papers_before,
    )


def working(home, job, **settings):
    """What `job(place)` brings in a workplace of its own."""

    async def work():
        given = {"home": str(home), "deadline_seconds": 60, **settings}
        async with Workplace(load_settings(given, environment={}, folder=home)) as place:
            return await job(place)

    return asyncio.run(work())


def measured(home, what, **settings):
    return working(home, lambda place: start(LIVEIDEA, place, what), **settings)


def resumed(home, run_id, **settings):
    return working(home, lambda place: resume(LIVEIDEA, place, run_id), **settings)


def recalled(home, run_id, **settings):
    return working(home, lambda place: replay(LIVEIDEA, place, run_id), **settings)


def stock(home, *titles, year=2020):
    """Puts papers of these titles into the library of a home."""
    papers = (
        Paper(title=title, authors=("Ada Byron",), year=year, abstract=f"{title}, at length.") for title in titles
    )
    with Library.open(home / "library") as library:
        library.add(Entry(paper=paper) for paper in papers)


def kind(asked):
    """What is asked for: idea, pair, scores, or scores with papers shown."""
    if "Your keyword:" in asked.text:
        return "idea"
    if "How alike are they" in asked.text:
        return "pair"
    return "informed" if "What the search brought up" in asked.text else "scores"


def keyword_of(asked):
    return re.search(r'keyword(?:: |, )"([^"]*)"', asked.text)[1]


def answering(**ways):
    """A script where `idea`, `scores`, `informed` or `pair` are answered in another way; None there: as usual."""

    def script(asked):
        said = ways[kind(asked)](asked) if kind(asked) in ways else None
        return ideas_and_scores(asked) if said is None else said

    return script


def unsorted(run):
    """A run's records without what differs from one session of work to the next."""
    return run.ideas, run.judgements, run.anchor_judgements, run.informed
