"""Work in the working place that the settings tell, stoppable by Ctrl-C."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from novum.cli.shell.interrupt import print_last_words, run_stoppable
from novum.lab import Workplace
from novum.settings import load_settings

Result = TypeVar("Result")
STOPPED = "Stopped. What was brought in is kept, and the same command goes on from there."


def in_workplace(
    job: Callable[[Workplace], Awaitable[Result]], stopped: str = STOPPED, given: Mapping[str, Any] | None = None
) -> Result:
    """What `job` brings. Ctrl-C ends it within a second with the words `stopped`; whole batches are kept.

    `given`: settings from the command line.
    """

    async def work() -> Result:
        async with Workplace(load_settings(given)) as place:
            return await job(place)

    return run_stoppable(work(), lambda: stopped, lambda: print_last_words(stopped))
