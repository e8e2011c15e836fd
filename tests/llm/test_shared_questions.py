"""Equal questions of several processes: each is sent once, and who loses the claim waits for the answer."""

from __future__ import annotations

import asyncio

import pytest
from tests.llm.asking_process import started
from tests.llm.conftest import Bench, Grade
from tests.observed import Silence, kill

from novum.ledger import Ledger
from novum.llm import Question
from novum.testing import ScriptedServer


@pytest.mark.slow
def test_eight_equal_processes_pay_for_each_question_once_and_all_end(tmp_path):
    with ScriptedServer(lambda received: "yes", latency=0.05) as server:
        bench = Bench(tmp_path)
        runs = [bench.ledger.start_run("test", "a test", {}).id for _ in range(8)]
        bench.ledger.close()
        processes = [started(tmp_path, server.model, run, 38, 8, 0) for run in runs]
        assert [each.communicate(timeout=300)[1] for each in processes] == [""] * 8
        assert len(server.asked) == 38
        with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
            assert [ledger.spend(run).calls for run in runs] == [38] * 8


@pytest.mark.slow
def test_questions_of_a_killed_process_are_asked_by_the_one_that_waits_for_them(tmp_path):
    silence = Silence(0, unanswered=8, script=lambda received: "yes")
    with ScriptedServer(silence) as server:
        bench = Bench(tmp_path)
        runs = [bench.ledger.start_run("test", "a test", {}).id for _ in range(2)]
        bench.ledger.close()
        first = started(tmp_path, server.model, runs[0], 12, 8, 0)
        silence.reached(first)
        silence.speak()
        second = started(tmp_path, server.model, runs[1], 12, 8, 0)
        kill(first)
        assert second.communicate(timeout=300)[1] == ""
        with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
            assert ledger.spend(runs[1]).calls == 12


def test_two_labs_of_one_process_with_a_ledger_each_send_a_question_once(grading, serve):
    server = serve(lambda received: '{"reason": "clear", "grade": 7}')
    question = Question("grade", {"problem": "p"}, Grade)
    other = Bench(grading.folder)
    other.prompts = grading.prompts
    settings = grading.settings(server.model)

    async def both():
        return await asyncio.gather(
            *(asyncio.to_thread(bench.run, settings, lambda models: models.ask(question)) for bench in (grading, other))
        )

    assert [each.grade for each in asyncio.run(both())] == [7, 7]
    assert len(server.asked) == 1
    other.ledger.close()
