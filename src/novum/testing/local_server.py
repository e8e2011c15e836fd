"""An OpenAI-compatible server on loopback, in a thread of this process: what it answers is up to its subclass."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from typing import Self

from aiohttp import web

_LARGEST_REQUEST = 64 * 2**20
"""Bytes."""


class LocalModelServer(ABC):
    """Serves from the beginning of `with` to its end. `base_url` is set from then on."""

    def __init__(self, *, port: int = 0) -> None:
        """`port` 0: any free one."""
        self.base_url = ""
        self._port = port
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="model-server", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop and self._stop:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def model(self) -> str:
        """The model name to give to Novum."""
        return f"server:scripted@{self.base_url}"

    @abstractmethod
    async def _chat(self, request: web.Request) -> web.StreamResponse:
        """Answers one request for a chat completion."""

    async def _embeddings(self, _: web.Request) -> web.Response:
        """Answers one request for embeddings; here: there are none."""
        return web.Response(status=404)

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        app = web.Application(client_max_size=_LARGEST_REQUEST)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embeddings)
        app.router.add_get("/v1/models", self._models)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self._port, backlog=1024).start()
        self.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()
