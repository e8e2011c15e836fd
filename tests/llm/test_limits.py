"""Limits: what is in flight counts."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core.concurrency import run_concurrently
from novum.llm import Limits
from novum.llm.limits import Limiter, RateBucket


@given(st.lists(st.floats(0, 0.5), min_size=30, max_size=120))
def test_no_minute_sees_more_requests_than_allowed_and_a_sixth(pauses):
    bucket, now, starts = RateBucket(per_minute=60), 0.0, []
    for pause in pauses:
        now += pause
        starts.append(now + bucket.take(1, now))
    for start in starts:
        assert sum(start <= other < start + 60 for other in starts) <= 60 + 10 + 1


def test_what_was_reserved_and_not_used_is_given_back():
    bucket = RateBucket(per_minute=60)
    assert bucket.take(10, 0.0) == 0
    bucket.give_back(9)
    assert bucket.take(9, 0.0) == 0
    assert bucket.take(1, 0.0) == pytest.approx(1.0)


def test_no_more_calls_are_in_flight_than_allowed():
    async def crowd():
        limiter, inside, most = Limiter(Limits(in_flight=3)), 0, 0

        async def call():
            nonlocal inside, most
            async with limiter.slot(1):
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0)
                inside -= 1

        await run_concurrently(call() for _ in range(20))
        return most

    assert asyncio.run(crowd()) == 3


def test_when_places_are_short_the_run_furthest_behind_comes_first():
    async def crowd():
        limiter, order = Limiter(Limits(in_flight=1)), []

        async def call(asked):
            async with limiter.slot(1, asked):
                order.append(asked)
                await asyncio.sleep(0)

        await run_concurrently(call(asked) for asked in (5, 9, 1, 7, 0))
        return order

    assert asyncio.run(crowd()) == [5, 0, 1, 7, 9]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.sets(st.integers(0, 11)))
def test_who_gives_up_waiting_leaves_no_place_lost(asked, cancelled):
    async def crowd():
        limiter = Limiter(Limits(in_flight=2))

        async def call(number):
            async with limiter.slot(1, number):
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(call(number)) for number in asked]
        await asyncio.sleep(0)
        for index, task in enumerate(tasks):
            if index in cancelled:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with asyncio.timeout(600), limiter.slot(1), limiter.slot(1):
            return True

    assert asyncio.run(crowd())
