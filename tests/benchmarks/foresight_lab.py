"""A small literature with a known future, and ways to hold ideas against it."""

from __future__ import annotations

import asyncio
import random

from novum.benchmarks.foresight.task import ForesightTask, cutoff_of
from novum.core import Idea, Paper
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.lab import Workplace
from novum.literature import Entry as Shelved
from novum.literature import Library, Reference
from novum.settings import load_settings

THEMES = {
    "solar cells": "perovskite halide film charge carrier lifetime stability module light absorber defect passivation",
    "protein folding": "residue backbone structure helix chaperone sequence evolution mutation enzyme fold energy",
    "river floods": "catchment rainfall discharge levee sediment basin forecast gauge runoff season valley dam",
}
YEARS = range(2015, 2024)
A_YEAR = 12
"""Papers of a theme in a year."""


def papers(themes=THEMES, years=YEARS, a_year=A_YEAR):
    """Each about its theme in words drawn by lot, citing two of its theme from the year before."""
    rng = random.Random(7)
    for theme, words in themes.items():
        for year in years:
            for number in range(a_year):
                drawn = " and ".join(rng.sample(words.split(), 5))
                paper = Paper(
                    title=f"{theme.capitalize()}: {' '.join(rng.sample(words.split(), 5))}",
                    year=year,
                    fields=(theme,),
                    abstract=f"We study {theme} by {drawn}, part {number} of {year}.",
                )
                cited = rng.sample(range(a_year), 2) if year > years[0] else ()
                references = [Reference(scheme="key", value=f"{theme}/{year - 1}/{other}") for other in cited]
                yield Shelved(paper=paper, key=f"{theme}/{year}/{number}", references=tuple(references))


def stock(folder, entries=None):
    """A home whose library is filled and indexed."""
    with Library.open(folder / "library") as library:
        library.add(papers() if entries is None else entries)
        asyncio.run(library.index())
    return folder


def idea_like(paper, topic):
    """An idea in the very words of a paper."""
    said = {"motivation": "", "novelty": "", "method": ""}
    return Idea(topic=topic, title=paper.title, summary=paper.gist, **said)


def given(ideas, maker="mine"):
    return tuple(ArenaEntry(topic=idea.topic, entrant=maker, idea=idea) for idea in ideas)


def task(*, topics=tuple(THEMES), cutoffs=("2019",), methods=(), horizon=3, pool=8, **more):
    return ForesightTask(
        cutoffs=tuple(map(cutoff_of, cutoffs)),
        topics=tuple(ArenaTopic(topic=topic) for topic in topics),
        methods=tuple(Entrant(name=name, method=name) if isinstance(name, str) else name for name in methods),
        horizon=horizon,
        pool=pool,
        **more,
    )


def working(home, job, server=None, **settings):
    """What `job(place)` brings in a workplace at `home`."""

    async def work():
        models = {"writer": server.model} if server else {}
        loaded = load_settings({"home": str(home), **models, **settings}, environment={}, folder=home)
        async with Workplace(loaded) as place:
            return await job(place)

    return asyncio.run(work())
