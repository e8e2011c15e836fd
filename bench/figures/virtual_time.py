"""A clock that jumps: how long a run would take if nothing cost time but its models.

On this event loop time stands still while anything is computed, read or written, and jumps to the next timer when all
that is left is to wait. With a model that answers after exactly `latency` seconds the time that passes is the length
of the longest chain of dependent calls times `latency`: the critical path, found by carrying the very run out instead
of by reading its code. With a limit of calls in flight it is the time of a perfect implementation under that limit.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, TypeVar

import orjson

from novum.llm import Connections, ModelName, ModelSettings
from novum.llm.limits import Limiter
from novum.llm.wire import Asking, Reply
from novum.testing import plausible

Result = TypeVar("Result")


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time jumps. Work in threads is waited for, and takes no time either."""

    def __init__(self) -> None:
        self.now = 0.0
        self.outside = 0
        """Jobs under way in threads: until they are back, time must not move."""
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self.now

    def run_in_executor(self, executor: Executor | None, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        self.outside += 1
        done = super().run_in_executor(executor, func, *args)
        done.add_done_callback(self._back)
        return done

    def standing_still(self, function: Callable[..., Awaitable[Result]]) -> Callable[..., Coroutine[Any, Any, Result]]:
        """`function`, which has a thread of its own do something, so that it takes no time."""

        async def timeless(*args: Any) -> Result:
            self.outside += 1
            try:
                return await function(*args)
            finally:
                self.outside -= 1

        return timeless

    def _back(self, _: asyncio.Future[Any]) -> None:
        self.outside -= 1


class _Jumping(selectors.DefaultSelector):  # type: ignore[misc,valid-type]  # chosen per platform
    """Where the loop would wait for a timer, the clock is put forward instead."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout and self._loop.outside:
            timeout = None  # a thread will wake us
        elif timeout:
            self._loop.now += timeout
            timeout = 0
        return super().select(timeout)


class PerfectConnections(Connections):
    """Ways to a model that answers after exactly `latency` seconds, with what the scripted server would say."""

    def __init__(self, settings: ModelSettings, models_folder: Path, latency: float) -> None:
        super().__init__(settings, models_folder)
        self._perfect = PerfectEndpoint(Limiter(self._limits(settings.cast.writer)), latency)

    async def endpoint(self, model: ModelName) -> PerfectEndpoint:  # type: ignore[override]  # all that `Models` uses
        return self._perfect


class PerfectEndpoint:
    """No network, no queue, no waste."""

    def __init__(self, limiter: Limiter, latency: float) -> None:
        self.limiter = limiter
        self._latency = latency

    async def chat(self, asking: Asking, deadline: float) -> Reply:
        await asyncio.sleep(self._latency)
        messages = [{"role": each.role, "content": each.content} for each in asking.messages]
        said = plausible(messages, orjson.loads(asking.schema) if asking.schema else None, asking.seed or 0)
        return Reply(said, "", "stop", "", sum(len(each["content"]) for each in messages) // 4, len(said) // 4)


def run_virtually(main: Callable[[VirtualLoop], Coroutine[Any, Any, Result]]) -> Result:
    """Runs `main(loop)` to its end on a clock that jumps."""
    loop = VirtualLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(main(loop))
