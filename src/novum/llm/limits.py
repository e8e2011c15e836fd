"""Keeping to what a model's server allows: calls in flight, requests and tokens per minute, pauses it asks for."""

from __future__ import annotations

import asyncio
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


class Limiter:
    """One per model: every call passes through `slot`."""

    def __init__(self, limits: Limits) -> None:
        self._places = asyncio.Semaphore(limits.in_flight or _IN_FLIGHT)
        self._requests = Bucket(limits.requests_per_minute) if limits.requests_per_minute else None
        self._tokens = Bucket(limits.tokens_per_minute) if limits.tokens_per_minute else None
        self._resume_at = 0.0

    @asynccontextmanager
    async def slot(self, expected_tokens: int) -> AsyncIterator[None]:
        """Waits until one more call of about `expected_tokens` is allowed, and holds its place."""
        async with self._places:
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
