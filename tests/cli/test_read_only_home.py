"""A home that cannot be written: finished runs are shown again."""

from __future__ import annotations

import stat
import subprocess
import sys

import pytest

from novum.core import Identifiers, Paper
from novum.literature import Entry, Library
from novum.testing import ideas_and_scores
from tests.cli.conftest import SMALL
from tests.unprivileged import UNPRIVILEGED, needs_permissions

pytestmark = [needs_permissions, pytest.mark.slow]


@pytest.fixture
def read_only(home):
    """Makes the home read-only until the end of the test."""

    def allow(*, write):
        for place in (home, *home.rglob("*")):
            mode = place.stat().st_mode
            place.chmod(mode | stat.S_IWUSR if write else mode & ~0o222)

    yield lambda: allow(write=False)
    allow(write=True)


@pytest.fixture
def unprivileged(environment, tmp_path):
    """Runs the command as somebody who may not write everywhere."""

    def finish(*arguments):
        return subprocess.run(
            [*UNPRIVILEGED, sys.executable, "-m", "novum", *arguments],
            env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return finish


def test_resuming_a_finished_run_shows_its_outcome_and_asks_no_model(here, serve, unprivileged, read_only, tmp_path):
    server = serve()
    command = ("ideate", "molecules", *SMALL, "--model", "server:m")
    finished = here(*command, "--base-url", server.base_url, "--out", "first")
    assert finished.code == 0, finished.err
    answered = server.answered
    read_only()
    again = unprivileged("runs", "resume", "last", "--out", str(tmp_path / "again"))
    assert again.returncode == 0, again.stderr
    assert {file.name for file in (tmp_path / "again").iterdir()} == {
        file.name for file in (tmp_path / "first").iterdir()
    }
    assert server.answered == answered


@pytest.mark.parametrize("with_folder", [False, True])
def test_full_texts_cannot_be_kept_in_a_library_that_may_only_be_read(home, unprivileged, read_only, with_folder):
    with Library.open(home / "library") as library:
        library.add([Entry(Paper(title="Corals hear the reef", ids=Identifiers(arxiv="2401.00001")))])
    if with_folder:
        (home / "library" / "pdf").mkdir()
    read_only()
    fetched = unprivileged("library", "full-texts", "coral")
    assert fetched.returncode == 2
    *_, line = fetched.stderr.strip().splitlines()
    assert "Unexpected" not in fetched.stderr
    assert "cannot be kept" in line
    assert "NOVUM_LIBRARY" in line


def test_a_measurement_that_reused_ideas_of_an_earlier_one_can_still_be_read(here, serve, unprivileged, read_only):
    server = serve(ideas_and_scores)
    measure = ("liveidea", "run", "--model", "server:dreamer-3", "--keywords", "2", "--anchors", "0")
    measure += ("--bootstrap-samples", "100", "--base-url", server.base_url)
    for judges in ("server:judge-a", "server:judge-b,server:judge-c"):
        finished = here(*measure, "--judge", judges)
        assert finished.code == 0, finished.err
    answered = server.answered
    read_only()
    for command in ("runs resume", "runs export", "liveidea report", "liveidea score"):
        again = unprivileged(*command.split(), "last", *(("--out", "o") if "export" in command else ()))
        assert again.returncode == 0, (command, again.stderr)
    assert server.answered == answered


def test_a_read_only_home_without_studies_is_said_to_have_none(unprivileged, read_only):
    read_only()
    none = unprivileged("study", "list")
    assert none.returncode == 0, none.stderr
    assert "no studies" in (none.stdout + none.stderr).lower()


def test_a_study_of_a_read_only_home_is_shown(here, home, tmp_path, unprivileged, read_only):
    ideas = tmp_path / "ideas.jsonl"
    ideas.write_text("".join(f'{{"title": "Idea {each}", "summary": "Fold sheets.", "topic": "t"}}\n' for each in "ab"))
    made = here("study", "create", "Sheets", "--ask", "ratings", "--ideas", str(ideas))
    assert made.code == 0, made.err
    read_only()
    shown = unprivileged("study", "list")
    assert shown.returncode == 0, shown.stderr
    assert "Sheets" in shown.stdout


def test_a_workbench_in_a_read_only_home_is_refused_in_one_line(unprivileged, read_only):
    read_only()
    refused = unprivileged("serve", "--port", "0")
    assert refused.returncode == 2
    assert "cannot be written" in refused.stderr.splitlines()[-1]
    assert "Novum is at" not in refused.stdout
