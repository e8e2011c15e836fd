"""Tries of one call: what is recorded of each, how long each may take, and how long to wait before the next."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Literal

TryOutcome = Literal["unknown", "answered", "rejected", "not sent", "unreadable", "lost"]
"""`rejected`: the server answered with an error; `not sent`: there was no connection, so nothing can have been billed;
`unreadable`: an answer that cannot be used; `lost`: no complete response; `unknown`: cancelled. The last three may have
been billed."""


@dataclass
class TryRecord:
    """What is known of one try, filled in while it runs."""

    number: int
    """1 for the first try of a call."""
    outcome: TryOutcome = "unknown"
    status: int | None = None
    """HTTP status; None without a response."""
    finished: float | None = None
    """Unix time of the last byte of the response; None where it did not come."""
    reason: str = ""
    """Why it failed."""

    @property
    def is_refusal(self) -> bool:
        """Whether the server refused the request or redirected it, which costs no tokens."""
        return self.outcome == "rejected" and self.status is not None and 300 <= self.status < 500


AroundTry = Callable[[int], AbstractAsyncContextManager[TryRecord]]
"""Is entered before each try, whose number it gets, and left after it, also when it fails or is cancelled. An error
that it raises on entry ends the call before anything is sent."""


@asynccontextmanager
async def without_record(number: int) -> AsyncIterator[TryRecord]:
    """For calls of which nothing is recorded."""
    yield TryRecord(number)


@dataclass(eq=False)
class TemporaryFailure(Exception):
    """A try failed, and another may succeed."""

    reason: str
    outcome: TryOutcome
    wait: float | None = None
    """Seconds that the server asks us to wait; None: it does not say."""
    is_rate_limit: bool = False
    """Whether all requests to the model have to wait."""
    hung: bool = False
    """Whether the try was ended by a time limit."""


_LARGEST_SHARE, _SMALLEST_SHARE = 0.85, 0.1
"""Of the deadline, for one try."""
_FACTOR = 2.0


class Pace:
    """How fast a server's answers came, and from that how long the next may take.

    Answers are not streamed: nothing arrives until the whole answer is written, so a slow model and a request that
    hangs look the same until then.
    """

    def __init__(self) -> None:
        self.has_answered = False
        """Whether there was ever a good answer."""
        self._slowest = 0.0
        self._seconds = 0.0
        self._tokens = 0

    def add(self, seconds: float, tokens: int | None) -> None:
        """Counts a good answer of `tokens` tokens (None: not reported)."""
        self.has_answered = True
        self._slowest = max(self._slowest, seconds)
        if tokens:
            self._seconds += seconds
            self._tokens += tokens

    def limit(self, deadline: float, remaining: float, max_tokens: int, hung: int = 0) -> float:
        """Seconds for one try of a call that has `remaining` seconds of its `deadline` left, and of which `hung` tries
        were ended by their limit.

        Twice the slowest answer so far plus the time of an answer of `max_tokens` at the mean pace so far, doubled
        with each try that was ended; at least a tenth of the deadline, and at most 85 % of what remains, so that there
        is time for another try. Where the pace is not known, 85 %.
        """
        shortest, longest = _SMALLEST_SHARE * deadline, _LARGEST_SHARE * remaining
        expected = self._expected(max_tokens)
        wanted = longest if expected is None else max(_FACTOR * expected, shortest) * 2**hung
        return min(max(min(wanted, longest), shortest), remaining)

    def _expected(self, max_tokens: int) -> float | None:
        """Seconds of an answer that is both long and slow."""
        if not self._slowest or (max_tokens and not self._tokens):
            return None
        return self._slowest + (max_tokens * self._seconds / self._tokens if max_tokens else 0.0)


def growing_wait(tries: int, first: float, longest: float) -> float:
    """Seconds before the next try after `tries` failures: doubled each time, and spread, so that callers do not come
    back all at once."""
    return float(min(first * 2.0 ** (tries - 1), longest)) * random.uniform(0.5, 1.0)  # noqa: S311  # not a secret
