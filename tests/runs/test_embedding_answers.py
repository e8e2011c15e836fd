"""What a server of embeddings sends that is no vectors is refused in one line, and the old vectors stay."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest
from tests.local_service import Asked, Said, Service, said

from novum.core import Paper
from novum.errors import LibraryError, ModelUnreachable
from novum.lab import Workplace
from novum.literature import Entry, Library, StaticEmbedder
from novum.llm.embeddings import BATCH, WIDEST
from novum.runs.library import embed_library
from novum.settings import load_settings

PAPERS = BATCH + 3
WIDTH = 6


class EmbeddingServer(Service):
    """Answers with `vector(place, count)` under `index(place, count)` for each text of a request."""

    vector = staticmethod(lambda place, count: [1.0 + place, 0.5, *[0.1] * (WIDTH - 2)])
    index = staticmethod(lambda place, count: place)

    def answer(self, asked: Asked) -> Said:
        count = len(json.loads(asked.body)["input"])
        rows = [{"index": self.index(place, count), "embedding": self.vector(place, count)} for place in range(count)]
        return said({"data": rows, "usage": {"prompt_tokens": count}})


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Who tries again does so soon."""
    monkeypatch.setattr("novum.llm.endpoint._FIRST_WAIT", 0.02)


@pytest.fixture
def server():
    running = EmbeddingServer()
    yield running
    running.close()


@pytest.fixture
def library(tmp_path):
    """A library whose papers have vectors of the usual embedder."""
    with Library.open(tmp_path / "library") as opened:
        opened.add(Entry(Paper(title=f"Paper {number} on reefs")) for number in range(PAPERS))
        asyncio.run(opened.index())
    return tmp_path / "library"


def in_workplace(home, server, job, **settings):
    """Embeds or searches as the commands do."""

    async def work():
        given = {"home": str(home), "writer": "offline:smollm2-135m", **settings}
        async with Workplace(load_settings(given, environment={}, folder=home)) as place:
            return await job(place, place.embedder(f"server:vectors@{server.address}/v1"))

    return asyncio.run(work())


async def embed(place, embedder):
    await embed_library(place.library, embedder, keep=False, ray=None, progress=lambda *told: None)


UNUSABLE = {
    "empty": ({"vector": lambda place, count: []}, "vectors of 0 numbers"),
    "too wide": ({"vector": lambda place, count: [0.1] * (WIDEST + 1)}, "vectors of 8,193 numbers"),
    "of several lengths": ({"vector": lambda place, count: [0.1] * (5 + place % 2)}, "without a list of embeddings"),
    "of infinite length": ({"vector": lambda place, count: [1e38] * WIDTH}, "values above 1e"),
    "negative": ({"index": lambda place, count: -place - 1}, "under `index`"),
    "repeated": ({"index": lambda place, count: 0}, "under `index`"),
    "missing": ({"index": lambda place, count: place + 1}, "under `index`"),
    "beyond all numbers": ({"index": lambda place, count: 1e400}, "without a list of embeddings"),
    "numbers beyond all": ({"vector": lambda place, count: [1e400]}, ""),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "told"), UNUSABLE.values(), ids=UNUSABLE)
def test_what_is_no_vectors_is_refused_in_one_line_and_nothing_is_replaced(tmp_path, server, library, changes, told):
    for name, change in changes.items():
        setattr(server, name, change)
    with pytest.raises((ModelUnreachable, LibraryError)) as refused:
        in_workplace(tmp_path, server, embed)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
    assert held(library) == ("wordllama-256", 0)


def test_a_length_that_changes_from_request_to_request_is_refused(tmp_path, server, library):
    server.vector = lambda place, count: [0.5] * (WIDTH if count == BATCH else WIDTH + 1)
    with pytest.raises(LibraryError, match=r"vectors of [67] numbers after ones of [67]: .* Nothing was replaced"):
        in_workplace(tmp_path, server, embed)
    assert held(library) == ("wordllama-256", 0)


def test_papers_that_come_later_need_vectors_of_the_same_length(tmp_path, server, library):
    in_workplace(tmp_path, server, embed)
    name = f"server:vectors@{server.address}/v1"
    server.vector = lambda place, count: [0.5] * (WIDTH + 1)

    async def add(place, embedder):
        place.library.add([Entry(Paper(title=title)) for title in ("A new reef", "Another new reef")])
        await place.library.search("reefs", 3)

    with pytest.raises(LibraryError, match="vectors of 7 numbers, and those of the library have 6"):
        in_workplace(tmp_path, server, add, embedder=name)


def test_a_question_needs_a_vector_of_the_same_length(tmp_path, server, library):
    in_workplace(tmp_path, server, embed)
    server.vector = lambda place, count: [0.5] * (WIDTH + 1)

    async def search(place, embedder):
        await place.library.search("reefs", 3)

    with pytest.raises(LibraryError, match="vectors of 7 numbers, and those of the library have 6"):
        in_workplace(tmp_path, server, search, embedder=f"server:vectors@{server.address}/v1")


def test_vectors_in_another_order_are_put_in_theirs(tmp_path, server):
    server.index = lambda place, count: count - 1 - place

    async def vectors(place, embedder):
        return await embedder.embed(["a", "b", "c"])

    assert np.allclose(in_workplace(tmp_path, server, vectors)[:, 0], [3.0, 2.0, 1.0])


def held(folder):
    """The embedder of a library, and how many papers lack its vectors."""
    with Library.open(folder, embedder=StaticEmbedder()) as opened:
        return opened.stats().embedder, opened.unembedded("wordllama-256").papers
