"""Work that several wait for and that is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class Shared(Generic[Result]):
    """Begins at once, and ends early only when nobody waits for it any more: one who is cancelled takes nothing away
    from the others. To be made inside the event loop in which it is waited for.
    """

    def __init__(self, work: Coroutine[Any, Any, Result]) -> None:
        self._task = asyncio.create_task(work)
        self._waiting = 0

    @property
    def done(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self._task.done()

    @property
    def may_be_joined(self) -> bool:
        """Whether who waits for it now may have a result: not after it failed or was cancelled, nor from another event
        loop."""
        task = self._task
        failed = bool(task.cancelled() or task.cancelling() or (task.done() and task.exception()))
        return not failed and task.get_loop() is asyncio.get_running_loop()

    async def result(self) -> Result:
        """What came of the work. Raises what it raised."""
        self._waiting += 1
        try:
            return await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._task.cancel()  # without effect where it is done
