"""How far ideas lie apart: which of them count, and in portions that fit into memory."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from novum.benchmarks.liveidea.idea_distances import AT_ONCE, distances, to_compare
from novum.benchmarks.liveidea.records import IdeaRecord, JudgementRecord, Keyword, LiveIdeaRun
from novum.errors import LibraryError
from novum.literature.embedding import StaticEmbedder


class Angles:
    """An embedder that reads an angle in degrees; it remembers how many texts came together."""

    name = "angles"
    dimensions = 2

    def __init__(self, dimensions=2):
        self.dimensions = dimensions
        self.portions = []

    async def embed(self, texts):
        self.portions.append(len(texts))
        angles = np.radians([float(text) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def ideas_of(model, keyword, *texts, fate="judged"):
    return [
        IdeaRecord(model=model, keyword=keyword, number=number, idea=str(text), fate=fate)
        for number, text in enumerate(texts)
    ]


def run_of(*ideas, pairs=()):
    records = [idea for some in ideas for idea in some]
    return LiveIdeaRun(
        name="made up",
        models=tuple(dict.fromkeys(each.model for each in records)),
        keywords=tuple(Keyword(keyword=word) for word in dict.fromkeys(each.keyword for each in records)),
        ideas=tuple(records),
        judgements=tuple(pairs),
    )


def pair(model, keyword, first, second):
    scores = {"fluency": 7.0}
    return JudgementRecord(model=model, keyword=keyword, ideas=(first, second), number=0, judge="j", scores=scores)


def measured(run, embedder=None):
    return asyncio.run(distances(run, embedder or Angles()))


def test_ideas_that_say_the_same_are_not_apart_and_unrelated_ones_are_one_apart():
    run = run_of(ideas_of("a", "tides", 30, 30), ideas_of("b", "tides", 0, 90), ideas_of("b", "ants", 0, 180))
    found = measured(run)
    assert found.embedder == "angles"
    assert found.table[0] == pytest.approx([0, 1], abs=1e-6)
    assert np.isnan(found.table[1, 0])
    assert found.table[1, 1] == pytest.approx(2)


def test_of_several_ideas_those_that_judges_compared_count():
    three = ideas_of("a", "tides", 0, 0, 90)
    assert measured(run_of(three, pairs=[pair("a", "tides", 0, 1)])).table[0, 0] == pytest.approx(0, abs=1e-6)
    assert measured(run_of(three)).table[0, 0] == pytest.approx(2 / 3)


def test_what_never_came_to_the_judges_is_not_compared():
    run = run_of(ideas_of("a", "tides", 0), ideas_of("a", "ants", 0, 90, fate="too long"))
    assert to_compare(run) == {}
    embedder = Angles()
    assert np.isnan(measured(run, embedder).table).all()
    assert embedder.portions == []


def test_many_ideas_go_to_the_embedder_in_portions_of_whole_keywords():
    rng = np.random.default_rng(0)
    angles = rng.integers(0, 180, (1_500, 3))
    run = run_of(*(ideas_of("a", f"keyword {at}", *three) for at, three in enumerate(angles)))
    embedder = Angles()
    found = measured(run, embedder).table[:, 0]
    assert sum(embedder.portions) == 4_500
    assert max(embedder.portions) < AT_ONCE + 3
    assert all(size % 3 == 0 for size in embedder.portions)
    radians = np.radians(angles)
    apart = [1 - np.cos(radians[:, i] - radians[:, j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert found == pytest.approx(np.mean(apart, axis=0), abs=1e-5)


def test_vectors_that_do_not_fit_are_one_clear_line():
    with pytest.raises(LibraryError, match="The embedder angles returned vectors of shape"):
        measured(run_of(ideas_of("a", "tides", 0, 90)), Angles(dimensions=3))


def test_the_built_in_embedder_tells_a_new_idea_from_the_same_in_other_words():
    whales = "Record the songs of whales to map the depth of the ocean floor."
    run = run_of(
        ideas_of("echo", "whales", whales, "Map the depth of the ocean floor by recording whale songs."),
        ideas_of("roamer", "whales", whales, "Breed bacteria that eat plastic inside of household compost."),
    )
    echo, roamer = measured(run, StaticEmbedder()).table[0]
    assert echo < 0.3 < roamer
