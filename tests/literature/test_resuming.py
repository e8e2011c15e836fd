"""Where the reading of a file stands: what is cut off goes on, nothing is lost, doubled or miscounted."""

from __future__ import annotations

import gzip
import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from novum.literature import Library, import_file, read_file
from novum.literature.importing.positions import ReadPosition
from novum.literature.importing.progress import ImportProgressReport
from tests.literature.test_bulk_files import json_lines, v14


def big(folder: Path, records: int, name: str = "dump.jsonl", words: int = 40) -> Path:
    path = folder / name
    text = json_lines([v14(number, number - 1, abstract="word " * words) for number in range(1, records + 1)])
    path.write_bytes(gzip.compress(text.encode(), 1) if name.endswith(".gz") else text.encode())
    return path


KILLED = """
import os, signal, sys
from pathlib import Path
from novum.literature import Library, import_file

def told(progress):
    if progress.records > int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

import_file(Library.open(Path(sys.argv[1])), Path(sys.argv[2]), progress=told)
"""

CUT_OFF = """
import signal, sys
from pathlib import Path
from novum.literature import Library, import_file

# Ended by the system after so many seconds of its own computing, so just as far on a machine that does other things.
signal.setitimer(signal.ITIMER_VIRTUAL, float(sys.argv[3]))
import_file(Library.open(Path(sys.argv[1])), Path(sys.argv[2]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dump.jsonl", "dump.jsonl.gz", "dump.json"])
def test_a_run_that_was_killed_goes_on_behind_its_last_commit(library: Library, tmp_path: Path, name: str) -> None:
    path = big(tmp_path, 7500, name, words=4)
    if name == "dump.json":
        records = [json.loads(line) for line in path.read_text().splitlines()]
        marks = "[" + "," * 7499
        spread = [mark + json.dumps(one, indent=1) for mark, one in zip(marks, records, strict=True)]
        path.write_text("".join(spread) + "]")
    run = [sys.executable, "-c", KILLED, str(library.folder), str(path), "6000"]
    assert subprocess.run(run, check=False).returncode == -signal.SIGKILL
    before = library.stats().papers
    assert 0 < before < 7500
    report = import_file(library, path)
    assert 0 < report.resumed_at <= before
    assert (report.resumed_at + report.added + report.unchanged, report.rejected) == (7500, 0)
    assert (library.stats().papers, library.stats().links) == (7500, 7499)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_run_killed_again_and_again_at_any_moment_loses_and_doubles_nothing(
    library: Library, tmp_path: Path, seed: int
) -> None:
    draw = random.Random(seed)
    path = big(tmp_path, 12_000, draw.choice(["dump.jsonl", "dump.jsonl.gz"]), words=10)
    bad = b'{"year": 1}\n' * 7
    whole = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    path.write_bytes(gzip.compress(bad + whole + bad, 1) if path.suffix == ".gz" else bad + whole + bad)
    for _ in range(4):
        run = [sys.executable, "-c", CUT_OFF, str(library.folder), str(path), str(draw.uniform(0.01, 1))]
        assert subprocess.run(run, check=False).returncode in {0, -signal.SIGVTALRM}
    report = import_file(library, path, again=False)
    mark = ReadPosition.of(library, path)
    assert (mark.taken, mark.rejected, mark.done) == (12_000, 14, True)
    assert report.read_before or report.resumed_at + report.read == 12_014
    stats = library.stats()
    assert (stats.papers, stats.links, stats.waiting, report.waiting) == (12_000, 11_999, 1, 1)


@pytest.mark.slow
def test_a_file_that_is_read_as_a_whole_is_counted_once_though_a_run_was_cut_off(
    library: Library, tmp_path: Path
) -> None:
    path = tmp_path / "many.bib"
    path.write_text("\n".join(f"@misc{{k{n}, title={{Engine {n}}}, year={{2000}}}}" for n in range(7000)))

    def told(progress: ImportProgressReport) -> None:
        if progress.records > 6000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_file(library, path, progress=told)
    assert library.stats().papers == 5000
    report = import_file(library, path)
    assert (report.added, report.unchanged, ReadPosition.of(library, path).taken) == (2000, 5000, 7000)


def test_what_waits_is_told_whichever_file_was_last(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "dump"
    folder.mkdir()
    (folder / "a.jsonl").write_text(json_lines([v14(1, 2)]))
    (folder / "c.json").write_text("nothing in here")
    assert import_file(library, folder).waiting == 1
    assert import_file(library, folder, again=False).waiting == 1


def test_a_file_read_to_its_end_is_not_read_again_until_it_changes(library: Library, tmp_path: Path) -> None:
    path = big(tmp_path, 200)
    path.write_text(path.read_text() + "{broken\n")
    first = import_file(library, path)
    assert (first.added, first.rejected, first.read_before) == (200, 1, False)
    known = import_file(library, path, again=False)
    assert (known.added, known.unchanged, known.rejected, known.read_before) == (0, 200, 1, True)
    assert import_file(library, path).read_before is False  # small enough not to ask
    path.write_text(path.read_text() + json_lines([v14(201)]))
    changed = import_file(library, path, again=False)
    assert (changed.added, changed.unchanged, changed.read_before) == (1, 200, False)


def test_the_mark_counts_what_readers_and_library_refused(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(json_lines([{"title": "Good"}, {"title": "..."}, {"year": 3}, {"title": "Also good"}]))
    report = import_file(library, path)
    mark = ReadPosition.of(library, path)
    assert (report.added, report.rejected) == (mark.taken, mark.rejected) == (2, 2)
    assert mark.done


def test_progress_is_told_from_the_first_byte_to_the_last(library: Library, tmp_path: Path) -> None:
    path = big(tmp_path, 3000, "dump.jsonl.gz", words=300)
    told: list[ImportProgressReport] = []
    import_file(library, path, progress=told.append)
    assert len(told) > 2
    assert [one.bytes_read for one in told] == sorted(one.bytes_read for one in told)
    assert (told[-1].bytes_read, told[-1].bytes_total) == (path.stat().st_size, path.stat().st_size)
    assert (told[-1].records, told[-1].share) == (3000, 1.0)
    assert told[-1].rate > 0


def test_every_reject_has_its_line_however_many_there_are(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json_lines([{"title": "..."} if n % 2 else {"year": n} for n in range(1000)] + [{"title": "Good"}]))
    report = import_file(library, path)
    assert (report.added, report.rejected, len(report.rejects)) == (1, 1000, 200)
    assert report.rejects_file is not None
    listed = [json.loads(line) for line in report.rejects_file.read_text().splitlines()]
    assert sorted(one["line"] for one in listed) == list(range(1, 1001))
    assert listed[0] == {
        "file": "bad.jsonl", "line": 1, "outcome": "rejected", "reason": "no title", "record": '{"year": 0}',
    }  # fmt: skip
    assert {one["record"] for one in listed} >= {'{"title": "..."}'}


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Twice: what a reader holds after a long file is what it holds after a short one."""
    held = [_peak_of_reading(big(tmp_path, records, f"{records}.jsonl.gz", words=200)) for records in (3000, 12_000)]
    assert held[1] < 1.5 * held[0] + 1_000_000


def _peak_of_reading(path: Path) -> int:
    import tracemalloc

    tracemalloc.start()
    try:
        assert sum(1 for _ in read_file(path)) > 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
