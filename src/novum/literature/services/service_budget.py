"""What a service says of the requests that it still answers: its limit, what is left of it, and when it starts anew."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from novum.http.retry_after import retry_after

_AMOUNT = re.compile(r"costs \$(\d[\d.]*) but you only have \$(\d[\d.]*) ")
"""OpenAlex's refusal where its headers are lost on the way."""
_LEFT_IN_BODY = re.compile(r'"dailyRemainingUsd"\s*:\s*(\d[\d.eE+-]*)')
_WAIT_IN_BODY = re.compile(r'"retryAfter"\s*:\s*(\d+)')
_DAY = 86_400.0
LONGEST_PERIOD = 31 * _DAY
"""Seconds. No service counts by more than a month: a later reset is a mistake."""
_FIRST_UNIX_TIME = 1e8
"""A reset larger than this is a point in time, not a number of seconds."""
Unit = Literal["USD", "requests"]


@dataclass(frozen=True)
class ServiceBudget:
    """The allowance of one client at one service. Amounts are in `unit`; None is unknown."""

    unit: Unit = "USD"
    limit: float | None = None
    """Amount from one reset to the next, usually a day."""
    remaining: float | None = None
    cost: float | None = None
    """Of the last request, also of one that was refused."""
    resets_at: float | None = None
    """Seconds since 1970."""

    def at(self, now: float) -> ServiceBudget:
        """The budget at a later time: after the reset, the whole limit is left."""
        if self.resets_at is None or now < self.resets_at:
            return self
        return replace(self, remaining=self.limit, resets_at=None)

    def after(self, cost: float) -> ServiceBudget:
        """The budget while a request of this cost is on its way."""
        left = None if self.remaining is None else max(0.0, self.remaining - cost)
        return replace(self, remaining=left)

    def seconds_to_reset(self, now: float) -> float | None:
        """Seconds until the whole limit is left again."""
        return None if self.resets_at is None else max(0.0, self.resets_at - now)

    def covers(self, cost: float, reserve: float = 0.0) -> bool:
        """Whether a request of this cost leaves at least `reserve`; True for a free one and where nothing is known."""
        if cost <= 0 or self.remaining is None:
            return True
        return self.remaining - cost >= reserve - 1e-9

    def __str__(self) -> str:
        """`$0.0990 of $0.10 left`, `12 of 100 requests left`."""
        if self.remaining is None:
            return "nothing is known of what is left"
        of = f" of {self._amount(self.limit)}" if self.limit is not None else ""
        return f"{self._amount(self.remaining)}{of}{' requests' if self.unit == 'requests' else ''} left"

    def _amount(self, value: float) -> str:
        return dollars(value) if self.unit == "USD" else f"{value:,.0f}"


def dollars(amount: float) -> str:
    """`$0`, `$0.0007`, `$0.10`, `$1.00`: with as many digits as a small price needs."""
    if amount == 0:
        return "$0"
    return f"${amount:,.2f}" if round(amount, 2) == round(amount, 4) else f"${amount:,.4f}"


def clock_time(unix: float) -> str:
    """`14:05 UTC`."""
    return f"{dt.datetime.fromtimestamp(unix, dt.UTC):%H:%M} UTC"


def read_budget(headers: Mapping[str, str], body: str, now: float) -> ServiceBudget | None:
    """The budget in the headers of a response, and in the `body` of a refusal; None when there is none.

    Headers: `X-RateLimit-Limit-USD`, `-Remaining-USD`, `-Cost-USD` and `-Cost-Required-USD` (OpenAlex), otherwise
    `X-RateLimit-Limit` and `-Remaining` in requests. The reset is in `X-RateLimit-Reset`, in the words "midnight UTC",
    or in `Retry-After`; otherwise dollars are taken to be those of a day. Names may be written in any case.
    """
    named = {name.lower(): value for name, value in headers.items()}
    found = _in_dollars(named, body) or _in_requests(named)
    reset = _reset(named, body, now)
    if reset is None and found and found.unit == "USD":
        reset = _next_midnight(now)
    return found and replace(found, resets_at=reset)


def _in_dollars(named: Mapping[str, str], body: str) -> ServiceBudget | None:
    """A refusal that names a price and no rest means that nothing is left of use."""
    limit = _amount(named.get("x-ratelimit-limit-usd"))
    required = _amount(named.get("x-ratelimit-cost-required-usd"))
    stated, in_body = _AMOUNT.search(body), _LEFT_IN_BODY.search(body)
    left = _first(
        named.get("x-ratelimit-remaining-usd"),
        in_body and in_body.group(1),
        stated and stated.group(2),
        None if required is None else "0",
    )
    if limit is None and left is None:
        return None
    prepaid = _amount(named.get("x-ratelimit-prepaid-remaining-usd"))
    left = left if left is None or not prepaid else left + prepaid
    cost = _first(stated and stated.group(1)) if required is None else required
    return ServiceBudget("USD", limit, left, _first(named.get("x-ratelimit-cost-usd")) if cost is None else cost)


def _first(*values: str | None) -> float | None:
    """The first of several texts that is an amount."""
    return next((amount for value in values if (amount := _amount(value)) is not None), None)


def _in_requests(named: Mapping[str, str]) -> ServiceBudget | None:
    left = _amount(named.get("x-ratelimit-remaining"))
    return None if left is None else ServiceBudget("requests", _amount(named.get("x-ratelimit-limit")), left, 1.0)


def _reset(named: Mapping[str, str], body: str, now: float) -> float | None:
    stated = _amount(named.get("x-ratelimit-reset"))
    if stated is not None:
        return min(stated if stated > _FIRST_UNIX_TIME else now + stated, now + LONGEST_PERIOD)
    if "midnight utc" in body.lower():
        return _next_midnight(now)
    wait = retry_after({"Retry-After": named.get("retry-after", ""), "Date": named.get("date", "")})
    in_body = _WAIT_IN_BODY.search(body)
    if wait is None and in_body:
        wait = _amount(in_body.group(1))
    return None if wait is None else now + wait


def _next_midnight(now: float) -> float:
    """In UTC, at which the one service that counts dollars starts anew."""
    return (now // _DAY + 1) * _DAY


def _amount(text: str | None) -> float | None:
    """A finite number that is not negative; None for anything else."""
    try:
        value = float((text or "").strip().lstrip("$"))
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
