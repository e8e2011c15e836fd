"""A small invented literature, and a way to run a method on it against a scripted model."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from novum.core import Paper
from novum.lab import Workplace
from novum.literature import Entry, Library, Reference
from novum.runs.engine import start
from novum.runs.ideation import IDEATION, IdeationTask
from novum.settings import load_settings

LINE = [  # key, title, year, cites, citations, what it is about
    ("root", "Foundations of widget learning", 2001, [], 90_000, "widgets gadgets learning foundations theory"),
    ("early", "Widget learning with gadget priors", 2005, ["root"], 400, "widgets gadgets priors learning"),
    ("middle", "Deep widget learning", 2012, ["early", "root"], 700, "deep widgets gadgets learning networks"),
    ("late", "Self-checking widget learners", 2018, ["middle", "early"], 300, "widgets gadgets self-checking learning"),
    ("newest", "Widget learners that plan", 2022, ["late", "middle"], 40, "widgets gadgets planning learning"),
    ("aside", "Cooking soup at altitude", 2019, ["middle"], 20, "soup cooking altitude pressure"),
    ("twin", "Deep Widget Learning Revisited", 2013, [], 10, "unrelated accounting ledgers"),
]


def entry(key, title, year, cites, citations, about, authors=("Ada Smith",), full_text=None):
    paper = Paper(title=title, year=year, authors=authors, summary=about, citation_count=citations, fields=("widgets",))
    references = tuple(Reference(scheme="key", value=f"line/{cited}") for cited in cites)
    return Entry(paper=paper, key=f"line/{key}", references=references, full_text=full_text)


@pytest.fixture(scope="session")
def shelf(tmp_path_factory):
    """The invented literature, brought in and indexed once."""
    folder = tmp_path_factory.mktemp("literature") / "library"
    with Library.open(folder) as library:
        library.add([entry(*each) for each in LINE])
        asyncio.run(library.index())
    return folder


@pytest.fixture(autouse=True)
def any_topic(monkeypatch):
    """Methods are tried on topics that the small invented literature may not cover, and on days before it."""

    async def no_notes(*_, **__):
        return ()

    monkeypatch.setattr("novum.runs.ideation.ensure_coverage", no_notes)


@pytest.fixture
def generate(tmp_path, shelf):
    """Runs a method on the invented literature; hands back its outcome and what the ledger's run noted. `chosen`:
    options of the method whose names mean something else here."""
    count = iter(range(100))

    def run(
        server, topic="widgets and gadgets that learn", *, method="chain-of-ideas", papers=LINE, chosen=None, **options
    ):
        home = tmp_path / f"home{next(count)}"
        options |= chosen or {}
        if papers is LINE:
            shutil.copytree(shelf, home / "library")
        settings = load_settings({"home": str(home), "writer": server.model}, environment={}, folder=tmp_path)

        async def inside():
            async with Workplace(settings) as workplace:
                if papers is not LINE:
                    workplace.library.add([entry(*each) for each in papers])
                return (
                    await start(IDEATION, workplace, IdeationTask(topic=topic, method=method, options=options))
                ).ideation

        return asyncio.run(inside())

    return run
