"""Claims: of all processes that share a ledger, one asks a question; the claim of a process that has ended is free."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import time

import pytest
from tests.ledger.test_ledger import call
from tests.observed import until

from novum.ledger import Claim, ClaimLost, ClaimResult, Ledger
from novum.ledger.workers import LEASE, birth_of, lease_clock, this_machine

QUESTION = Claim("k", "r")


@pytest.fixture
def place(tmp_path):
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def ledger(place):
    with Ledger.open(place) as opened:
        yield opened


@pytest.fixture
def other(place):
    """The same ledger, opened once more."""
    with Ledger.open(place) as opened:
        yield opened


def claimed(ledger, claim=QUESTION):
    return asyncio.run(ledger.claim(claim))


def claim_of_another(place, machine, pid, birth, expires, uptime=None):
    """As if a process of this description had claimed the question."""
    with sqlite3.connect(place) as database:
        row = ("w", machine, pid, birth, expires, uptime)
        columns = "id, machine, pid, birth, expires, uptime, batch"
        database.execute(f"INSERT INTO workers ({columns}) VALUES (?, ?, ?, ?, ?, ?, 0)", row)
        database.execute("INSERT INTO claims (name, run_id, worker) VALUES (?, ?, ?)", ("k", "r", "w"))


def test_a_question_is_claimed_once(ledger, other):
    assert claimed(ledger) is ClaimResult.OURS
    assert claimed(other) is ClaimResult.HELD


def test_a_question_without_an_answer_is_free_again(ledger, other):
    claimed(ledger)
    ledger.release(QUESTION, answered=False)
    asyncio.run(ledger.written())
    assert claimed(other) is ClaimResult.OURS


def test_an_answered_question_stays_claimed_so_that_a_late_process_finds_the_answer(ledger, other):
    claimed(ledger)
    asyncio.run(ledger.record(call()))
    ledger.release(QUESTION, answered=True)
    assert claimed(other) is ClaimResult.HELD
    assert other.answered("k") is not None


def test_a_claim_that_is_made_and_given_up_in_one_group_does_not_stay(ledger, other):
    async def cancelled():
        task = asyncio.create_task(ledger.claim(QUESTION))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await ledger.written()

    asyncio.run(cancelled())
    assert claimed(other) is ClaimResult.OURS


def test_a_fresh_run_has_questions_of_its_own(ledger, other):
    claimed(ledger)
    assert claimed(other, Claim("k", "fresh", fresh=True)) is ClaimResult.OURS


def test_the_claims_of_a_closed_ledger_are_taken_over(place, other):
    with Ledger.open(place) as first:
        claimed(first)
    assert claimed(other) is ClaimResult.TAKEN_OVER


def test_the_claim_of_a_process_that_has_ended_is_taken_over_at_once(place, ledger):
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    claim_of_another(place, this_machine(), process.pid, birth_of(process.pid), expires=1e12)
    assert claimed(ledger) is ClaimResult.HELD
    process.kill()
    process.communicate()
    assert claimed(ledger) is ClaimResult.TAKEN_OVER


def stop_for_a_minute(monkeypatch):
    """As if all processes had stopped for longer than their leases."""
    ahead = lease_clock() + LEASE + 1
    monkeypatch.setattr("novum.ledger.writer.lease_clock", lambda: ahead)


def is_taken_over(place, ledger):
    """Whether a question can be taken over now that no lease holds; a stopped process may just renew its own."""
    with sqlite3.connect(place) as database:
        database.execute("UPDATE workers SET expires = 0, uptime = 0")
    return claimed(ledger) is ClaimResult.TAKEN_OVER


@pytest.mark.parametrize("answered", [True, False])
def test_a_claim_that_was_taken_over_while_its_process_stopped_is_lost(place, ledger, other, monkeypatch, answered):
    claimed(ledger)
    asyncio.run(ledger.confirm(QUESTION))
    stop_for_a_minute(monkeypatch)
    until(lambda: is_taken_over(place, other))
    if answered:
        asyncio.run(other.record(call()))
    other.release(QUESTION, answered=answered)
    asyncio.run(other.written())
    with pytest.raises(ClaimLost):
        asyncio.run(ledger.confirm(QUESTION))


def test_a_claim_that_was_taken_over_is_lost_also_when_the_lease_was_renewed_since(place, ledger, other, monkeypatch):
    claimed(ledger)
    stop_for_a_minute(monkeypatch)
    until(lambda: is_taken_over(place, other))
    asyncio.run(ledger.claim(Claim("another", "r")))
    with pytest.raises(ClaimLost):
        asyncio.run(ledger.confirm(QUESTION))


def test_a_claim_that_nobody_took_over_holds_after_a_stop(ledger, other, monkeypatch):
    claimed(ledger)
    stop_for_a_minute(monkeypatch)
    asyncio.run(ledger.confirm(QUESTION))
    assert claimed(other) is ClaimResult.HELD, "the lease was renewed"
    asyncio.run(ledger.confirm(QUESTION))


def test_a_process_number_that_was_given_out_again_is_another_process(place, ledger):
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    claim_of_another(place, this_machine(), process.pid, "1", expires=1e12)
    assert claimed(ledger) is ClaimResult.TAKEN_OVER
    process.kill()
    process.communicate()


@pytest.mark.parametrize(("left", "result"), [(-1.0, ClaimResult.TAKEN_OVER), (1e9, ClaimResult.HELD)])
def test_the_claim_of_another_machine_holds_as_long_as_its_lease(place, ledger, left, result):
    claim_of_another(place, "elsewhere", 1, "", time.time() + left)
    assert claimed(ledger) is result


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="a clock that cannot be set is on Linux only")
@pytest.mark.parametrize(
    ("expires", "left", "result"),
    [(1e12, -1.0, ClaimResult.TAKEN_OVER), (0.0, 30.0, ClaimResult.HELD)],
    ids=["set back while the process hangs", "set forward"],
)
def test_a_clock_that_is_set_changes_no_lease_of_this_machine(place, ledger, expires, left, result):
    claim_of_another(place, this_machine(), os.getpid(), birth_of(os.getpid()), expires, lease_clock() + left)
    assert claimed(ledger) is result


def test_who_waits_for_an_answer_is_woken_when_it_is_recorded(ledger, other):
    async def wait():
        await ledger.claim(QUESTION)
        waiting = asyncio.create_task(other.claim_ended(QUESTION))
        await ledger.record(call())
        await waiting

    asyncio.run(wait())
    assert other.answered("k") is not None


def test_who_waits_is_woken_when_the_question_is_given_up(ledger, other):
    async def wait():
        await ledger.claim(QUESTION)
        waiting = asyncio.create_task(other.claim_ended(QUESTION))
        ledger.release(QUESTION, answered=False)
        await waiting

    asyncio.run(wait())
    assert claimed(other) is ClaimResult.OURS


def test_many_questions_are_claimed_at_once(ledger, other):
    async def burst(where):
        return await asyncio.gather(*(where.claim(Claim(f"k{number}", "r")) for number in range(1000)))

    assert set(asyncio.run(burst(ledger))) == {ClaimResult.OURS}
    assert set(asyncio.run(burst(other))) == {ClaimResult.HELD}


def test_claims_of_processes_that_ended_long_ago_are_deleted(place):
    with Ledger.open(place) as first:
        claimed(first)
        asyncio.run(first.record(call()))
        first.release(QUESTION, answered=True)
    with Ledger.open(place) as second:
        claimed(second, Claim("another", "r"))
        with sqlite3.connect(place) as database:
            assert database.execute("SELECT count(*) FROM claims").fetchone() == (2,), "the first has ended just now"
    with sqlite3.connect(place) as database:
        database.execute("UPDATE workers SET expires = expires - 90000")
    with Ledger.open(place) as third:
        claimed(third, Claim("a third", "r"))
        with sqlite3.connect(place) as database:
            assert database.execute("SELECT name FROM claims").fetchall() == [("a third",)]
