"""Several jobs at once; the first failure ends the others and is raised as itself."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

Result = TypeVar("Result")


async def together(jobs: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """Results in the order of the jobs. A failure cancels the rest and is raised bare, not inside an exception
    group.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(job) for job in jobs]
    except BaseExceptionGroup as failures:
        raise _first(failures) from None
    return [task.result() for task in tasks]


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    inner = failures.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
