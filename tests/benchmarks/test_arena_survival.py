"""Kill an arena anywhere and resume it: no answer is paid for twice, and the ratings are the same."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter

import pytest

from novum.ledger import Ledger
from novum.testing import ScriptedServer
from tests.observed import kill_after

METHODS = "chain-of-ideas:branches=1,length=2,rounds=1,name=short,chain-of-ideas:branches=1,length=0,rounds=1,name=none"


@pytest.fixture
def server():
    with ScriptedServer(latency=0.005) as running:
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


def competing(server):
    topics = ("--topic", "graph learning", "--topic", "language models", "--topic", "protein design")
    models = ("--model", "server:writer", "--judge", "server:a,server:b", "--base-url", server.base_url)
    return ("arena", "run", *topics, "--method", METHODS, *models, "--bootstrap-samples", "50", "--json")


def leaderboard(process):
    """Boards without the time that calls took: that differs from one arena to the next."""
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr
    boards = json.loads(stdout)["leaderboard"]["boards"]
    return [board | {"lines": [line | {"seconds": 0} for line in board["lines"]]} for board in boards]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The leaderboard of an arena that was left alone, and its calls. Answers depend on the questions alone, so one
    stands for all."""
    with ScriptedServer() as server:
        return leaderboard(started(tmp_path_factory.mktemp("undisturbed"), *competing(server))), server.answered


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_an_arena_killed_at_a_random_point_ends_like_one_that_was_left_alone(
    novum, server, undisturbed, tmp_path, seed
):
    board, calls = undisturbed
    process, answers = novum(*competing(server)), random.Random(seed).randint(1, calls - 2)
    kill_after(process, server, answers)

    resumed = leaderboard(novum("arena", "resume", "last", "--bootstrap-samples", "50", "--json"))
    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as ledger:
        [record] = ledger.runs()
        paid = Counter(call.key for call in ledger.calls(record.id))
    assert set(paid.values()) == {1}, "no answered call is asked again"
    assert len(paid) == calls
    assert server.answered - calls <= 64, "only what was in flight when the process died is asked a second time"
    assert resumed == board
