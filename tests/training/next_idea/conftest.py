"""A small literature with target papers, contexts and tasks made by hand."""

from __future__ import annotations

import asyncio
import datetime as dt

import pytest

from novum.core import Paper
from novum.core.research_context import (
    EncodedContext,
    IdeaGroup,
    IdeaRelation,
    NextIdeaRecord,
    PaperIdea,
    ReferenceCounts,
    ResearchContext,
    ResearchSignal,
)
from novum.lab import Workplace
from novum.literature import Entry, Reference
from novum.runs.engine import start
from novum.settings import load_settings
from novum.training.next_idea.data.durable import NEXT_IDEA_DATA, NextIdeaTask
from novum.training.next_idea.data.settings import NextIdeaSettings

SUBJECTS = ("protein folding", "graph search", "crystal growth", "speech parsing", "traffic control", "soil chemistry")


def reference(number):
    """A paper that others cite, with a text of its own."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    words = " ".join(f"{subject.split()[0]}{number}term{each}" for each in range(12))
    return Paper(
        title=f"Study {number} of {subject}",
        year=2000 + number,
        fields=("widgets",),
        abstract=f"On {subject}. {words}.",
    )


def target(number, month=1):
    """A paper whose idea is to be predicted."""
    words = " ".join(f"target{number}word{each}" for each in range(14))
    return Paper(
        title=f"Target paper number {number} about the joining of distant things",
        year=2025, date=dt.date(2025, month, 1), fields=("widgets",), abstract=f"We join things: {words}.",
    )  # fmt: skip


def entries(targets=4, references=6):
    """References, and targets that cite all of them."""
    cited = [reference(number) for number in range(references)]
    for number, paper in enumerate(cited):
        yield Entry(paper=paper, key=f"ref/{number}")
    for number in range(targets):
        links = tuple(Reference(scheme="key", value=f"ref/{each}") for each in range(references))
        yield Entry(paper=target(number, number + 1), key=f"target/{number}", references=links)


@pytest.fixture
def build(tmp_path):
    """Builds a data set from entries with a scripted server; hands back its card and its folder."""

    def run(server, papers=None, tokenizer="", **settings):
        home, folder = tmp_path / "home", tmp_path / "tasks"
        loaded = load_settings({"home": str(home), "writer": server.model}, environment={}, folder=tmp_path)
        options = NextIdeaSettings(**{"since": dt.date(2025, 1, 1)} | settings)

        async def inside():
            async with Workplace(loaded) as workplace:
                workplace.library.add(list(entries() if papers is None else papers))
                task = NextIdeaTask(folder=str(folder), settings=options, tokenizer=tokenizer, force=True)
                return await start(NEXT_IDEA_DATA, workplace, task)

        return asyncio.run(inside()), folder

    return run


def idea(number, **parts):
    """The idea of a paper."""
    told = {name: f"{name} of {number}" for name in ("problem", "approach", "contribution", "limitation")}
    given = {"paper_id": f"paper-{number}", "title": f"Title {number}", "year": 2000 + number}
    return PaperIdea(**given | told | parts)


@pytest.fixture
def context():
    """Four ideas in two groups, with a relation of each sort and a signal of each kind."""
    return ResearchContext(
        ideas=tuple(map(idea, range(4))),
        groups=(
            IdeaGroup(name="first group", memory="they search", paper_ids=("paper-0", "paper-1")),
            IdeaGroup(name="second group", memory="they grow", paper_ids=("paper-2", "paper-3")),
        ),
        relations=(
            IdeaRelation(kind="evolution", source_id="paper-0", target_id="paper-1", reason="it is faster"),
            IdeaRelation(kind="conflict", source_id="paper-1", target_id="paper-2", reason="both cannot hold"),
        ),
        signals=(
            ResearchSignal(kind="insight", text="all of them ignore noise", paper_ids=("paper-0", "paper-2")),
            ResearchSignal(kind="trend", text="they become smaller", paper_ids=("paper-0", "paper-1")),
            ResearchSignal(kind="serendipity", text="growth could search", paper_ids=("paper-1", "paper-3")),
        ),
    )


def record(number=0, context=ResearchContext(), **fields):  # noqa: B008  a frozen record
    """A task made by hand."""
    given = {
        "target_id": f"target-{number}", "target_title": f"Target {number}", "category": "widgets",
        "target_date": dt.date(2025, 1, 1) + dt.timedelta(days=number), "context": context,
        "encoded": EncodedContext(text=f"The works of task {number}.", tokens=8), "truth": idea(900 + number),
        "references": ReferenceCounts(cited=4, resolved=4),
    }  # fmt: skip
    return NextIdeaRecord(**given | fields)
