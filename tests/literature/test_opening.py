"""Every state a folder can be in: made, opened, or refused in one clear line."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from novum.errors import LibraryError
from novum.literature import Library
from tests.literature.conftest import ATTENTION, entry


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    with Library.open(tmp_path / "new" / "library") as library:
        assert library.stats().papers == 0


def test_a_library_keeps_what_it_holds(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        library.add([entry(ATTENTION)])
    with Library.open(tmp_path) as library:
        assert library.get(ATTENTION.id) == ATTENTION


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "library"
    place.write_text("mine")
    with pytest.raises(LibraryError, match="is a file, not a library folder"):
        Library.open(place)
    assert place.read_text() == "mine"


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(LibraryError, match=r"other files \(thesis.tex"):
        Library.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "library.db") as foreign:
        foreign.execute("CREATE TABLE books (title TEXT)")
        foreign.execute("INSERT INTO books VALUES ('mine')")
    foreign.close()
    with pytest.raises(LibraryError, match="belongs to something else"):
        Library.open(tmp_path)
    with sqlite3.connect(tmp_path / "library.db") as foreign:
        assert foreign.execute("SELECT title FROM books").fetchall() == [("mine",)]
        assert foreign.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)
    foreign.close()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    content = b"this is not a database, but somebody's letter\n" * 50
    (tmp_path / "library.db").write_bytes(content)
    with pytest.raises(LibraryError, match="no database of Novum"):
        Library.open(tmp_path)
    assert (tmp_path / "library.db").read_bytes() == content


def test_a_creation_that_was_killed_is_simply_done_again(tmp_path: Path) -> None:
    (tmp_path / "library.db").touch()
    with Library.open(tmp_path) as library:
        assert library.add([entry(ATTENTION)]).added == 1


def test_a_newer_library_is_refused(tmp_path: Path) -> None:
    Library.open(tmp_path).close()
    with sqlite3.connect(tmp_path / "library.db") as newer:
        newer.execute("UPDATE library_facts SET value = '99' WHERE name = 'schema'")
    newer.close()
    with pytest.raises(LibraryError, match=r"newer Novum .*upgrade"):
        Library.open(tmp_path)


def test_a_place_where_nothing_can_be_made_is_refused() -> None:
    with pytest.raises(LibraryError, match="cannot be used"):
        Library.open(Path("/dev/null/library"))


@pytest.mark.parametrize(
    ("url", "said"),
    [("nonsense", "not a database URL"), ("nosuchdb://host/name", "not a database URL")],
)
def test_a_url_that_leads_nowhere_is_refused(tmp_path: Path, url: str, said: str) -> None:
    with pytest.raises(LibraryError, match=said):
        Library.open(tmp_path, url=url)


def test_rows_may_live_elsewhere_than_the_indexes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'rows.db'}"
    with Library.open(tmp_path / "here", url=url) as library:
        library.add([entry(ATTENTION)])
    with Library.open(tmp_path / "there", url=url) as library:
        assert library.get(ATTENTION.id) == ATTENTION


_FILL_UP = """
import resource, signal, sys
from pathlib import Path
from novum.core import Paper
from novum.errors import LibraryError
from novum.literature import Entry, Library

library = Library.open(Path(sys.argv[1]))
library.add([Entry(paper=Paper(title="Before the Flood", year=2000))])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
try:
    library.add(Entry(paper=Paper(title=f"Flood {n}", year=2000, abstract="water " * 200)) for n in range(1000))
except LibraryError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file size are a matter of Unix")
def test_a_full_disk_ends_in_one_line_and_loses_nothing(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _FILL_UP, str(tmp_path)], capture_output=True, text=True, env=os.environ, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.splitlines()) == 1
    assert "What was committed is kept" in ended.stdout
    with Library.open(tmp_path) as library:
        assert library.find("Before the Flood") is not None


def test_text_that_cannot_be_decoded_is_told_as_damage_and_not_shown(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        library.add([entry(ATTENTION)])
    with sqlite3.connect(tmp_path / "library.db") as connection:
        connection.execute("UPDATE papers SET title = CAST(x'5461ff' AS TEXT)")
    connection.close()
    with Library.open(tmp_path) as library, pytest.raises(LibraryError, match=r"is damaged .*: restore it") as failure:
        library.get(ATTENTION.id)
    assert "Ta" not in str(failure.value)
