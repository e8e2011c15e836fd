"""A home whose library is filled with made-up papers, and has taught a model."""

from __future__ import annotations

import asyncio

from novum.idea_metrics.fit import fit_metrics
from novum.idea_metrics.settings import FitSettings
from novum.literature import Entry, Library
from tests.idea_metrics.made_up import made_up_papers

PAPERS = 60
UNCITED = {"citation_count": None, "references": ()}
"""Nobody knows who cites whom: so there is no predictor of citations to be learnt, which would take its time."""
SMALL = FitSettings(clusters=4, top_cited=20, topics=4)


def fill(home, count=PAPERS):
    """The papers alone."""
    with Library.open(home / "library") as library:
        library.add(Entry(paper=paper) for paper in made_up_papers(count, **UNCITED))
        asyncio.run(library.index())
    return home


def learn(home):
    """The papers and a model of the usual name."""
    with Library.open(fill(home) / "library") as library:
        asyncio.run(fit_metrics(library, SMALL)).save(home / "metrics" / "default")
    return home
