"""Budgets: every request that may have reached the server counts, whatever becomes of it and of the process."""

from __future__ import annotations

import asyncio
import itertools
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.llm.asking_process import ask_all, started
from tests.llm.conftest import Bench
from tests.observed import kill, until

from novum.core.concurrency import run_concurrently
from novum.errors import BudgetSpent, ModelError
from novum.ledger import Call, Ledger
from novum.ledger.accounts import CallCost
from novum.llm import Budget, BudgetGuard
from novum.llm.tries import TryOutcome
from novum.testing import ReceivedRequest, ScriptedAnswer, ScriptedServer


async def request(guard: BudgetGuard, worst: CallCost, outcome: TryOutcome, status: int | None = None) -> None:
    """One request of a call that costs `worst` at most and ends so."""
    async with guard.call(worst) as call, call.around_try(1) as record:
        await asyncio.sleep(0)
        record.outcome, record.status = outcome, status


def spent_by(folder: Path, budget: Budget, *outcomes: tuple[TryOutcome, int | None]) -> int:
    """How many requests a budget lets through, one after another; each may cost 10 tokens."""

    async def work() -> int:
        for number, (outcome, status) in enumerate(outcomes):
            try:
                await request(guard, CallCost(tokens=10), outcome, status)
            except BudgetSpent:
                return number
        return len(outcomes)

    with Ledger.open(folder / "ledger.sqlite") as ledger:
        guard = BudgetGuard.opened(budget, ledger.account("run"))
        return asyncio.run(work())


@pytest.mark.parametrize(
    ("outcome", "status", "budget", "allowed"),
    [
        ("lost", None, Budget(calls=2), 2),
        ("unknown", None, Budget(calls=2), 2),
        ("unreadable", 200, Budget(tokens=25), 2),
        ("rejected", 500, Budget(tokens=25), 2),
        ("rejected", 429, Budget(calls=2), 2),
        ("rejected", 429, Budget(tokens=25), 5),
        ("rejected", 307, Budget(tokens=25), 5),
        ("rejected", 307, Budget(calls=2), 2),
        ("not sent", None, Budget(calls=2, tokens=25), 5),
    ],
)
def test_a_request_counts_by_how_it_ended(tmp_path, outcome, status, budget, allowed):
    assert spent_by(tmp_path, budget, *[(outcome, status)] * 5) == allowed


def concurrent_calls(ledger: Ledger, budget: Budget, costs: list[tuple[CallCost, CallCost]]) -> int:
    """How many of calls that cost `costs` (worst, real) a budget lets through, all requested at once."""

    async def work() -> int:
        guard = BudgetGuard.opened(budget, ledger.account("run"))

        async def call(number: int, worst: CallCost, real: CallCost) -> int:
            try:
                async with guard.call(worst) as meter:
                    async with meter.around_try(1) as record:
                        await asyncio.sleep(0)
                        record.outcome = "answered"
                    await ledger.record(answer(f"call-{number}"), meter.answered(real))
            except BudgetSpent:
                return 0
            return 1

        return sum(await run_concurrently(call(number, *pair) for number, pair in enumerate(costs)))

    return asyncio.run(work())


def answer(key: str, tokens: int = 0) -> Call:
    known = {"prompt": "p", "prompt_version": 1, "prompt_digest": "d", "model": "m", "sample": 0, "settings": "{}"}
    return Call(run_id="run", key=key, messages="[]", returns="str", answer="a", prompt_tokens=tokens, **known)


def test_calls_in_flight_count_at_their_worst_but_give_back_what_they_did_not_use(tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        costs = [(CallCost(tokens=60), CallCost(tokens=20))] * 3
        assert concurrent_calls(ledger, Budget(tokens=100), costs) == 3


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), max_size=30), st.integers(1, 200))
@settings(deadline=None, max_examples=30)
def test_a_budget_is_never_exceeded(costs, limit):
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "ledger.sqlite") as ledger:
        pairs = [(CallCost(tokens=max(pair)), CallCost(tokens=min(pair))) for pair in costs]
        concurrent_calls(ledger, Budget(tokens=limit), pairs)
        accounts = ledger.account("run").total()
    assert accounts.tokens <= limit


def test_what_earlier_sessions_and_earlier_versions_spent_counts(tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        asyncio.run(ledger.record(answer("k", tokens=7)))
        with ledger._engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM accounts")  # an earlier version had none
        asyncio.run(ledger.record(answer("l", tokens=7)))
        BudgetGuard.opened(Budget(), ledger.account("run"))
        assert ledger.account("run").total() == CallCost(tokens=14, calls=2)
        assert concurrent_calls(ledger, Budget(calls=5), [(CallCost(), CallCost())] * 4) == 3


def test_unreported_tokens_that_an_earlier_version_recorded_count_at_their_worst(tmp_path):
    changes = {"messages": "x" * 60, "settings": '{"max_tokens": 100}'}
    calls = [answer("k", tokens=7).model_copy(update=changes), answer("l").model_copy(update=changes)]
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        asyncio.run(ledger.record(calls[0]))
        asyncio.run(ledger.record(calls[1].model_copy(update={"prompt_tokens": None, "completion_tokens": 3})))
        expected = CallCost(tokens=7 + 100 + 60 + 3, calls=2)
        assert ledger.account("run").total() == expected
        with ledger._engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM accounts")
        assert ledger.account("run").total() == expected


def test_the_refusal_says_what_to_raise(tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        guard = BudgetGuard.opened(Budget(calls=0), ledger.account("run"))
        with pytest.raises(BudgetSpent, match=r"all 0 calls made.*--budget-calls"):
            asyncio.run(request(guard, CallCost(), "lost"))


def test_a_cancelled_reservation_is_given_back(tmp_path):
    async def work(ledger: Ledger) -> None:
        guard = BudgetGuard.opened(Budget(calls=1), ledger.account("run"))
        waiting = asyncio.create_task(guard.reserve(CallCost()))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await request(guard, CallCost(), "lost")

    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        asyncio.run(work(ledger))


def faults(seed: int) -> Callable[[ReceivedRequest], ScriptedAnswer]:
    """Answers, cut connections, errors, web pages and refusals in a random order."""
    draw = random.Random(seed)
    kinds = [
        ScriptedAnswer("yes"),
        ScriptedAnswer("yes"),
        ScriptedAnswer(drop=True),
        ScriptedAnswer("overloaded", status=503),
        ScriptedAnswer(raw="<html>wait</html>"),
        ScriptedAnswer("slow down", status=429, headers={"Retry-After": "0"}),
    ]
    return lambda received: draw.choice(kinds)


@pytest.mark.parametrize("seed", range(3))
def test_dropped_connections_and_errors_count(grading, serve, seed):
    server = serve(faults(seed))

    async def work(models):
        with pytest.raises((BaseExceptionGroup, BudgetSpent, ModelError)):
            await ask_all(models, 60)

    grading.run(grading.settings(server.model), work, budget=Budget(calls=30))
    assert len(server.asked) <= 30


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), kills=st.lists(st.integers(1, 60), min_size=1, max_size=3))
@settings(deadline=None, max_examples=6)
def test_the_server_never_sees_more_than_the_budget_whatever_is_killed(seed, kills):
    with tempfile.TemporaryDirectory() as folder, ScriptedServer(faults(seed), latency=0.02) as server:
        bench = Bench(Path(folder))
        run_id = bench.ledger.start_run("test", "a test", {}).id
        bench.ledger.close()
        for after in itertools.accumulate(kills):
            process = started(Path(folder), server.model, run_id, 120, 30, 80)
            until(lambda limit=after: len(server.asked) >= limit, process)
            kill(process)
        ended = started(Path(folder), server.model, run_id, 120, 30, 80)
        _, errors = ended.communicate(timeout=300)
        assert not errors
        assert len(server.asked) <= 80
        with Ledger.open(Path(folder) / "ledger.sqlite") as ledger:
            recorded, unsettled = len(ledger.calls(run_id)), ledger.unsettled(run_id)
            assert unsettled.under_way == 0
            assert len(server.asked) <= recorded + unsettled.spent <= 80


@pytest.mark.slow
def test_processes_at_work_on_one_run_share_its_budget(tmp_path):
    with ScriptedServer(lambda received: ScriptedAnswer("yes"), latency=0.02) as server:
        bench = Bench(tmp_path)
        run_id = bench.ledger.start_run("test", "a test", {}).id
        bench.ledger.close()
        processes = [started(tmp_path, server.model, run_id, 100, 20, 50) for _ in range(3)]
        assert [each.communicate(timeout=300)[1] for each in processes] == [""] * 3
        assert len(server.asked) == 50
