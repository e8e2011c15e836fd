"""A home that cannot be written: finished runs are shown again."""

from __future__ import annotations

import stat
import subprocess
import sys

import pytest

from tests.cli.conftest import SMALL
from tests.unprivileged import UNPRIVILEGED, needs_permissions

pytestmark = needs_permissions


@pytest.fixture
def read_only(home):
    """Makes the home read-only until the end of the test."""

    def allow(*, write):
        for place in (home, *home.rglob("*")):
            mode = place.stat().st_mode
            place.chmod(mode | stat.S_IWUSR if write else mode & ~0o222)

    yield lambda: allow(write=False)
    allow(write=True)


def test_resuming_a_finished_run_shows_its_outcome_and_asks_no_model(here, serve, environment, read_only, tmp_path):
    server = serve()
    command = ("ideate", "molecules", *SMALL, "--model", "server:m")
    finished = here(*command, "--base-url", server.base_url, "--out", "first")
    assert finished.code == 0, finished.err
    answered = server.answered
    read_only()
    again = subprocess.run(
        [*UNPRIVILEGED, sys.executable, "-m", "novum", "runs", "resume", "last", "--out", str(tmp_path / "again")],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    assert {file.name for file in (tmp_path / "again").iterdir()} == {
        file.name for file in (tmp_path / "first").iterdir()
    }
    assert server.answered == answered
