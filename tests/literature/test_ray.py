"""Work on a library by a Ray of two workers: the same as by one process, also when a worker dies."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from novum.core import Paper
from novum.errors import LibraryError
from novum.literature import Library, StaticEmbedder, import_file
from novum.literature.cluster import Apply, ClusterEmbedder, apply_locally, score_library, workers
from tests.postgres import Server

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Ray leaves processes and files to be collected
RECORDS = 9000


@pytest.fixture(scope="module")
def two() -> Iterator[Apply]:
    """Two workers on this machine."""
    with workers("local", cpus=2) as apply:
        yield apply


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some ten megabytes, with references forwards, backwards and to nowhere, and lines that cannot be read."""
    place = tmp_path_factory.mktemp("file") / "engines.jsonl"
    with place.open("w", encoding="utf-8") as out:
        for n in range(RECORDS):
            cited = [f"k:{n - 1}", f"k:{n + 1}", f"k:{(n * 7) % RECORDS}"]
            record = {"title": f"Engine {n}", "year": 2000 + n % 20, "key": f"k:{n}", "references": cited}
            out.write(json.dumps(record | {"abstract": f"It turns {n} times. " * 50}) + "\n")
            out.write("{broken\n" if n % 500 == 0 else "")
    return place


def dying_once(place: Path, job, item):
    """`job`, but the first worker that comes to the middle of the file is killed while it has it."""
    if getattr(item, "first", 0) > RECORDS // 2 or isinstance(item, list):
        try:
            place.mkdir()
        except FileExistsError:
            return job(item)
        os.kill(os.getpid(), signal.SIGKILL)
    return job(item)


def with_a_death(apply: Apply, place: Path) -> Apply:
    return lambda job, items: apply(partial(dying_once, place, job), items)


def everything(library: Library) -> tuple[object, ...]:
    return list(library.papers()), library.stats()


def reported(report: object) -> dict[str, object]:
    return {name: value for name, value in dict(report).items() if name != "rejects_file"}


def test_an_import_is_the_same_though_a_worker_is_killed_half_way(tmp_path: Path, file: Path, two: Apply) -> None:
    with Library.open(tmp_path / "alone") as alone, Library.open(tmp_path / "together") as together:
        mine = import_file(alone, file)
        ours = import_file(together, file, apply=with_a_death(two, tmp_path / "died"))
        assert (tmp_path / "died").is_dir()
        assert reported(mine) == reported(ours)
        assert mine.added == RECORDS
        assert mine.rejected == 18
        assert everything(alone) == everything(together)
        assert import_file(together, file, apply=two).unchanged == RECORDS


def test_an_import_that_was_cut_off_goes_on_with_other_means(tmp_path: Path, file: Path, two: Apply) -> None:
    class Enough(Exception):
        pass

    with Library.open(tmp_path / "library") as library:

        def told(progress: object) -> None:
            if library.stats().papers:
                raise Enough

        with pytest.raises(Enough):
            import_file(library, file, progress=told)
        held = library.stats().papers
        report = import_file(library, file, apply=two)
        assert 0 < held < RECORDS
        assert (report.resumed_at > 0, held + report.added) == (True, RECORDS)


def test_rows_on_a_server_are_the_same_too(tmp_path: Path, file: Path, two: Apply, postgres: Server) -> None:
    with (
        Library.open(tmp_path / "alone") as alone,
        Library.open(tmp_path / "together", url=postgres.new_schema()) as together,
    ):
        assert reported(import_file(alone, file)) == reported(import_file(together, file, apply=two))
        assert everything(alone) == everything(together)


def vectors_of(library: Library) -> NDArray[np.float32]:
    asyncio.run(library.index())
    return np.array([hit.similarity for hit in asyncio.run(library.nearest("how often an engine turns", 2000))])


def test_vectors_are_the_same_though_a_worker_is_killed(tmp_path: Path, file: Path, two: Apply) -> None:
    embedder = ClusterEmbedder(StaticEmbedder(), with_a_death(two, tmp_path / "died"))
    texts = [f"Engine {n} turns. " * (n % 30) for n in range(1500)]
    assert np.array_equal(asyncio.run(embedder.embed(texts)), asyncio.run(StaticEmbedder().embed(texts)))
    assert (tmp_path / "died").is_dir()
    lines = file.read_text("utf-8").splitlines()[:1500]
    (tmp_path / "some.jsonl").write_text("\n".join(lines), "utf-8")
    with (
        Library.open(tmp_path / "alone") as alone,
        Library.open(tmp_path / "together", embedder=ClusterEmbedder(StaticEmbedder(), two)) as together,
    ):
        for library in (alone, together):
            import_file(library, tmp_path / "some.jsonl")
        assert np.array_equal(vectors_of(alone), vectors_of(together))
        assert alone.stats() == together.stats()


def length(paper: Paper) -> float | None:
    """Any function of a paper will do."""
    return len(paper.gist) / 1000 if paper.year != 2003 else None


def test_scores_are_the_same_though_a_worker_is_killed(tmp_path: Path, file: Path, two: Apply) -> None:
    with Library.open(tmp_path / "library") as library:
        import_file(library, file)
        alone = list(score_library(library, length))
        together = list(score_library(library, length, apply=with_a_death(two, tmp_path / "died")))
        assert (tmp_path / "died").is_dir()
        assert alone == together
        assert [scored.paper_id for scored in alone] == [paper.id for paper in library.papers()]
        assert sum(scored.score is None for scored in alone) == RECORDS // 20


def test_how_like_a_question_each_paper_is(tmp_path: Path, two: Apply) -> None:
    with Library.open(tmp_path / "library") as library:
        papers = [{"title": f"Engine {n}", "year": 2000, "abstract": "It turns. " * n} for n in range(60)]
        (tmp_path / "papers.jsonl").write_text("\n".join(map(json.dumps, papers)), "utf-8")
        import_file(library, tmp_path / "papers.jsonl")
        likeness = asyncio.run(library.similarity_to("an engine that turns"))
        alone, together = (list(score_library(library, likeness, apply=means)) for means in (apply_locally, two))
        assert alone == together
        nearest = asyncio.run(library.nearest("an engine that turns", 60))
        scores = {scored.paper_id: scored.score for scored in alone}
        assert [scores[hit.paper.id] for hit in nearest] == pytest.approx([hit.similarity for hit in nearest], abs=2e-3)


class Refusing(StaticEmbedder):
    """An embedder that never answers."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise LibraryError("The embedder has no more credit: buy some.")


def test_what_a_worker_cannot_do_is_said_as_it_would_be_said_here(two: Apply) -> None:
    with pytest.raises(LibraryError, match=r"^The embedder has no more credit: buy some\.$"):
        asyncio.run(ClusterEmbedder(Refusing(), two).embed(["text"] * 300))
    with pytest.raises(LibraryError, match=r"failed \(ZeroDivisionError: .* by zero\)"):
        list(two(partial(divmod, 1), [1, 0]))


def test_what_cannot_travel_is_refused_in_a_line(two: Apply) -> None:
    with pytest.raises(LibraryError, match="cannot be sent to a Ray cluster"):
        list(two(partial(print, threading.Lock()), [1]))


_WITHOUT = """
import sys
sys.modules["ray"] = None
from novum.errors import LibraryError
from novum.literature.cluster import workers
try:
    with workers("local"):
        pass
except LibraryError as error:
    print(error)
"""
_WITHIN = """
import os, sys
from novum.errors import LibraryError
from novum.literature.cluster import workers
with workers("local", cpus=1) as apply:
    print(list(apply(abs, [-2, 1, -3])))
try:
    with workers("127.0.0.1:1"):
        pass
except LibraryError as error:
    print(error)
"""


def told_by(script: str, home: Path) -> list[str]:
    """In a process that inherits nothing of what Ray wrote into this one's environment."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    environment["HOME"] = str(home)
    ended = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


def test_without_the_extra_it_is_named(tmp_path: Path) -> None:
    (line,) = told_by(_WITHOUT, tmp_path)
    assert line.startswith("Work on a Ray cluster needs the package ray: `")
    assert line.endswith("[ray]'`.") or line.endswith("[ray]`.")


@pytest.mark.parametrize("before", ["", "import ray", "import os; os.environ['RAY_AUTH_MODE'] = 'token'"])
def test_a_ray_of_our_own_leaves_no_token_at_home_and_an_absent_one_is_told_in_a_line(
    tmp_path: Path, before: str
) -> None:
    results, absent = told_by(f"{before}\n{_WITHIN}", tmp_path)
    assert results == "[2, 1, 3]"
    assert "cannot be used" in absent
    assert list(tmp_path.rglob("*token*")) == []
