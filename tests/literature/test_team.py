"""A team on one library: several programs at once, and what is left when one of them dies."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import signal
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from novum.core import Paper
from novum.literature import Entry, Library, Reference, import_file
from novum.literature.importing.progress import ImportProgressReport
from tests.literature import test_search
from tests.literature.test_postgres import stories
from tests.observed import PATIENCE
from tests.postgres import Server

pytestmark = pytest.mark.slow
SPAWN = multiprocessing.get_context("spawn")
PIECES, PIECE = 30, 20
EACH = PIECES * PIECE


@pytest.fixture
def library(tmp_path: Path, postgres: Server) -> Iterator[Library]:
    """An empty library on the server; takes the place of the one in a folder."""
    with Library.open(tmp_path / "library", url=postgres.new_schema()) as opened:
        yield opened


globals().update(stories(test_search))  # every kind of search, with the rows on the server


def engine(side: str, number: int) -> Entry:
    """Cites the one before it, the one of the same number on the other side, and one that never comes. Every tenth is
    on both sides."""
    other = {"left": "right", "right": "left"}[side]
    both = number % 10 == 0
    wanted = (f"{side}:{number - 1}", f"{other}:{number}", f"{side}:never{number}")
    paper = Paper(title=f"Engine {number} of {'both' if both else side}", year=2000, summary="It turns.")
    return Entry(paper, key=f"{side}:{number}", references=tuple(Reference("key", name) for name in wanted))


class Program:
    """A process of its own that does `job(*arguments, told)`, and what it tells."""

    def __init__(self, job: Callable[..., None], *arguments: object) -> None:
        self._told, theirs = SPAWN.Pipe(duplex=False)
        self._process = SPAWN.Process(target=job, args=(*arguments, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def says(self) -> Any:
        assert self._told.poll(PATIENCE), "nothing is heard of it"
        return self._told.recv()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()

    def ends(self) -> int | None:
        self._process.join(PATIENCE)
        return self._process.exitcode


def bring_in(url: str, folder: Path, side: str, told: Connection) -> None:
    """In many small pieces, telling of each."""
    with Library.open(folder, url=url) as library:
        for piece in range(PIECES):
            library.add([engine(side, number) for number in range(piece * PIECE, (piece + 1) * PIECE)], side)
            told.send(piece)


def look_on(url: str, folder: Path, until: int, told: Connection) -> None:
    """Search until so many papers are there; tell what was wrong, and how often it was looked."""

    async def look() -> tuple[list[str], int]:
        wrong, looks, before = [], 0, 0
        while before < until:
            hits = await library.search("engine that turns", 30)
            stats = library.stats()
            ids = [hit.paper.id for hit in hits]
            cited = {reference for hit in hits for reference in hit.paper.references}
            wrong += [f"{before} papers became {stats.papers}"] if stats.papers < before else []
            wrong += ["a paper twice in one answer"] if len(set(ids)) < len(ids) else []
            wrong += ["a reference to no paper"] if len(library.get_many(cited)) < len(cited) else []
            wrong += ["too few hits"] if len(hits) < min(30, before) else []
            looks, before = looks + 1, stats.papers
            told.send(before)
        return wrong, looks

    with Library.open(folder, url=url) as library:
        told.send(asyncio.run(look()))


@pytest.mark.parametrize("killed_after", [2, 11, 23])
def test_of_two_importers_and_a_searcher_at_once_one_is_killed_and_nothing_is_lost_or_doubled(
    tmp_path: Path, postgres: Server, killed_after: int
) -> None:
    url = postgres.new_schema()
    papers = 2 * EACH - EACH // 10
    searcher = Program(look_on, url, tmp_path / "searcher", papers)
    assert searcher.says() == 0, "it looks before anything is there, however slow its start"
    left = Program(bring_in, url, tmp_path / "left", "left")
    right = Program(bring_in, url, tmp_path / "right", "right")
    for _ in range(killed_after):
        left.says()
    left.kill()
    again = Program(bring_in, url, tmp_path / "left", "left")
    told = [searcher.says()]
    while isinstance(told[-1], int):
        told.append(searcher.says())
    assert [program.ends() for program in (right, again, searcher)] == [0, 0, 0]
    wrong, looks = told.pop()
    assert wrong == []
    assert looks > 1
    with Library.open(tmp_path / "after", url=url) as library:
        stats = library.stats()
        assert stats.papers == papers
        assert stats.waiting == 2 * EACH + 2  # what never comes, and the one before each first
        assert stats.links == expected_links()
        assert len(list(library.papers())) == papers
        assert len(asyncio.run(library.search("engine", 2 * papers))) == papers


def expected_links() -> int:
    """By going through all engines once more: a link from row to row counts once."""
    held = [engine(side, number) for side in ("left", "right") for number in range(EACH)]
    title_of = {entry.key: entry.paper.title for entry in held}
    links = {
        (entry.paper.title, title_of[reference.value])
        for entry in held
        for reference in entry.references
        if reference.value in title_of
    }
    return sum(citing != cited for citing, cited in links)


def import_begun(url: str, folder: Path, file: Path, told: Connection) -> None:
    """Tell of the first papers that are committed, and go no further."""

    def stop(_: ImportProgressReport) -> None:
        if papers := library.stats().papers:
            told.send(papers)
            signal.pause()

    with Library.open(folder, url=url) as library:
        import_file(library, file, progress=stop)


def test_an_import_killed_on_one_machine_goes_on_on_another_behind_what_is_committed(
    tmp_path: Path, postgres: Server
) -> None:
    url, file = postgres.new_schema(), tmp_path / "engines.jsonl"
    with file.open("w") as out:
        for number in range(18_000):
            record = {
                "title": f"Engine {number}",
                "year": 2000,
                "key": f"k:{number}",
                "references": [f"k:{number - 1}"],
            }
            out.write(json.dumps(record | {"abstract": "It turns. " * 20}) + "\n")
    importer = Program(import_begun, url, tmp_path / "one", file)
    committed = importer.says()
    importer.kill()
    with Library.open(tmp_path / "other", url=url) as library:
        before = library.stats().papers
        report = import_file(library, file)
        assert before == committed
        assert before + report.added == 18_000
        assert report.resumed_at > 0
        stats = library.stats()
        assert (stats.papers, stats.links, stats.waiting) == (18_000, 17_999, 1)
