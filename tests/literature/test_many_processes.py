"""Many processes on one library: all of them search at once, while the indexes are missing, old or locked."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from novum.literature import Library, install_starter
from novum.literature.search.locking import exclusive, lock_folder
from novum.literature.search.text_index import TextIndex
from novum.literature.store.database import open_database
from tests.literature.conftest import ATTENTION, BERT, COOKING, MOLECULES, entry, paper
from tests.literature.test_second_stage import WordCounter
from tests.observed import PATIENCE

SPAWN = multiprocessing.get_context("spawn")
NEW = paper("Whisking Egg Whites in Copper Bowls", 2024, "Anna Baker")
Folders = list[Path]


def search_each(folders: Folders, start: Barrier, results: Connection) -> None:
    """Searches one library after the other, each at the same moment as all other processes."""
    with ExitStack() as undo:
        undo.callback(start.abort)  # nobody waits for a process that failed
        for folder in folders:
            start.wait(PATIENCE)
            with Library.open(folder) as library:
                if library.is_empty():
                    install_starter(library)
                hits = asyncio.run(library.search("whisking egg whites, attention", 5))
                results.send([(hit.paper.id, hit.score) for hit in hits])
        undo.pop_all()


def nothing_there(folder: Path) -> None:
    """The first use: the database, the starter library and all indexes are created."""
    folder.mkdir()


def no_index(folder: Path) -> None:
    with Library.open(folder) as library:
        library.add([entry(ATTENTION), entry(COOKING), entry(NEW)])


def old_index(folder: Path) -> None:
    with Library.open(folder) as library:
        library.add([entry(ATTENTION), entry(COOKING)])
        asyncio.run(library.index())
        library.add([entry(NEW)])


def index_of_another_library(folder: Path) -> None:
    old_index(folder)
    with Library.open(folder) as library:
        asyncio.run(library.index())
    for file in folder.glob("library.db*"):
        file.unlink()
    no_index(folder)


STATES = [nothing_there, no_index, *([old_index] * 5), index_of_another_library]


@pytest.fixture
def libraries(tmp_path: Path) -> Folders:
    folders = [tmp_path / f"{number}" for number in range(len(STATES))]
    for prepare, folder in zip(STATES, folders, strict=True):
        prepare(folder)
    return folders


@pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_processes_that_search_at_once_find_the_same_whatever_state_the_indexes_are_in(
    libraries: Folders, count: int
) -> None:
    start = SPAWN.Barrier(count)
    pipes = [SPAWN.Pipe(duplex=False) for _ in range(count)]
    processes = [SPAWN.Process(target=search_each, args=(libraries, start, theirs)) for _, theirs in pipes]
    for process in processes:
        process.start()
    for _, theirs in pipes:
        theirs.close()
    found = [[_received(ours) for ours, _ in pipes] for _ in libraries]
    for process in processes:
        process.join(PATIENCE)
    assert [process.exitcode for process in processes] == [0] * count
    assert [len({str(one) for one in each}) for each in found] == [1] * len(libraries)
    assert {each[0][0][0] for each in found[1:]} == {NEW.id}


def _received(pipe: Connection) -> list[tuple[str, float]]:
    """Raises EOFError when the process has failed."""
    assert pipe.poll(PATIENCE)
    result: list[tuple[str, float]] = pipe.recv()
    return result


def take_locks(folder: Path, ready: Connection) -> None:
    with exclusive(folder / "index" / "text"), lock_folder(folder / "index", name="embedding.lock"):
        ready.send(True)
        signal.pause()


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
def test_the_locks_of_a_killed_process_are_free(shelf: Library) -> None:
    ours, theirs = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=take_locks, args=(shelf.folder, theirs))
    process.start()
    assert ours.poll(PATIENCE)
    process.kill()
    process.join()
    assert len(asyncio.run(shelf.search("attention", 5))) == 5
    assert shelf.stats().indexes_current


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for other processes."""
    monkeypatch.setattr(TextIndex.catch_up, "__defaults__", (0.0,))
    monkeypatch.setattr("novum.literature.search.indexes._PATIENCE", 0.0)


@pytest.mark.usefixtures("impatient")
def test_while_another_process_takes_too_long_the_existing_index_is_searched_and_a_line_says_so(
    shelf: Library, caplog: pytest.LogCaptureFixture
) -> None:
    asyncio.run(shelf.index())
    shelf.add([entry(NEW)])
    with exclusive(shelf.folder / "index" / "text"), caplog.at_level(logging.WARNING):
        assert [hit.paper for hit in asyncio.run(shelf.search("attention is all you need", 1))] == [ATTENTION]
    assert "1 new or changed papers are not found by their words yet" in caplog.text


@pytest.mark.usefixtures("impatient")
def test_papers_that_another_process_is_embedding_are_not_embedded_twice(
    shelf: Library, caplog: pytest.LogCaptureFixture
) -> None:
    asyncio.run(shelf.index())
    shelf.add([entry(NEW)])
    with lock_folder(shelf.folder / "index", name="embedding.lock"), caplog.at_level(logging.WARNING):
        hits = asyncio.run(shelf.search("whisking egg whites", 1))
        assert [(hit.paper, hit.similarity) for hit in hits] == [(NEW, 0)]
    assert "their words find them" in caplog.text
    assert shelf.unembedded(shelf.embedder.name).papers == 1
    asyncio.run(shelf.embed())
    assert shelf.unembedded(shelf.embedder.name).papers == 0


def test_two_processes_that_change_the_embedder_take_turns_and_searches_go_on(
    shelf: Library, caplog: pytest.LogCaptureFixture
) -> None:
    asyncio.run(shelf.index())

    async def both(lock: AbstractContextManager[bool]) -> None:
        with caplog.at_level(logging.WARNING):
            change = asyncio.create_task(shelf.embed_with(WordCounter()))
            while "waiting for it" not in caplog.text:  # noqa: ASYNC110  a line of a log is no event
                await asyncio.sleep(0)
            assert (await shelf.search("attention", 1))[0].vector_rank is not None
            assert not change.done()
            lock.__exit__(None, None, None)
            await change

    lock = lock_folder(shelf.folder / "index", name="changing-embedder.lock")
    assert lock.__enter__()
    asyncio.run(both(lock))
    assert shelf.unembedded("letters").papers == 0


def test_opening_a_library_does_not_wait_for_a_writer(shelf: Library) -> None:
    database = open_database(shelf.folder, None)
    with database.write(), Library.open(shelf.folder) as other:
        assert other.get(ATTENTION.id) is not None
    database.close()


def _amended(folder: Path) -> None:
    """Indexed after every step: papers are added, completed, and found to be the same."""
    with Library.open(folder) as library:
        install_starter(library)
        asyncio.run(library.index())
        for step in ([entry(BERT)], [entry(NEW), entry(MOLECULES.but(citation_count=9_999))], [entry(COOKING)]):
            library.add(step)
            asyncio.run(library.index())


def _only_added(folder: Path) -> None:
    with Library.open(folder) as library:
        for number in range(40):
            library.add(entry(paper(f"Engine {number} of {place} wheels", 2000)) for place in range(number, number + 9))
            asyncio.run(library.index())


def _ranking(folder: Path) -> list[list[tuple[str, float, int | None, int | None]]]:
    queries = ("attention", "graph neural networks", "protein structure", "engine wheels", "engine 7", "wheels of 12")

    async def search_all() -> list[list[tuple[str, float, int | None, int | None]]]:
        found = [await library.search(query, 8) for query in queries]
        return [[(hit.paper.id, hit.score, hit.text_rank, hit.vector_rank) for hit in hits] for hits in found]

    with Library.open(folder) as library:
        return asyncio.run(search_all())


@pytest.mark.parametrize("history", [_amended, _only_added])
def test_the_ranking_does_not_depend_on_the_history_of_the_index(
    tmp_path: Path, history: Callable[[Path], None]
) -> None:
    history(tmp_path / "library")
    before = _ranking(tmp_path / "library")
    (tmp_path / "library" / "index").rename(tmp_path / "index of before")
    assert _ranking(tmp_path / "library") == before
