"""Concurrent work in asyncio: several jobs at once, and one job that several callers wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


async def run_concurrently(jobs: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """Runs all jobs at once and returns their results in order.

    The first failure cancels the other jobs and is raised as itself, not inside an exception group.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(job) for job in jobs]
    except BaseExceptionGroup as failures:
        raise _first(failures) from None
    return [task.result() for task in tasks]


class SharedTask(Generic[Result]):
    """Work that starts at once and runs once, however many callers wait for its result.

    Cancelling one waiter does not affect the others; when no waiter is left, the work is cancelled. Create and await
    it in the same event loop.
    """

    def __init__(self, work: Coroutine[Any, Any, Result]) -> None:
        self._task = asyncio.create_task(work)
        self._waiting = 0

    @property
    def done(self) -> bool:
        """Whether the work has ended: with a result, with an error or by being cancelled."""
        return self._task.done()

    @property
    def may_be_joined(self) -> bool:
        """Whether waiting now can give a result: not after a failure or cancellation, and not in another event loop."""
        task = self._task
        failed = bool(task.cancelled() or task.cancelling() or (task.done() and task.exception()))
        return not failed and task.get_loop() is asyncio.get_running_loop()

    async def result(self) -> Result:
        """The result of the work. Raises what the work raised."""
        self._waiting += 1
        try:
            return await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._task.cancel()  # no effect when it is done


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    inner = failures.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
