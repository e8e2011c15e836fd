"""How long a server asks us to wait before the next try."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Mapping


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a server asks us to wait, from `Retry-After` (seconds or a date) or `retry-after-ms`."""
    milliseconds = _seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("Retry-After", "").strip()
    if not value:
        return None
    seconds = _seconds(value)
    if seconds is not None:
        return seconds
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _seconds(value: str) -> float | None:
    """A number that could be one of seconds; None for anything else, and for what never ends."""
    try:
        seconds = float(value)
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
