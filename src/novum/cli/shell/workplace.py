"""A job in the workplace of the settings, stoppable with Ctrl-C."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from novum.cli.shell.interrupt import print_last_words, run_stoppable
from novum.lab import Workplace
from novum.settings import load_settings

Result = TypeVar("Result")
STOPPED = "Stopped. What was added is stored; the same command continues from there."


def in_workplace(
    job: Callable[[Workplace], Awaitable[Result]], stopped: str = STOPPED, given: Mapping[str, Any] | None = None
) -> Result:
    """The result of `job`. Ctrl-C ends it within a second with the message `stopped`.

    `given`: settings from the command line.
    """

    async def work() -> Result:
        async with Workplace(load_settings(given)) as place:
            return await job(place)

    return run_stoppable(work(), lambda: stopped, lambda: print_last_words(stopped))
