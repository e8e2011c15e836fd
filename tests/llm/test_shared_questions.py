"""Equal questions of several processes: each is sent once, and who loses the claim waits for the answer."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from dataclasses import replace

import pytest
from tests.ledger.test_ledger import call
from tests.llm.asking_process import started
from tests.llm.conftest import GOOD, Bench, Grade
from tests.observed import Silence, kill, until

from novum.ledger import Claim, ClaimResult, Ledger
from novum.ledger.workers import LEASE, lease_clock
from novum.llm import Limits, Question
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


def expire_leases(ledger):
    with ledger._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE workers SET expires = 0, uptime = 0")


def test_a_question_that_queued_while_its_process_was_stopped_is_looked_up_before_it_is_sent(
    grading, serve, monkeypatch
):
    """While one of two questions is under way the process stops for longer than its lease, and another process takes
    the queueing one over and answers it."""
    other, keys = Ledger.open(grading.folder / "ledger.sqlite"), {}

    def take_over(queueing):
        with sqlite3.connect(grading.folder / "ledger.sqlite") as database:
            until(lambda: database.execute("SELECT count(*) FROM claims").fetchone() == (2,))
        ahead = lease_clock() + LEASE + 1
        monkeypatch.setattr("novum.ledger.writer.lease_clock", lambda: ahead)
        claim = Claim(keys[queueing], other.runs()[0].id)
        until(lambda: expire_leases(other) or asyncio.run(other.claim(claim)) is ClaimResult.TAKEN_OVER)
        asyncio.run(other.record(call(claim.run_id, claim.key, answer=GOOD)))

    def script(asked):
        thread = threading.Thread(target=take_over, args=("first" if "second" in asked.text else "second",))
        thread.start()
        thread.join()
        return GOOD

    async def both(models):
        questions = {name: Question("grade", {"problem": name}, Grade) for name in ("first", "second")}
        keys.update({name: models.key_of(question) for name, question in questions.items()})
        return await asyncio.gather(*map(models.ask, questions.values()))

    server = serve(script)
    settings = replace(grading.settings(server.model), limits=Limits(in_flight=1))
    assert [each.grade for each in grading.run(settings, both)] == [7, 7]
    assert len(server.asked) == 1
    [run] = grading.ledger.runs()
    assert grading.ledger.unsettled(run.id).under_way == 0
    assert grading.ledger.account(run.id).total().calls == 1 + 1
    other.close()


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


def test_waiting_for_the_answer_of_another_process_is_shown(grading, serve, monkeypatch):
    server, waits, other = serve(), [], Ledger.open(grading.folder / "ledger.sqlite")

    async def asked(models):
        ledger, question = models.run.ledger, Question("grade", {"problem": "p"}, Grade)
        claim, wait = Claim(models.key_of(question), models.run.id), ledger.claim_ended
        assert await other.claim(claim) is ClaimResult.OURS

        async def answered_meanwhile(waited_for):
            await other.record(call(claim.run_id, claim.key, answer=GOOD))
            await wait(waited_for)

        monkeypatch.setattr(ledger, "claim_ended", answered_meanwhile)
        models.run.listen(lambda event: waits.append(event.data["why"]) if event.kind == "waiting" else None)
        return await models.ask(question)

    assert grading.run(grading.settings(server.model), asked).grade == 7
    assert waits == ["another process asks the same"]
    assert server.asked == []
    other.close()
