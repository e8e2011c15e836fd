"""Keeping to what a model's server allows: calls in flight, requests and tokens per minute, pauses it asks for."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """None: no limit of that kind; for `in_flight`, the provider's usual."""

    in_flight: int | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


_IN_FLIGHT = 32
"""Calls at once where nobody says."""


class Bucket:
    """A token bucket that starts with ten seconds' worth and fills at `per_minute` / 60 a second.

    Ten seconds, not a minute: a full minute's burst and then steady flow is nearly twice the limit in the first minute.
    """

    def __init__(self, per_minute: float) -> None:
        self._rate = per_minute / 60
        self._level = self._capacity = max(per_minute / 6, 1.0)
        self._at: float | None = None

    def take(self, amount: float, now: float) -> float:
        """Takes `amount`, going into debt if need be; returns the seconds to wait before using it."""
        if self._at is not None:
            self._level = min(self._capacity, self._level + (now - self._at) * self._rate)
        self._at = now
        self._level -= amount
        return max(0.0, -self._level / self._rate)

    def give_back(self, amount: float) -> None:
        """Returns what was taken and not used (negative: more was used)."""
        self._level = min(self._capacity, self._level + amount)


class Places:
    """So many at once. Who is furthest behind comes first: runs that share a model then end together, not one by one
    with a long tail in which there is too little left to ask.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = itertools.count()

    @asynccontextmanager
    async def place(self, asked: int) -> AsyncIterator[None]:
        """Waits for a place, before all who have `asked` more already."""
        if self._free:
            self._free -= 1
        else:
            await self._queue(asked)
        try:
            yield
        finally:
            self._hand_on()

    async def _queue(self, asked: int) -> None:
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (asked, next(self._arrivals), granted))
        try:
            await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self._hand_on()
            raise

    def _hand_on(self) -> None:
        while self._waiting:
            *_, granted = heapq.heappop(self._waiting)
            if not granted.done():
                granted.set_result(None)
                return
        self._free += 1


class Limiter:
    """One per model: every call passes through `slot`."""

    def __init__(self, limits: Limits) -> None:
        self._places = Places(limits.in_flight or _IN_FLIGHT)
        self._requests = Bucket(limits.requests_per_minute) if limits.requests_per_minute else None
        self._tokens = Bucket(limits.tokens_per_minute) if limits.tokens_per_minute else None
        self._resume_at = 0.0

    @asynccontextmanager
    async def slot(self, expected_tokens: int, asked: int = 0) -> AsyncIterator[None]:
        """Waits until one more call of about `expected_tokens` is allowed, and holds its place.

        `asked`: how many questions the run has behind it; when places are short, few come before many.
        """
        async with self._places.place(asked):
            await self._wait(expected_tokens)
            yield

    def correct(self, expected_tokens: int, used_tokens: int) -> None:
        """Settles the difference once the answer says how many tokens it took."""
        if self._tokens is not None:
            self._tokens.give_back(expected_tokens - used_tokens)

    def pause(self, seconds: float) -> None:
        """No new call for that long: the server asked all of us to wait."""
        self._resume_at = max(self._resume_at, asyncio.get_running_loop().time() + seconds)

    async def _wait(self, expected_tokens: int) -> None:
        now = asyncio.get_running_loop().time()
        waits = [
            bucket.take(amount, now)
            for bucket, amount in ((self._requests, 1), (self._tokens, expected_tokens))
            if bucket
        ]
        if wait := max([*waits, 0.0]):
            await asyncio.sleep(wait)
        while (left := self._resume_at - asyncio.get_running_loop().time()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(left)  # the pause may have grown meanwhile
