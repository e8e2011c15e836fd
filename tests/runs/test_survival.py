"""Kill a run anywhere and resume it: nothing answered is asked again, and the outcome is that of a quiet run."""

from __future__ import annotations

import json
import random
import signal
import threading
import time
from collections import Counter

import pytest

from novum.core import IdeationReport
from novum.ledger import Ledger
from novum.testing import Said

TOPIC = "Language-model agents that propose and test scientific hypotheses"
IDEATE = ("ideate", TOPIC, "--branches", "2", "--length", "3", "--json")


def outcome(process):
    """What a process printed as its result."""
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr
    return IdeationReport.model_validate_json(stdout)


def kill_after(process, server, answers):
    """SIGKILL once the server has answered that many calls (or let the process finish, if it is quicker)."""
    until = time.monotonic() + 300
    while server.answered < answers and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_run_killed_at_a_random_point_ends_like_one_that_was_left_alone(novum, server, tmp_path, seed):
    kill_after(novum(*IDEATE), server, random.Random(seed).randint(1, 24))
    report = outcome(novum("runs", "resume", "last", "--json"))
    asked_by_both = server.answered

    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as ledger:
        [record] = ledger.runs()
        paid = Counter(call.key for call in ledger.calls(record.id))
    assert set(paid.values()) == {1}, "no answered call is asked again"
    assert asked_by_both - len(paid) <= 6, "only what was in flight when the process died is asked a second time"

    undisturbed = outcome(novum(*IDEATE, "--fresh"))
    assert report.ideation == undisturbed.ideation


@pytest.mark.slow
def test_a_killed_run_is_shown_as_interrupted_and_resumes(novum, server):
    reached, killed = threading.Event(), threading.Event()

    def silent_after_five(asked):
        if asked.number <= 5 or killed.is_set():
            return None
        reached.set()
        return Said(hang=True)

    server._script = silent_after_five
    process = novum(*IDEATE)
    assert reached.wait(300)
    process.kill()
    process.communicate()
    killed.set()
    shown, _ = novum("runs", "list", "--json").communicate(timeout=300)
    assert [run["status"] for run in json.loads(shown)] == ["interrupted"]
    before = server.answered
    report = outcome(novum("runs", "resume", "last", "--json"))
    assert len(report.ideation.candidates) == 2
    assert report.account.spend.calls - before <= server.answered


@pytest.mark.slow
def test_a_finished_run_is_handed_back_without_a_call(novum, server):
    first = outcome(novum(*IDEATE))
    calls = server.answered
    again = outcome(novum("runs", "resume", "last", "--json"))
    assert again == first
    assert server.answered == calls


@pytest.mark.slow
def test_the_same_run_again_is_answered_from_the_ledger(novum, server):
    first = outcome(novum(*IDEATE))
    calls = server.answered
    second = outcome(novum(*IDEATE))
    assert second.ideation == first.ideation
    assert server.answered == calls
    assert second.account.spend.reused == second.account.spend.calls > 0


@pytest.mark.slow
def test_two_processes_share_one_ledger(novum, server, tmp_path):
    one, two = novum(*IDEATE, "--seed", "1"), novum(*IDEATE, "--seed", "2")
    assert {len(outcome(process).ideation.candidates) for process in (one, two)} == {2}
    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as ledger:
        assert [record.status for record in ledger.runs()] == ["finished", "finished"]


@pytest.mark.slow
def test_a_budget_stops_a_run_and_more_budget_lets_it_go_on(novum, server):
    process = novum(*IDEATE, "--budget-calls", "6")
    _, stderr = process.communicate(timeout=300)
    assert process.returncode == 3
    assert "--budget-calls" in stderr
    assert server.answered <= 6
    report = outcome(novum("runs", "resume", "last", "--budget-calls", "200", "--json"))
    assert report.ideation.best is not None
    assert server.answered == report.account.spend.calls


@pytest.mark.slow
def test_a_resumed_run_keeps_its_budget(novum, server):
    novum(*IDEATE, "--budget-calls", "4").communicate(timeout=300)
    again = novum("runs", "resume", "last")
    _, stderr = again.communicate(timeout=300)
    assert again.returncode == 3
    assert "--budget-calls" in stderr
    assert server.answered <= 4
