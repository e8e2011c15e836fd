"""Keeping to what a model's server allows: calls in flight, requests and tokens per minute, pauses it asks for."""

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
"""Calls at once where nobody says."""


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
    """So many at once. Who is furthest behind comes first: runs that share a model then end together, not one by one
    with a long tail in which there is too little left to ask.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = itertools.count()

    async def take(self, asked: int) -> None:
        """Waits for a place, before all who have `asked` more already. Whoever has it hands it on."""
        if self._free:
            self._free -= 1
        else:
            await self._queue(asked)

    def hand_on(self) -> None:
        """To who comes next; free where nobody waits."""
        while self._waiting:
            *_, granted = heapq.heappop(self._waiting)
            if not granted.done():
                granted.set_result(None)
                return
        self._free += 1

    async def _queue(self, asked: int) -> None:
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (asked, next(self._arrivals), granted))
        try:
            await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self.hand_on()
            raise


class Limiter:
    """One per model: every call passes through `slot`."""

    def __init__(self, limits: Limits) -> None:
        self._places = ConcurrencySlots(limits.in_flight or _IN_FLIGHT)
        self._requests = RateBucket(limits.requests_per_minute) if limits.requests_per_minute else None
        self._tokens = RateBucket(limits.tokens_per_minute) if limits.tokens_per_minute else None
        self._resume_at = 0.0

    def slot(self, expected_tokens: int, asked: int = 0) -> Slot:
        """For `async with`: waits until one more call of about `expected_tokens` is allowed, and holds its place.

        `asked`: how many questions the run has behind it; when places are short, few come before many.
        """
        return Slot(self, expected_tokens, asked)

    def correct(self, expected_tokens: int, used_tokens: int) -> None:
        """Settles the difference once the answer says how many tokens it took."""
        if self._tokens is not None:
            self._tokens.give_back(expected_tokens - used_tokens)

    def pause(self, seconds: float) -> None:
        """No new call for that long: the server asked all of us to wait."""
        self._resume_at = max(self._resume_at, asyncio.get_running_loop().time() + seconds)

    async def enter(self, expected_tokens: int, asked: int) -> None:
        """Waits for a place and for what the limits allow; `leave` gives the place up again."""
        await self._places.take(asked)
        try:
            await self._wait(expected_tokens)
        except BaseException:  # also a cancelled wait must free its slot; the error goes on to the caller
            self.leave()
            raise

    def leave(self) -> None:
        """Gives the place of one call up."""
        self._places.hand_on()

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
    """One call's place at a limiter. A class, as a generator's context costs several times as much for every call."""

    __slots__ = ("_asked", "_expected_tokens", "_limiter")

    def __init__(self, limiter: Limiter, expected_tokens: int, asked: int) -> None:
        self._limiter = limiter
        self._expected_tokens = expected_tokens
        self._asked = asked

    async def __aenter__(self) -> None:
        await self._limiter.enter(self._expected_tokens, self._asked)

    async def __aexit__(self, *_: object) -> None:
        self._limiter.leave()
