"""A library whose folder cannot be written is searched for opportunities, and nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import subprocess
import sys

import pytest

from tests.opportunities.made_up import library_of, literature
from tests.unprivileged import UNPRIVILEGED, needs_permissions

pytestmark = [needs_permissions, pytest.mark.slow]


def allow(home, *, write):
    for place in (home, *home.rglob("*")):
        mode = place.stat().st_mode
        place.chmod(mode | stat.S_IWUSR if write else mode & ~0o222)


@pytest.fixture
def home(tmp_path):
    (tmp_path / "temporary").mkdir()
    home = tmp_path / "home"
    with library_of(home / "library", literature(150, years=2)) as library:
        asyncio.run(library.index())
    yield home
    allow(home, write=True)


def opportunities(home, *arguments):
    return subprocess.run(
        [*UNPRIVILEGED, sys.executable, "-m", "novum", "opportunities", *arguments],
        env=os.environ | {"NOVUM_HOME": str(home), "TMPDIR": str(home.parent / "temporary")},
        cwd=home.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_it_is_searched_with_a_temporary_map_but_none_is_built_for_good(home, tmp_path):
    with_map = shutil.copytree(home, tmp_path / "other" / "home")
    expected = opportunities(with_map, "graph", "--force", "--out", str(tmp_path / "expected"))
    assert expected.returncode == 0, expected.stderr
    allow(home, write=False)
    before = sorted(home.rglob("*"))
    found = opportunities(home, "graph", "--force", "--out", str(tmp_path / "found"))
    assert (found.returncode, found.stdout) == (0, expected.stdout.replace("expected", "found")), found.stderr
    refused = opportunities(home, "build")
    assert refused.returncode == 2
    assert "cannot be written" in refused.stderr.splitlines()[-1]
    assert sorted(home.rglob("*")) == before
    assert list((tmp_path / "temporary").iterdir()) == []
