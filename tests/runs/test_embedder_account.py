"""What a remote embedder is asked during a run is recorded, paid for by the run, and not paid for twice."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from tests.literature.conftest import ATTENTION, COOKING, FOLDING, entry
from tests.local_service import Said, Service, said

from novum.errors import BudgetSpent, NovumError
from novum.lab import Workplace
from novum.llm.budget import Budget
from novum.llm.embeddings import RemoteEmbedder, SpendingLimit
from novum.llm.prices import PriceTable
from novum.settings import load_settings

TOKENS = 7


def vectors(count):
    rows = [{"index": row, "embedding": [1.0 + row, 2.0 - row, 0.5]} for row in range(count)]
    return said({"data": rows, "usage": {"prompt_tokens": TOKENS * count}})


@pytest.fixture
def service():
    """An embedding model: three papers at first, then one text a request."""
    running = Service()
    running.on("/v1/embeddings", vectors(3), vectors(1))
    yield running
    running.close()


@pytest.fixture
def opened(tmp_path, service):
    def workplace(**more):
        model = f"server:embedding@{service.address}/v1"
        given = {"home": str(tmp_path), "embedder": model, "writer": "offline:smollm2-135m"}
        return Workplace(load_settings(given | more, environment={}, folder=tmp_path))

    return workplace


async def searched(place, run_id=None, fresh=False, text="attention"):
    """Searches as a run, and returns the run's record and the hits."""
    record = place.ledger.run(run_id) if run_id else place.ledger.start_run("test", "a run", {})
    lab = place.lab(record, fresh=fresh)
    hits = await lab.library.search(text, 3)
    await place.ledger.written()
    return record, hits


def in_workplace(opened, job, **settings):
    async def work():
        async with opened(**settings) as place:
            if place.library.is_empty():
                place.library.add([entry(ATTENTION), entry(FOLDING), entry(COOKING)])
            return await job(place)

    return asyncio.run(work())


def test_requests_of_a_run_are_in_its_ledger_and_its_account(opened):
    async def job(place):
        record, _ = await searched(place)
        return place.ledger.calls(record.id), place.ledger.spend(record.id), place.ledger.account(record.id).total()

    calls, spend, account = in_workplace(opened, job)
    assert [(call.prompt, call.prompt_tokens) for call in calls] == [("embedding", 3 * TOKENS), ("embedding", TOKENS)]
    assert (spend.calls, account.calls, account.tokens) == (2, 2, 4 * TOKENS)
    assert "3 papers" in calls[0].messages
    assert "attention" in calls[1].messages


def test_a_resumed_run_gets_the_same_vector_and_asks_nothing(opened, service):
    record, hits = in_workplace(opened, searched)
    asked = len(service.asked)
    _, again = in_workplace(opened, lambda place: searched(place, record.id))
    assert again == hits
    assert len(service.asked) == asked == 2
    in_workplace(opened, lambda place: searched(place, fresh=True))
    assert len(service.asked) == 3


def test_a_run_stops_before_its_budget_is_passed(opened, service):
    with pytest.raises(BudgetSpent, match="--budget-calls"):
        in_workplace(opened, searched, budget_calls=1)
    assert len(service.asked) == 1


def test_a_dollar_budget_needs_a_price(opened, service):
    priced = {"prices": {"server:embedding": {"input_per_million": 1e6, "output_per_million": 0}}}
    with pytest.raises(BudgetSpent, match="--budget-usd"):
        in_workplace(opened, searched, budget_usd=3.0, **priced)
    assert service.asked == []


def test_outside_of_runs_the_budget_of_the_settings_holds_too(opened, service):
    async def job(place):
        await place.library.search("attention", 3)

    with pytest.raises(BudgetSpent):
        in_workplace(opened, job, budget_calls=1)
    assert len(service.asked) == 1


@pytest.mark.parametrize("fault", [Said(status=500), Said(status=429, headers={"Retry-After": "0.01"})])
def test_outside_of_runs_each_try_counts(opened, service, fault):
    service.on("/v1/embeddings", *[fault] * 20)

    async def job(place):
        await place.library.search("attention", 3)

    with pytest.raises(BudgetSpent, match="all 2 calls made"):
        in_workplace(opened, job, budget_calls=2)
    assert len(service.asked) == 2


@pytest.mark.parametrize("wrong", ["[1, 2]", "[NaN, 1, 2]", "[1e39, 1, 2]"])
def test_a_vector_that_cannot_be_used_is_not_recorded(opened, service, wrong):
    in_workplace(opened, searched)
    service.on("/v1/embeddings", Said(f'{{"data": [{{"index": 0, "embedding": {wrong}}}]}}'.encode()))
    with pytest.raises(NovumError):
        in_workplace(opened, partial(searched, text="cooking"), deadline_seconds=0.5)
    service.on("/v1/embeddings", vectors(1))
    _, hits = in_workplace(opened, partial(searched, text="cooking"))
    assert len(hits) == 3


def test_a_limit_counts_what_the_server_counted(opened):
    async def job(place):
        return place.library.embedder.model

    limit = SpendingLimit(Budget(tokens=100), PriceTable(), in_workplace(opened, job))
    for _ in range(9):
        limit.reserve(20)
        limit.settle(20, 10)
    with pytest.raises(BudgetSpent):
        limit.reserve(11)
    limit.reserve(10)
    with pytest.raises(BudgetSpent):
        limit.check(1, 1)


def test_the_embedder_belongs_to_no_run_before_one_begins(opened):
    async def job(place):
        assert isinstance(place.library.embedder, RemoteEmbedder)
        return place.library.embedder.account

    assert in_workplace(opened, job) is None
