"""The library as guide: papers found by nearness and difference, without a model."""

from __future__ import annotations

import asyncio

import pytest

from novum.core import Topic
from novum.literature import Filters, Library, install_starter
from novum.reading import LibraryGuide, RelevanceQuery

TOPIC = Topic(text="Language-model agents that propose scientific hypotheses")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with Library.open(tmp_path_factory.mktemp("guide") / "library") as opened:
        install_starter(opened)
        yield opened


def test_perspectives_are_near_the_topic_and_differ(library):
    found = asyncio.run(LibraryGuide(library, Filters()).perspectives(TOPIC, 4))
    assert len({each.query for each in found}) == 4
    papers = [library.find(each.query) for each in found]
    assert all("scientific ideation with language models" in paper.fields for paper in papers[:2])


def test_what_is_far_from_the_topic_is_not_relevant(library):
    guide = LibraryGuide(library, Filters())
    near = library.find(
        "ResearchAgent: Iterative Research Idea Generation over Scientific Literature with Large Language Models"
    )
    far = next(paper for paper in library.papers(Filters(fields=("quantum computing",))))
    accepted = asyncio.run(guide.relevant(RelevanceQuery(TOPIC, "all of it"), [far, near], "anchor"))
    assert [each.paper for each in accepted] == [near]


def test_a_paper_stands_by_its_own_summary(library):
    paper = next(iter(library.papers()))
    insight = asyncio.run(LibraryGuide(library, Filters()).read(TOPIC, paper))
    assert insight.idea == f"Contribution: {paper.summary}"
