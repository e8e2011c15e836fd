"""Kill a measurement anywhere and resume it: no answer is paid for twice, and the leaderboard is the same."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter

import pytest

from novum.ledger import Ledger
from novum.testing import ScriptedServer, ideas_and_scores
from tests.benchmarks.liveidea_lab import stock
from tests.observed import kill_after

KEYWORDS, ANCHORS, PAPERS = 4, 3, 2
CALLS = 2 * KEYWORDS * (9 + 6) + 4 * ANCHORS


@pytest.fixture
def server():
    with ScriptedServer(ideas_and_scores, latency=0.005) as running:
        yield running


@pytest.fixture
def novum(tmp_path):
    """Starts `novum …` in a process and a home of its own."""
    return lambda *arguments: started(tmp_path, *arguments)


def started(folder, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return subprocess.Popen(
        [sys.executable, "-m", "novum", *arguments],
        env=environment | {"NOVUM_HOME": str(folder / "home")}, cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def measuring(server):
    models = ("--model", "server:dreamer-3,server:dreamer-7", "--judge", "server:a,server:b,server:c,server:d")
    units = ("--keywords", str(KEYWORDS), "--anchors", str(ANCHORS), "--papers", str(PAPERS))
    return ("liveidea", "run", *models, *units, "--base-url", server.base_url, "--json")


def leaderboard(process):
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr
    return json.loads(stdout)["leaderboard"]


STOCK = ("A study of forests", "A study of stars", "A study of cells")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The leaderboard of a measurement that was left alone. Answers depend on the questions alone, so one stands for
    all."""
    folder = tmp_path_factory.mktemp("undisturbed")
    stock(folder / "home", *STOCK)
    with ScriptedServer(ideas_and_scores) as server:
        return leaderboard(started(folder, *measuring(server)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_measurement_killed_at_a_random_point_ends_like_one_that_was_left_alone(
    novum, server, undisturbed, tmp_path, seed
):
    stock(tmp_path / "home", *STOCK)
    process, answers = novum(*measuring(server)), random.Random(seed).randint(1, CALLS - 2)
    kill_after(process, server, answers)

    stock(tmp_path / "home", "A study that reaches level 7", "A study that reaches level 3")
    resumed = leaderboard(novum("runs", "resume", "last", "--json"))
    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as ledger:
        [record] = ledger.runs()
        paid = Counter(call.key for call in ledger.calls(record.id))
    assert set(paid.values()) == {1}, "no answered call is asked again"
    assert len(paid) == CALLS
    assert server.answered - CALLS <= 64, "only what was in flight when the process died is asked a second time"
    assert resumed == undisturbed
