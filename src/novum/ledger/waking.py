"""Waking tasks that waited for the ledger, a few at a time.

A hundred answers that arrive together wake a hundred tasks, each of which computes for a while. Woken all at once, they
would keep the event loop from reading the answers that arrive meanwhile, and what is not read is not recorded.
"""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

_AT_ONCE = 4
"""Tasks that are woken before the event loop looks at its connections again."""
Outcome = tuple[asyncio.Future[Any], Any]
"""A future, and its result or its error."""


class PacedWaking:
    """Resolves the futures of event loops."""

    def __init__(self) -> None:
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _LoopQueue] = weakref.WeakKeyDictionary()

    def wake(self, outcomes: Iterable[Outcome]) -> None:
        """Has each future resolved in its own event loop, in this order. May be called in any thread."""
        by_loop: dict[asyncio.AbstractEventLoop, list[Outcome]] = {}
        for outcome in outcomes:
            by_loop.setdefault(outcome[0].get_loop(), []).append(outcome)
        for loop, due in by_loop.items():
            queue = self._loops.setdefault(loop, _LoopQueue(loop))
            with suppress(RuntimeError):  # it is closed, and no task waits in it
                if loop is running_loop():
                    queue.add(due)
                else:
                    loop.call_soon_threadsafe(queue.add, due)


class _LoopQueue:
    """The futures of one event loop that are due."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = weakref.ref(loop)
        self._due: deque[Outcome] = deque()
        self._scheduled = False

    def add(self, due: Iterable[Outcome]) -> None:
        """Resolves these when their turn comes."""
        self._due.extend(due)
        if not self._scheduled:
            self._schedule()

    def _schedule(self) -> None:
        loop = self._loop()
        self._scheduled = loop is not None and bool(self._due)
        if loop is not None and self._due:
            loop.call_soon(self._resolve_some)

    def _resolve_some(self) -> None:
        for _ in range(min(_AT_ONCE, len(self._due))):
            _resolve(*self._due.popleft())
        self._schedule()


def _resolve(future: asyncio.Future[Any], result: Any) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop that runs in this thread, if any."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
