"""How long a server asks us to wait before the next try."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a server asks us to wait, from `Retry-After` (seconds or a date) or `retry-after-ms`."""
    if (milliseconds := headers.get("retry-after-ms", "")).isdigit():
        return int(milliseconds) / 1000
    value = headers.get("Retry-After", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
