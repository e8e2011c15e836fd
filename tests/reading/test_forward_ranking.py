"""Papers that continue a chain are ranked by topic and anchor together: neither may be left out."""

from __future__ import annotations

import asyncio

import pytest

from novum.core import Paper, Topic
from novum.literature import Entry, Library, Reference
from novum.reading import ChainBuilder, ChainLimits, RelevanceQuery, Relevant

OF_TOPIC = "Bridges that mend themselves: bridges mend cracks by themselves"
OF_ANCHOR = "Vineyards of medieval monasteries: taxes on vineyards and monasteries"


class NotingGuide:
    """Accepts nothing and notes in which order candidates were shown."""

    notice = ""

    def __init__(self):
        self.shown = []

    async def relevant(self, search, candidates, purpose, beside=None, linked_by="cited"):
        if purpose == "forward":
            self.shown.append([paper.title for paper in candidates])
        return []

    async def choose_anchor(self, search, equal):
        return list(equal)

    async def read(self, topic, paper):
        return None


@pytest.mark.parametrize(
    ("topic", "anchor", "first"),
    [
        ("bridges that mend themselves, bridges with cracks", "Vineyards.", "Topical"),
        ("Tides.", "taxes on vineyards of medieval monasteries", "Like the anchor"),
    ],
)
def test_forward_candidates_are_ranked_by_topic_and_anchor(tmp_path, topic, anchor, first):
    papers = [("Anchor", 2005, [], anchor), ("Topical", 2010, ["Anchor"], OF_TOPIC),
              ("Like the anchor", 2011, ["Anchor"], OF_ANCHOR)]  # fmt: skip
    guide = NotingGuide()
    with Library.open(tmp_path / "library") as library:
        library.add(
            Entry(
                paper=Paper(title=title, year=year, summary=about),
                key=title,
                references=tuple(Reference(scheme="key", value=each) for each in cites),
            )
            for title, year, cites, about in papers
        )
        search = RelevanceQuery(Topic(text=topic), "a question")
        builder = ChainBuilder(guide, library, search, ChainLimits())
        asyncio.run(builder.build("query", Relevant(library.find("Anchor"), "given")))
    assert guide.shown[0][0] == first
