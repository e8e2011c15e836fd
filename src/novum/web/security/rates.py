"""A limit on how often one browser may do something expensive."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable

_MOST_CLIENTS = 10_000


class RateLimit:
    """At most `most` times within `seconds`, for each client. `clock`: seconds that only grow."""

    def __init__(self, most: int, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Counts one more and returns 0; or returns the seconds after which the client may try again."""
        now = self._clock()
        times = self._times.setdefault(client, deque())
        self._times.move_to_end(client)
        while len(self._times) > _MOST_CLIENTS:
            self._times.popitem(last=False)
        while times and times[0] <= now - self._seconds:
            times.popleft()
        if len(times) >= self._most:
            return times[0] + self._seconds - now
        times.append(now)
        return 0.0
