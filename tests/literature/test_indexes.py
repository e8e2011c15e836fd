"""Indexes are derived: lose them, damage them, kill whoever writes them, share them; the rows bring them back."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from novum.core import Paper
from novum.errors import LibraryError
from novum.literature import Entry, Library
from novum.literature.search.clustered_vectors import ClusteredVectors
from novum.literature.search.locking import exclusive
from novum.literature.search.vector_index import ExactVectors, VectorIndex
from novum.literature.search.whitening import Whitening
from novum.literature.store.database import Database, open_database
from tests.literature.conftest import ATTENTION, BERT, COOKING, entry, paper


def found(folder: Path, query: str = "attention") -> list[tuple[str, float]]:
    with Library.open(folder) as library:
        return [(hit.paper.id, hit.score) for hit in asyncio.run(library.search(query, 3))]


def fill(folder: Path) -> list[tuple[str, float]]:
    with Library.open(folder) as library:
        library.add([entry(ATTENTION), entry(BERT), entry(COOKING)])
    return found(folder)


def overwrite(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_bytes(b"\x00garbage" * 100)


def halve(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            os.truncate(path, path.stat().st_size // 2)


def forget_state(folder: Path) -> None:
    for path in folder.rglob("state.json"):
        path.unlink()


@pytest.mark.parametrize("damage", [shutil.rmtree, overwrite, halve, forget_state])
def test_lost_or_damaged_indexes_are_built_again_with_the_same_answers(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    before = fill(tmp_path)
    damage(tmp_path / "index")
    assert found(tmp_path) == before


_WORK = """
import asyncio, sys
from pathlib import Path
from novum.core import Paper
from novum.literature import Entry, Library

async def work(library):
    for n in range(10_000):
        paper = Paper(title=f"Engine number {n}", year=2000, summary="It turns.")
        library.add([Entry(paper=paper, key=f"k:{n}")])
        await library.search("engine")
        print(n, flush=True)

with Library.open(Path(sys.argv[1])) as library:
    asyncio.run(work(library))
"""


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_a_process_killed_anywhere_leaves_a_library_that_works(tmp_path: Path, seed: int) -> None:
    worker = subprocess.Popen([sys.executable, "-c", _WORK, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    draw = random.Random(seed)
    for n in range(draw.randint(1, 20)):
        assert worker.stdout.readline() == f"{n}\n"
    with pytest.raises(subprocess.TimeoutExpired):
        worker.wait(draw.uniform(0, 0.05))
    worker.send_signal(signal.SIGKILL)
    worker.communicate()
    with Library.open(tmp_path) as library:
        hits = asyncio.run(library.search("engine", 100_000))
        stats = library.stats()
        assert stats.indexes_current
        assert len(hits) == stats.papers > 0
        assert all(hit.text_rank for hit in hits)


def _add_and_search(folder: Path, name: str, count: int) -> None:
    async def work(library: Library) -> None:
        for n in range(count):
            library.add([Entry(paper=Paper(title=f"Engine {name} {n}", year=2000), key=f"{name}:{n}")])
            assert await library.search(f"engine {name}", 5)

    with Library.open(folder) as library:
        asyncio.run(work(library))


@pytest.mark.slow
def test_two_processes_may_write_and_search_one_library_at_once(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=_add_and_search, args=(tmp_path, name, 5)) for name in ("left", "right")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert len(found(tmp_path, "engine")) == 3
    with Library.open(tmp_path) as library:
        assert library.stats().papers == 10
        assert len(asyncio.run(library.search("engine", 50))) == 10


def test_what_another_process_added_is_found_without_opening_anew(tmp_path: Path) -> None:
    with Library.open(tmp_path) as mine, Library.open(tmp_path) as theirs:
        assert asyncio.run(mine.search("attention")) == []
        theirs.add([entry(ATTENTION)])
        assert [hit.paper for hit in asyncio.run(mine.search("attention"))] == [ATTENTION]


def test_clustered_vectors_follow_the_rows_survive_on_disk_and_agree_with_exact_search(tmp_path: Path) -> None:
    draw = random.Random(7)
    starts, ends = ("gra", "pro", "neu", "che", "qua"), ("ph", "tein", "ral", "m", "nt")
    words = [start + end for start in starts for end in ends]

    def some(count: int, name: str) -> list[Entry]:
        return [entry(paper(f"{name} {n} " + " ".join(draw.choices(words, k=8)), 2000)) for n in range(count)]

    with Library.open(tmp_path) as library:
        library.add(some(2600, "First"))
        asyncio.run(library.index())
        database = open_database(tmp_path, None)
        clustered = ClusteredVectors.build(database, "wordllama-256", 256)
        clustered.save(tmp_path / "index" / "vectors")
        library.add(some(200, "Second"))
        asyncio.run(library.index())
        loaded = ClusteredVectors.load(tmp_path / "index" / "vectors", database, "wordllama-256")
        assert loaded is not None
        loaded.catch_up()
        exact = ExactVectors.load(database, "wordllama-256", 256)
        assert len(loaded) == len(exact) == 2800
        numbers = list(range(1, 2800, 100))
        queries = list(zip(loaded.units(numbers).values(), exact.units(numbers).values(), strict=True))
        allowed = np.arange(1, 2800, 3)
        for some_allowed in (None, allowed, allowed[:40]):
            agreed = [
                len({*loaded.nearest(here, 10, some_allowed)} & {*exact.nearest(there, 10, some_allowed)}) / 10
                for here, there in queries
            ]
            assert np.mean(agreed) > 0.9
        assert {*loaded.nearest(queries[0][0], 10, allowed)} <= {*allowed.tolist()}
        assert ClusteredVectors.load(tmp_path / "index" / "vectors", database, "other") is None
        database.close()


@pytest.fixture(scope="module")
def engine_hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of three thousand papers with vectors: enough for clusters. Made once, to be copied."""
    folder = tmp_path_factory.mktemp("engines") / "library"
    with Library.open(folder) as library:
        library.add(entry(paper(f"Engine {n} of {n % 50} wheels", 2000), f"{n}") for n in range(3000))
        asyncio.run(library.index())
    return folder


@pytest.fixture
def engines(tmp_path: Path, engine_hall: Path) -> Iterator[tuple[Library, Database]]:
    """The engines, in a library of the test's own."""
    with Library.open(shutil.copytree(engine_hall, tmp_path / "library")) as library:
        database = open_database(library.folder, None)
        yield library, database
        database.close()


def test_clustered_vectors_forget_rows_that_became_one_and_learn_those_that_changed(
    engines: tuple[Library, Database],
) -> None:
    library, database = engines
    clustered = ClusteredVectors.build(database, "wordllama-256", 256)
    fifth = clustered.units([5])[5]
    both = Entry(paper("Engine 4 of 4 wheels", 2000, abstract="A tulip."), key="test/4", other_keys=("test/6",))
    report = library.add([both])
    assert report.merged == 1
    assert library.stats().papers == 2999
    asyncio.run(library.index())
    clustered.catch_up()
    clustered.catch_up()
    assert len(clustered) == 2999
    assert clustered.units([5, 7]).keys() == {5}  # rows count from 1: of 5 and 7, one is left
    changed = clustered.units([5])[5]
    assert not np.allclose(changed, fifth, atol=0.01)
    assert clustered.nearest(changed, 1, None) == [5]
    everything = clustered.nearest(changed, 10_000, None)
    assert sorted(everything) == [n for n in range(1, 3001) if n != 7]


def test_as_many_vectors_are_found_as_were_asked_for_however_far_they_lie(
    engines: tuple[Library, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("novum.literature.search.clustered_vectors._PROBES", 1)
    clustered = ClusteredVectors.build(engines[1], "wordllama-256", 256)
    query = clustered.units([1])[1]
    far = np.sort(np.array(clustered.nearest(query, 3000, None)[-600:], np.int64))
    assert len(clustered.nearest(query, 500, far)) == 500


def test_two_processes_do_not_write_one_index_of_vectors_at_once(
    tmp_path: Path, engines: tuple[Library, Database]
) -> None:
    clustered = ClusteredVectors.build(engines[1], "wordllama-256", 256)
    folder = tmp_path / "vectors"
    with exclusive(folder) as theirs:
        assert theirs
        clustered.save(folder)
        assert not (folder / "state.json").exists()
    clustered.save(folder)
    loaded = ClusteredVectors.load(folder, engines[1], "wordllama-256")
    assert loaded is not None
    assert len(loaded) == 3000


def test_an_index_that_cannot_be_written_is_said_in_one_line(tmp_path: Path, engines: tuple[Library, Database]) -> None:
    clustered = ClusteredVectors.build(engines[1], "wordllama-256", 256)
    (tmp_path / "file").touch()
    with pytest.raises(LibraryError, match="can be deleted"):
        clustered.save(tmp_path / "file")


@pytest.mark.slow
@pytest.mark.parametrize("exact_up_to", [0, 20_000])
def test_indexes_follow_a_database_that_was_put_back_from_a_copy(
    tmp_path: Path, exact_up_to: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("novum.literature.search.catalogue._WORTH_A_FILE", 0)
    monkeypatch.setattr(VectorIndex.catch_up, "__defaults__", (exact_up_to,))
    titles = [f"Engine {n} of {n % 7} wheels" for n in range(2600)]
    folder, copy = tmp_path / "library", tmp_path / "copy.db"
    with Library.open(folder) as library:
        library.add(entry(paper(title)) for title in titles)
    shutil.copy(folder / "library.db", copy)
    with Library.open(folder) as library:
        library.add([entry(ATTENTION), entry(BERT)])
        assert asyncio.run(library.search("attention", 1))[0].paper == ATTENTION
    shutil.copy(copy, folder / "library.db")
    with Library.open(folder) as library:
        assert {hit.paper.title for hit in asyncio.run(library.search("attention engine", 5000))} == {*titles}
        library.add([entry(COOKING)])
        hits = asyncio.run(library.search("vegetables", 5000))
        assert hits[0].paper == COOKING
        assert len(hits) == 2601


@pytest.mark.parametrize("count", [0, 1, 2, 30, 600])
def test_whitening_is_sound_with_any_number_of_papers(count: int) -> None:
    raw = np.random.default_rng(3).normal(size=(count, 64)).astype(np.float32) + 2
    whitening = Whitening.fit(raw)
    units = whitening.apply(np.vstack([raw, np.zeros((1, 64), np.float32)]))
    assert np.isfinite(units).all()
    assert np.allclose(np.linalg.norm(units[:-1], axis=1), 1, atol=1e-5)
    assert not units[-1].any()
    alone = [whitening.apply(row[None, :])[0] for row in raw]
    assert np.allclose(np.array(alone).reshape(raw.shape), units[:-1], atol=1e-5)


def test_centring_takes_away_what_all_papers_share() -> None:
    raw = np.random.default_rng(3).normal(size=(500, 64)).astype(np.float32) + 5
    units = Whitening.fit(raw).apply(raw)
    assert abs(float((units @ units.T).mean())) < 0.02
