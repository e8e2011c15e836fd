"""Kill a measurement anywhere and resume it: no answer is paid for twice, and the leaderboard is the same."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from novum.ledger import Ledger
from novum.testing import ScriptedServer, ideas_and_scores
from tests.benchmarks.liveidea_lab import stock

KEYWORDS, ANCHORS, PAPERS = 4, 3, 2
CALLS = 2 * KEYWORDS * (9 + 6) + 4 * ANCHORS


@pytest.fixture
def server():
    with ScriptedServer(ideas_and_scores, latency=0.005) as running:
        yield running


@pytest.fixture
def novum(tmp_path):
    """Starts `novum …` in a process and a home of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}

    def start(*arguments, home="home"):
        return subprocess.Popen(
            [sys.executable, "-m", "novum", *arguments],
            env=environment | {"NOVUM_HOME": str(tmp_path / home)}, cwd=tmp_path, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    return start


def measuring(server):
    models = ("--model", "server:dreamer-3,server:dreamer-7", "--judge", "server:a,server:b,server:c,server:d")
    units = ("--keywords", str(KEYWORDS), "--anchors", str(ANCHORS), "--papers", str(PAPERS))
    return ("liveidea", "run", *models, *units, "--base-url", server.base_url, "--json")


def leaderboard(process):
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr
    return json.loads(stdout)["leaderboard"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_measurement_killed_at_a_random_point_ends_like_one_that_was_left_alone(novum, server, tmp_path, seed):
    for home in ("home", "other"):
        stock(tmp_path / home, "A study of forests", "A study of stars", "A study of cells")
    process, answers = novum(*measuring(server)), random.Random(seed).randint(1, CALLS - 2)
    until = time.monotonic() + 300
    while server.answered < answers and process.poll() is None and time.monotonic() < until:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.communicate()

    stock(tmp_path / "home", "A study that reaches level 7", "A study that reaches level 3")
    resumed = leaderboard(novum("runs", "resume", "last", "--json"))
    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as ledger:
        [record] = ledger.runs()
        paid = Counter(call.key for call in ledger.calls(record.id))
    assert set(paid.values()) == {1}, "no answered call is asked again"
    assert len(paid) == CALLS
    assert server.answered - CALLS <= 64, "only what was in flight when the process died is asked a second time"
    assert resumed == leaderboard(novum(*measuring(server), home="other"))
