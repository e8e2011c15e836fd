"""Limits of a model's server: calls in flight, requests and tokens per minute, and pauses that it requests."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """None: no limit of that kind; for `in_flight`, the provider's usual."""

    in_flight: int | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


_IN_FLIGHT = 32
"""Calls at the same time, unless set otherwise."""


class RateBucket:
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


class ConcurrencySlots:
    """A number of slots. The run with the fewest answers gets the next one: so runs that share a model end together,
    not one after another with too few requests at the end to use all slots.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._queue: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = itertools.count()

    async def acquire(self, answers: int) -> None:
        """Waits for a slot, before all whose run has more `answers`. `release` gives it back."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(answers)

    def release(self) -> None:
        """Gives a slot to whoever is next in the queue."""
        while self._queue:
            *_, granted = heapq.heappop(self._queue)
            if not granted.done():
                granted.set_result(None)
                return
        self._free += 1

    async def _wait(self, answers: int) -> None:
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (answers, next(self._arrivals), granted))
        try:
            await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self.release()
            raise


class Limiter:
    """One per model: every call passes through `slot`."""

    def __init__(self, limits: Limits) -> None:
        self._slots = ConcurrencySlots(limits.in_flight or _IN_FLIGHT)
        self._requests = RateBucket(limits.requests_per_minute) if limits.requests_per_minute else None
        self._tokens = RateBucket(limits.tokens_per_minute) if limits.tokens_per_minute else None
        self._resume_at = 0.0

    def slot(self, expected_tokens: int, answers: int = 0) -> Slot:
        """For `async with`: waits until one more call of about `expected_tokens` is allowed, and holds its slot.

        `answers`: how many answers the run has; when slots are short, the run with the fewest comes first.
        """
        return Slot(self, expected_tokens, answers)

    def correct(self, expected_tokens: int, used_tokens: int) -> None:
        """Settles the difference once the answer says how many tokens it took."""
        if self._tokens is not None:
            self._tokens.give_back(expected_tokens - used_tokens)

    def pause(self, seconds: float) -> None:
        """Starts no new call for that long, since the server asks all callers to wait."""
        self._resume_at = max(self._resume_at, asyncio.get_running_loop().time() + seconds)

    async def enter(self, expected_tokens: int, answers: int) -> None:
        """Waits for a slot and for what the limits allow; `leave` releases the slot."""
        await self._slots.acquire(answers)
        try:
            await self._wait(expected_tokens)
        except BaseException:  # also a cancelled wait must free its slot; the error goes on to the caller
            self.leave()
            raise

    def leave(self) -> None:
        """Releases the slot of one call."""
        self._slots.release()

    async def _wait(self, expected_tokens: int) -> None:
        if self._requests or self._tokens:
            await self._wait_for_buckets(expected_tokens)
        while (left := self._resume_at - asyncio.get_running_loop().time()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(left)  # the pause may have grown meanwhile

    async def _wait_for_buckets(self, expected_tokens: int) -> None:
        now = asyncio.get_running_loop().time()
        waits = [
            bucket.take(amount, now)
            for bucket, amount in ((self._requests, 1), (self._tokens, expected_tokens))
            if bucket
        ]
        if wait := max([*waits, 0.0]):
            await asyncio.sleep(wait)


class Slot:
    """The slot of one call at a limiter. A class, as the context of a generator costs several times as much."""

    __slots__ = ("_answers", "_expected_tokens", "_limiter")

    def __init__(self, limiter: Limiter, expected_tokens: int, answers: int) -> None:
        self._limiter = limiter
        self._expected_tokens = expected_tokens
        self._answers = answers

    async def __aenter__(self) -> None:
        await self._limiter.enter(self._expected_tokens, self._answers)

    async def __aexit__(self, *_: object) -> None:
        self._limiter.leave()
