"""Nearest vectors found by the server: the same papers as comparing with all of them finds."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import numpy as np
import pytest

from novum.errors import LibraryError
from novum.literature import Entry, Library
from novum.literature.search.pgvector import PgVectors
from novum.literature.search.vector_index import ExactVectors
from novum.literature.store.database import open_database
from tests.literature.conftest import ATTENTION, BERT, COOKING, FOLDING, MOLECULES, entry, paper
from tests.postgres import Server

pytestmark = pytest.mark.slow
SHELF = (ATTENTION, BERT, COOKING, FOLDING, MOLECULES)


def asking_server(url: str) -> str:
    return f"{url}?vectors=server"


def some(count: int, name: str) -> list[Entry]:
    """Papers of made-up words."""
    draw = random.Random(name)
    words = [start + end for start in ("gra", "pro", "neu", "che", "qua") for end in ("ph", "tein", "ral", "m", "nt")]
    return [entry(paper(f"{name} {n} " + " ".join(draw.choices(words, k=8)), 2000)) for n in range(count)]


def test_hits_are_those_of_the_index_in_a_folder(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_database()
    with (
        Library.open(tmp_path / "here", url=url) as here,
        Library.open(tmp_path / "there", url=asking_server(url)) as there,
    ):
        assert asyncio.run(there.search("attention")) == []
        here.add([entry(one) for one in SHELF])
        for question in ("attention over residues", "cooking", "molecules", ""):
            local, remote = asyncio.run(here.nearest(question, 5)), asyncio.run(there.nearest(question, 5))
            assert [hit.paper for hit in local] == [hit.paper for hit in remote]
        there.add([entry(paper("Boiling of Root Vegetables", 2021))])
        assert asyncio.run(there.nearest("Boiling of Root Vegetables", 1))[0].paper.year == 2021


def test_the_table_follows_the_rows_and_agrees_with_exact_search(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_database()
    with Library.open(tmp_path, url=asking_server(url)) as library:
        library.add(some(1500, "First"))
        asyncio.run(library.index())
        library.add(some(1300, "Second"))
        asyncio.run(library.index())
        library.add(some(900, "Third"))
        asyncio.run(library.index())
    database = open_database(tmp_path, url)
    on_server = PgVectors(database, "wordllama-256", 256)
    on_server.catch_up()
    exact = ExactVectors.load(database, "wordllama-256", 256)
    assert len(on_server) == len(exact) == 3700
    rows = list(range(1, 3700, 80))
    queries = list(zip(on_server.units(rows).values(), exact.units(rows).values(), strict=True))
    every_third = np.arange(1, 3700, 3)
    for allowed in (None, every_third, every_third[:40]):
        agreed = [
            len({*on_server.nearest(there, 10, allowed)} & {*exact.nearest(here, 10, allowed)}) / 10
            for there, here in queries
        ]
        assert np.mean(agreed) > 0.9
    assert {*on_server.nearest(queries[0][0], 10, every_third)} <= {*every_third.tolist()}
    assert on_server.nearest(queries[0][0], 10, every_third[:0]) == []
    assert len(postgres.say("SELECT 1 FROM pg_tables WHERE tablename LIKE 'unit_vectors_%'", url.split("/")[-1])) <= 2
    database.close()


def test_papers_that_were_merged_or_changed_are_found_as_they_are_now(tmp_path: Path, postgres: Server) -> None:
    with Library.open(tmp_path, url=asking_server(postgres.new_database())) as library:
        drafts = [
            entry(paper("Zeppelins Great and Small", 2019, "Ada Lovelace", ids={"arxiv": "1901.00001"})),
            entry(paper("Zeppelins Revisited", 2021, "Ada Lovelace", ids={"doi": "10.1/x"})),
        ]
        library.add([*drafts, *[entry(one) for one in SHELF]])
        assert len(asyncio.run(library.nearest("zeppelins", 100))) == 7
        both = {"arxiv": "1901.00001", "doi": "10.1/x"}
        library.add([entry(paper("Zeppelins Revisited", 2021, "Ada Lovelace", ids=both, abstract="Of carrots."))])
        hits = asyncio.run(library.nearest("zeppelins", 100))
        assert [hit.paper.ids.doi for hit in hits].count("10.1/x") == 1
        assert len(hits) == 6


def test_two_machines_share_one_table(tmp_path: Path, postgres: Server) -> None:
    url = asking_server(postgres.new_database())
    with Library.open(tmp_path / "one", url=url) as one, Library.open(tmp_path / "other", url=url) as other:
        one.add([entry(ATTENTION), entry(BERT)])
        assert len(asyncio.run(one.nearest("attention", 9))) == 2
        other.add(some(30, "More"))
        assert len(asyncio.run(other.nearest("attention", 99))) == 32
        assert asyncio.run(one.nearest("attention", 9)) == asyncio.run(other.nearest("attention", 9))


def test_a_wish_that_is_not_understood_is_refused(tmp_path: Path, postgres: Server) -> None:
    with pytest.raises(LibraryError, match="only `vectors=server`"):
        Library.open(tmp_path, url=f"{postgres.new_database()}?vectors=elsewhere")


def test_only_a_server_can_be_asked(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="with PostgreSQL"):
        Library.open(tmp_path, url=f"sqlite:///{tmp_path / 'rows.db'}?vectors=server")
