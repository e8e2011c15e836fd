"""Kill a run anywhere and resume it: nothing answered is asked again, and the outcome is that of a quiet run."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from tests.observed import Silence, kill, kill_after
from tests.runs.conftest import started

from novum.core import IdeationReport
from novum.ledger import Ledger
from novum.testing import ScriptedServer

TOPIC = "Language-model agents that propose and test scientific hypotheses"
IDEATE = ("ideate", TOPIC, "--branches", "2", "--length", "3", "--json")


def outcome(process):
    """What a process printed as its result."""
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr
    return IdeationReport.model_validate_json(stdout)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, filled_library):
    """What a run comes to that was left alone. Answers depend on the questions alone, so one run stands for all."""
    with ScriptedServer(latency=0.005) as server:
        return outcome(started(tmp_path_factory.mktemp("undisturbed"), filled_library, server, *IDEATE))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_run_killed_at_a_random_point_ends_like_an_undisturbed_one(novum, server, undisturbed, tmp_path, seed):
    kill_after(novum(*IDEATE), server, random.Random(seed).randint(1, 24))
    report = outcome(novum("runs", "resume", "last", "--json"))
    asked_by_both = server.answered

    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as ledger:
        [record] = ledger.runs()
        paid = Counter(call.key for call in ledger.calls(record.id))
    assert set(paid.values()) == {1}, "no answered call is asked again"
    assert asked_by_both - len(paid) <= 6, "only what was in flight when the process died is asked a second time"
    assert report.ideation == undisturbed.ideation


@pytest.mark.slow
def test_a_killed_run_is_shown_as_interrupted_and_resumes(novum, server):
    server._script = silence = Silence(5)
    process = novum(*IDEATE)
    silence.reached(process)
    kill(process)
    silence.speak()
    shown, _ = novum("runs", "list", "--json").communicate(timeout=300)
    assert [run["status"] for run in json.loads(shown)] == ["interrupted"]
    before = server.answered
    report = outcome(novum("runs", "resume", "last", "--json"))
    assert len(report.ideation.candidates) == 2
    assert report.account.spend.calls - before <= server.answered


@pytest.mark.slow
def test_a_finished_run_is_returned_without_a_call(novum, server):
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
def test_a_budget_stops_a_run_and_a_larger_budget_continues_it(novum, server):
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


@pytest.mark.slow
def test_two_equal_commands_at_once_pay_for_each_question_once(novum, server, tmp_path):
    first, second = [outcome(process) for process in [novum(*IDEATE), novum(*IDEATE)]]
    assert first.ideation == second.ideation
    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as ledger:
        paid = [call.key for record in ledger.runs() for call in ledger.calls(record.id)]
    assert len(paid) == len(set(paid)) == server.answered


@pytest.mark.slow
def test_the_budget_of_a_killed_run_holds_and_its_unsettled_calls_are_shown(novum, server):
    server._script = silence = Silence(3)
    process = novum(*IDEATE, "--budget-calls", "6")
    silence.reached(process)
    kill(process)
    silence.speak()
    shown, _ = novum("runs", "show", "last", "--json").communicate(timeout=300)
    assert json.loads(shown)["unsettled"]["spent"] > 0
    shown, _ = novum("runs", "show", "last").communicate(timeout=300)
    assert "unsettled: counted as spent" in shown
    novum("runs", "resume", "last").communicate(timeout=300)
    assert len(server.asked) <= 6
