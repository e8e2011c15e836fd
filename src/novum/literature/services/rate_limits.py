"""The state of a client with one service: its key, its pace, its retries, its budget, and whether it is set aside."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from urllib.parse import quote, quote_plus

from novum.credentials.redaction import redact
from novum.errors import SourceError, SourceUnreachable
from novum.literature.services.failures import FailedRequest, FailureKind, FailureMessages, duration, tried
from novum.literature.services.refusals import explanation
from novum.literature.services.service_budget import ServiceBudget, read_budget
from novum.literature.services.stored_limits import LimitsFile, StoredLimits
from novum.literature.sources.source import Source, key_of

GONE = frozenset({404, 410})
_REFUSED = frozenset({401, 403})
_SPENT = frozenset({402, 429})
_TRIES: Mapping[FailureKind, int] = {"refused": 7, "not connected": 3, "hung": 3, "unreadable": 3, "web page": 2}
"""Fewer where nothing comes at all, or nothing that can be read: more seldom helps, and the user wants to know."""
_FAILURES = 3
"""Failures in a row, of whatever requests, after which a service is set aside."""
_WORTH_STORING = 60.0
"""Seconds for which a service wants to be left alone, from which on another process should know of it."""
_LONGEST_UNDER_WAY = 300.0
"""Seconds after which a request of a process that said nothing more of it is no longer under way."""
LONGEST_REFUSAL = 65_536
"""Bytes of a refusal that are read."""


class CannotAnswerError(SourceError):
    """The service answers, but not this request; perhaps its alternative, which may also be cheaper."""


@dataclass
class Attempt:
    """One request and its tries."""

    began: float
    """When it was first sent, by the clock of the client."""
    tries: int = 0
    cost: float = 0.0
    """In US dollars."""
    reserve: float = 0.0
    """US dollars that must be left after it."""
    name: str = ""
    """Of the try that is under way, among those of all processes; empty where none is or it costs nothing."""
    sent_at: float = 0.0
    """When that was sent, in seconds since 1970."""
    has_alternative: bool = False
    """Whether another request can be sent when the service cannot answer this one."""


class RateLimitState:
    """What one client knows of one service. `clock` gives seconds that only grow, `now` seconds since 1970."""

    def __init__(
        self,
        source: Source,
        environment: Mapping[str, str],
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[object]],
        *,
        contact: str = "",
        patience: float | None = None,
        now: Callable[[], float] = time.time,
        stored: Callable[[str], LimitsFile] | None = None,
        fresh: bool = False,
    ) -> None:
        """`patience`: seconds for which one request may take in all, with its retries; None: the waits of the service's
        own rate limits. `stored` gives the file of the limits for a key; `fresh`: write it, but do not rely on it."""
        self.source = source
        key = key_of(source, environment)
        self.key_name, self.key = (key.name, key.key) if key else ("", "")
        self._in_flight = asyncio.Semaphore(source.rate_limits.width(contact=bool(contact)))
        self._queued = 0
        self._patience = patience
        self._contact = contact
        self._pause = source.rate_limits.pace(key=bool(self.key), contact=bool(contact))
        self._longest_wait = source.rate_limits.patience_of(key=bool(self.key))
        self._clock, self._now, self._sleep = clock, now, sleep
        self._next = clock()
        self._waited = 0.0
        self._failures = 0
        self._random = random.Random(source.name)  # noqa: S311 - spreads tries in time, guards nothing
        self._refused: SourceError | None = None
        self._aside: tuple[float, SourceError] | None = None
        self._budget: ServiceBudget | None = None
        self._budget_read_at = 0.0
        self._under_way: dict[str, float] = {}
        """Costs of requests of this client that were sent, by name."""
        self._stored = stored(self.key) if stored else None
        self._fresh = fresh
        if not fresh:
            self._recall()

    @property
    def is_disabled(self) -> bool:
        """Whether nothing is sent to the service now."""
        return self._error() is not None

    @property
    def budget(self) -> ServiceBudget | None:
        """As the service said last, less the requests under way; None when it said nothing."""
        return self._budget and self._budget.at(self._now()).after(sum(self._under_way.values()))

    @property
    def delay(self) -> float:
        """Seconds until the next request could start; infinite when the service refused us for good."""
        if self._refused:
            return float("inf")
        start = max(self._next, self._aside[0] if self._aside else 0.0) + self._queued * self._pause
        return max(0.0, start - self._clock())

    def check(self) -> None:
        """Raises SourceError while the service is set aside."""
        if error := self._error():
            raise type(error)(str(error))

    def check_budget(self, cost: float, reserve: float, others: float = 0.0) -> None:
        """Raises SourceError when it is known that the rest of the budget does not pay for a request and `reserve`.
        `others`: US dollars for requests of other processes that are under way."""
        budget = self.budget and self.budget.after(others)
        if budget and budget.unit == "USD" and not budget.covers(cost, reserve):
            raise self.error(self._messages.about_the_budget(budget, cost, reserve, self._now()))

    def attempt(self, cost: float = 0.0, reserve: float = 0.0, *, has_alternative: bool = False) -> Attempt:
        """A request that is about to be sent."""
        return Attempt(self._clock(), cost=cost, reserve=reserve, has_alternative=has_alternative)

    def seconds_left(self, attempt: Attempt) -> float | None:
        """Seconds that the request may still take; None: as many as it needs."""
        return None if self._patience is None else max(0.1, attempt.began + self._patience - self._clock())

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waits until one more request may be in flight, and holds its place."""
        self._queued += 1
        try:
            await self._in_flight.acquire()
        finally:
            self._queued -= 1
        try:
            yield
        finally:
            self._in_flight.release()

    async def wait_for_turn(self) -> None:
        """Waits until the pace of the service allows another request."""
        start = max(self._clock(), self._next)
        self._next = start + self._pause
        while (wait := start - self._clock()) > 0:
            await self._sleep(wait)

    def sent(self, attempt: Attempt) -> None:
        """Records that a request is on its way. Raises SourceError where the budget does not pay for it: other requests
        may have been sent since it was checked, also by other processes."""
        attempt.tries += 1
        attempt.sent_at = self._now()
        if attempt.cost:
            name = secrets.token_hex(4)
            self._change(lambda limits: self._with_request(limits, name, attempt))
            attempt.name, self._under_way[name] = name, attempt.cost

    def ended(self, attempt: Attempt) -> None:
        """Records that the try is no longer on its way. What it cost is in the budget, where the service said it."""
        if name := attempt.name:
            attempt.name = ""
            del self._under_way[name]
            self._change(lambda limits: limits.without_request(name))

    def succeeded(self) -> None:
        """Records a success: failures and the time waited after them are counted from 0 again."""
        self._waited, self._failures, self._aside = 0.0, 0, None

    def heard(self, attempt: Attempt, headers: Mapping[str, str], *, refusal: str | None = None) -> None:
        """Reads the budget in the headers of any response, and in the body of a `refusal`."""
        found, now = read_budget(headers, refusal or "", self._now()), self._now()
        if found is None and refusal is None and attempt.cost and self._budget:  # not said what it cost
            found = self._budget.at(now).after(attempt.cost)
        elif found and self._budget and self._budget_read_at > attempt.sent_at:  # overtaken by that of a later request
            known = [each for each in (found.remaining, self._budget.at(now).remaining) if each is not None]
            found = replace(found, remaining=min(known, default=None))
        if found and found != self._budget:
            self._budget, self._budget_read_at = found, now
            self._store()

    def is_spent(self, status: int) -> bool:
        """Whether a refusal with this status means that the budget does not pay for the request."""
        budget = self._budget
        priced = budget is not None and budget.unit == "USD" and budget.cost is not None
        return status in _SPENT and priced and budget is not None and not budget.covers(budget.cost or 0.0)

    def failed(self, failure: FailedRequest, attempt: Attempt) -> None:
        """Delays the next try of a request. Raises SourceError when there must be no next try."""
        self._raise_if_final(failure, attempt)
        self._failures += failure.kind != "unreadable"
        wait = self._backoff(attempt.tries) if failure.wait is None else failure.wait
        if attempt.tries >= self._most_tries(failure.kind):
            raise self._give_up(failure, f"{attempt.tries} times in a row")
        spent, allowed = self._waited, self._longest_wait
        if self._patience is not None:
            spent, allowed = self._clock() - attempt.began, min(self._patience, allowed)
        if spent + wait > allowed:
            named = failure.wait is not None
            raise self._give_up(failure, f"and would have us wait {duration(wait)}" if named else tried(attempt.tries))
        self._waited += wait
        self._next = max(self._next, self._clock() + wait)

    def _most_tries(self, kind: FailureKind) -> int:
        """One repetition is enough where somebody waits and there may be no network at all."""
        return 2 if kind == "not connected" and self._patience is not None else _TRIES[kind]

    def misplaced(self, message: str) -> SourceError:
        """Records that the service is not where it should be. Returns the error to raise."""
        self._failures += 1
        return self._aside_if_failing(self.error(message))

    def refuse(self, message: str) -> SourceError:
        """Sends the service nothing more, as long as the client lives. Returns the error to raise."""
        self._refused = self.error(message)
        return self._refused

    def error(self, message: str) -> SourceError:
        """An error whose message does not show the key."""
        return SourceError(self._without_key(message))

    def message_in(self, body: bytes, status: int = 0) -> str:
        """The message of a refusal, on one line. The key is taken out first: half of it would not be recognised."""
        return explanation(redact(self._without_key(body[:LONGEST_REFUSAL].decode("utf-8", "replace"))), status)

    @property
    def _messages(self) -> FailureMessages:
        return FailureMessages(self.source, self.key_name if self.key else "", bool(self._contact))

    def _error(self) -> SourceError | None:
        if self._aside and self._clock() >= self._aside[0]:
            self._aside = None
        return self._refused or (self._aside[1] if self._aside else None)

    def _raise_if_final(self, failure: FailedRequest, attempt: Attempt) -> None:
        """Raises for what no repetition can change: the key, the money, and a request that cannot be answered."""
        if failure.over_budget and attempt.cost:
            text = self._without_key(self._messages.about_spent(failure, self.budget, self._now()))
            raise CannotAnswerError(text) if attempt.has_alternative else SourceError(text)
        refused = failure.status in _REFUSED and not failure.is_rate_limited
        if refused and not attempt.has_alternative:
            raise self.refuse(self._messages.about_the_key(failure))
        if refused or not failure.is_temporary:
            self._failures = 0
            text = self._messages.about_the_request(failure)
            raise CannotAnswerError(self._without_key(text))

    def _give_up(self, failure: FailedRequest, how: str) -> SourceError:
        """Sets the service aside if it asked for that or keeps failing. Returns the error to raise."""
        if failure.kind == "unreadable":  # of another request it may be readable
            self._failures += 1
            return self._aside_if_failing(self.error(self._messages.about_reading(failure, how)))
        error = self.error(self._messages.about_waiting(failure, how))
        if failure.kind == "not connected":
            error = SourceUnreachable(str(error))
        if not failure.wait:
            return self._aside_if_failing(error)
        return self._set_aside(failure.wait, error)

    def _aside_if_failing(self, error: SourceError) -> SourceError:
        failing = self._failures >= _FAILURES
        return self._set_aside(self.source.rate_limits.set_aside, error, named=False) if failing else error

    def _set_aside(self, seconds: float, error: SourceError, *, named: bool = True) -> SourceError:
        """Sends nothing for so long. Other processes learn of it where the service named the time."""
        self._aside = self._clock() + seconds, error
        if named and seconds >= _WORTH_STORING:
            self._store()
        return error

    def _store(self) -> None:
        now, left = self._now(), self._aside[0] - self._clock() if self._aside else 0.0
        reason = str(self._aside[1]) if self._aside and left >= _WORTH_STORING else ""
        until = now + left if reason else 0.0
        self._change(
            lambda limits: replace(limits, budget=self._budget, read_at=now, set_aside_until=until, reason=reason)
        )

    def _change(self, change: Callable[[StoredLimits], StoredLimits]) -> None:
        """Changes the limits that all processes share."""
        if self._stored:
            self._stored.change(lambda limits: change(limits.at(self._now())))
        else:
            change(StoredLimits())

    def _with_request(self, limits: StoredLimits, name: str, attempt: Attempt) -> StoredLimits:
        """Raises SourceError where the budget, which another process may have read since, does not pay for it."""
        if limits.budget and limits.read_at > self._budget_read_at and not self._fresh:
            self._budget, self._budget_read_at = limits.budget, limits.read_at
        others = [cost for other, (cost, _) in limits.under_way.items() if other not in self._under_way]
        self.check_budget(attempt.cost, attempt.reserve, sum(others))
        return limits.with_request(name, attempt.cost, attempt.sent_at + _LONGEST_UNDER_WAY)

    def _recall(self) -> None:
        """Takes up what an earlier process stored."""
        if not self._stored:
            return
        limits = self._stored.read()
        self._budget, self._budget_read_at = limits.budget, limits.read_at
        left = limits.set_aside_until - self._now()
        if left > 0 and limits.reason:
            self._aside = self._clock() + left, self.error(limits.reason)

    def _without_key(self, text: str) -> str:
        in_json = self.key.replace("/", "\\/")
        for secret in filter(None, (self.key, in_json, quote(self.key), quote_plus(self.key))):
            text = text.replace(secret, "…")
        return text

    def _backoff(self, tries: int) -> float:
        """Seconds: doubled with each try, with some randomness."""
        return float(2 ** (tries - 1)) * self._random.uniform(1.0, 1.5)
