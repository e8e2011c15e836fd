"""How long a server asks a client to wait before the next request."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Mapping

LONGEST = 86_400.0
"""Seconds."""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds from `retry-after-ms` or `Retry-After` (seconds or a date), at most a day, as more is a mistake; None
    when there is neither.

    A date counts from the `Date` of the response, as the clock of this machine may differ from the server's.
    """
    milliseconds = _seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return min(milliseconds / 1000, LONGEST)
    value = headers.get("Retry-After", "").strip()
    if not value:
        return None
    seconds = _seconds(value)
    if seconds is not None:
        return min(seconds, LONGEST)
    date, now = _unix_time(value), _unix_time(headers.get("Date", ""))
    return None if date is None else min(max(0.0, date - (time.time() if now is None else now)), LONGEST)


def _unix_time(value: str) -> float | None:
    try:
        return email.utils.parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None


def _seconds(value: str) -> float | None:
    """A finite number of seconds, at least 0; None for anything else."""
    try:
        seconds = float(value)
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
