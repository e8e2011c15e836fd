"""Every topic that a page or a help text shows leads somewhere: the starter library has a line of papers for it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from novum.core import Topic
from novum.literature import Filters, Library, install_starter
from novum.reading import ChainBuilder, ChainLimits, LibraryGuide, RelevanceQuery

ROOT = Path(__file__).parents[2]
SHOWN = [ROOT / "README.md", ROOT / "Makefile", *(ROOT / "docs").glob("*.md"), *(ROOT / "src/novum/cli").glob("*.py")]
TOPIC = re.compile(r'(?:TOPIC=|novum ideate |novum\.ideate\()"([^"…$]{4,})"')
TOPICS = sorted({topic for file in SHOWN for topic in TOPIC.findall(file.read_text(encoding="utf-8"))} - {"your topic"})


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with Library.open(tmp_path_factory.mktemp("topics") / "library") as opened:
        install_starter(opened)
        yield opened


async def longest_chain(library, topic):
    guide = LibraryGuide(library, Filters())
    lengths = [0]
    for perspective in await guide.perspectives(topic, 3):
        search = RelevanceQuery(topic, perspective.aspect)
        papers = [hit.paper for hit in await library.search(perspective.query, 5)]
        for anchor in (await guide.relevant(search, papers, "anchor"))[:1]:
            chain = await ChainBuilder(guide, library, search, ChainLimits()).build(perspective.query, anchor)
            lengths.append(len(chain.links))
    return max(lengths)


@pytest.mark.parametrize("text", TOPICS)
def test_a_topic_that_is_shown_has_a_chain_of_three_papers_at_least(library, text):
    assert asyncio.run(longest_chain(library, Topic(text=text))) >= 3
