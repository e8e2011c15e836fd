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

from novum.http.client import HttpClient
from novum.llm import Connections, ModelName, ModelSettings
from novum.llm.endpoint import CallOptions, Endpoint, Post
from novum.llm.limits import Limiter
from novum.llm.server import Server
from novum.testing import plausible_answer

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


class _Jumping(selectors.DefaultSelector):
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
    """Ways to models that answer after exactly `latency` seconds, with what the scripted server would say."""

    def __init__(self, settings: ModelSettings, models_folder: Path, latency: float) -> None:
        super().__init__(settings, models_folder)
        self.sent: list[bytes] = []
        """Every request's body."""
        self._latency = latency

    async def endpoint(self, model: ModelName) -> Endpoint:
        if model not in self._endpoints:
            server = await self._server(model)
            limiter = Limiter(self._settings.limits_for(model))
            self._endpoints[model] = _Perfect(server, self.http, limiter, self._latency, self.sent)
        return self._endpoints[model]


class _Perfect(Endpoint):
    """No network, no queue, no waste."""

    def __init__(self, server: Server, http: HttpClient, limiter: Limiter, latency: float, sent: list[bytes]) -> None:
        super().__init__(server, http, limiter)
        self._latency = latency
        self._sent = sent

    async def post(self, post: Post[Result], options: CallOptions) -> Result:
        self._sent.append(post.body)
        async with options.around_try(1) as record:
            await asyncio.sleep(self._latency)
            record.outcome = "answered"
        request = orjson.loads(post.body)
        form = (request.get("response_format") or {}).get("json_schema") or {}
        content = plausible_answer(request["messages"], form.get("schema"), request.get("seed", 0))
        prompt_tokens = len("\n".join(each["content"] for each in request["messages"])) // 4
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": len(content) // 4}
        return post.read({"choices": [{"message": {"content": content}, "finish_reason": "stop"}], "usage": usage})


def run_virtually(main: Callable[[VirtualLoop], Coroutine[Any, Any, Result]]) -> Result:
    """Runs `main(loop)` to its end on a clock that jumps."""
    loop = VirtualLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(main(loop))
