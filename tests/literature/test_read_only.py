"""A library in a folder that cannot be written: it is searched and read, and nothing is left behind."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from novum.literature import Library
from tests.literature.conftest import ATTENTION, BERT, COOKING, entry
from tests.unprivileged import UNPRIVILEGED, needs_permissions

pytestmark = needs_permissions


def novum(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*UNPRIVILEGED, sys.executable, "-m", "novum", "library", *arguments],
        env=os.environ | {"NOVUM_HOME": str(home), "TMPDIR": str(home.parent / "temporary")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home with three papers, of which two are indexed."""
    home = tmp_path / "home"
    (tmp_path / "temporary").mkdir()
    with Library.open(home / "library") as library:
        library.add([entry(ATTENTION), entry(COOKING)])
    assert "Attention" in novum(home, "search", "attention").stdout
    with Library.open(home / "library") as library:
        library.add([entry(BERT)])
    yield home
    allow(home, write=True)


def allow(home: Path, *, write: bool) -> None:
    """Makes everything below `home` writable or read-only."""
    for place in (home, *home.rglob("*")):
        mode = place.stat().st_mode
        place.chmod(mode | stat.S_IWUSR if write else mode & ~0o222)


def as_it_is(home: Path) -> None:
    pass


def no_index(home: Path) -> None:
    shutil.rmtree(home / "library" / "index")


def log_left(home: Path) -> None:
    """A process that had the library open has died."""
    opens_and_dies = (
        "import os, sys, pathlib\nfrom novum.literature import Library\n"
        "Library.open(pathlib.Path(sys.argv[1])).stats()\nos._exit(0)"
    )
    subprocess.run([sys.executable, "-c", opens_and_dies, str(home / "library")], check=True)
    assert (home / "library" / "library.db-wal").exists()


@pytest.mark.parametrize(
    "state", [as_it_is, pytest.param(no_index, marks=pytest.mark.slow), pytest.param(log_left, marks=pytest.mark.slow)]
)
def test_a_library_that_cannot_be_written_is_searched_and_read(home: Path, state: Callable[[Path], None]) -> None:
    state(home)
    allow(home, write=False)
    before = sorted(home.rglob("*"))
    expected = {("search", "bidirectional"): "BERT", ("stats",): "papers", ("show", BERT.id): "Jacob Devlin"}
    for arguments, text in expected.items():
        result = novum(home, *arguments)
        assert (result.returncode, result.stderr) == (0, "")
        assert text in result.stdout
    assert sorted(home.rglob("*")) == before
    assert list((home.parent / "temporary").iterdir()) == []


def test_what_would_write_ends_in_one_line(home: Path) -> None:
    allow(home, write=False)
    result = novum(home, "starter")
    assert result.returncode != 0
    assert "cannot be written: make the folder writable" in result.stderr.splitlines()[-1]


def test_only_its_owner_can_read_a_new_library(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        library.add([entry(ATTENTION)])
        files = [path for path in library.folder.rglob("*") if path.is_file()]
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "library").stat().st_mode) == 0o700
