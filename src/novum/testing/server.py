"""The scripted model server: real HTTP on loopback, in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Self

import orjson
from aiohttp import web

from novum.testing.plausible import plausible_answer


@dataclass(frozen=True)
class ReceivedRequest:
    """One request as it came in. `form` is the name of the answer's schema, empty for plain text."""

    number: int
    model: str
    messages: Sequence[Mapping[str, Any]]
    form: str
    schema: Mapping[str, Any] | None
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """All messages as one text."""
        return "\n".join(str(message.get("content", "")) for message in self.messages)


@dataclass(frozen=True)
class ScriptedAnswer:
    """What the server answers. `raw` replaces the whole body; `hang` never answers; `drop` cuts the connection; `after`
    is waited for: a script may set it, as it runs in the server's own loop."""

    content: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    finish: str = "stop"
    reasoning: str = ""
    refusal: str = ""
    raw: str | None = None
    hang: bool = False
    drop: bool = False
    after: asyncio.Event | None = None


Script = Callable[[ReceivedRequest], ScriptedAnswer | str | None]
"""None: answer as `plausible` would."""
_FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""By which a script shows that it was asked something else than it expects."""


class ScriptedServer:
    """Answers chat and embedding requests after `latency` seconds; use as a context manager.

    `asked` holds every request in order of arrival, `most_in_flight` the largest number worked on at once.
    """

    def __init__(self, script: Script | None = None, *, latency: float = 0.0, port: int = 0, keep: bool = True) -> None:
        self.asked: list[ReceivedRequest] = []
        self.most_in_flight = 0
        self.answered = 0
        self.prompt_tokens = 0
        self.base_url = ""
        self._script = script
        self._latency = latency
        self._port = port
        self._keep = keep
        self._in_flight = 0
        self._count = 0
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="scripted-server", daemon=True)

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

    def forms(self) -> list[str]:
        """The names of the requested answer forms, in order."""
        return [each.form for each in self.asked]

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embeddings)
        app.router.add_get("/v1/models", self._models)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self._port, backlog=1024)
        await site.start()
        port = runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            asked = self._note(orjson.loads(await request.read()), request.headers)
            said = self._decide(asked)
            if said.hang:
                await asyncio.Event().wait()
            if said.after is not None:
                await said.after.wait()
            if self._latency:
                await asyncio.sleep(self._latency)
            if said.drop and request.transport is not None:
                request.transport.abort()
            return self._response(asked, said)
        finally:
            self._in_flight -= 1

    def _note(self, body: dict[str, Any], headers: Mapping[str, str]) -> ReceivedRequest:
        self._count += 1
        form = (body.get("response_format") or {}).get("json_schema") or {}
        asked = ReceivedRequest(
            self._count,
            body.get("model", ""),
            body.get("messages", []),
            form.get("name", ""),
            form.get("schema"),
            body,
            dict(headers),
        )
        if self._keep:
            self.asked.append(asked)
        return asked

    def _decide(self, asked: ReceivedRequest) -> ScriptedAnswer:
        """A script that fails is told by a refusal: a server's own error would be asked again and again."""
        try:
            said = self._script(asked) if self._script else None
        except _FAILURES as failure:
            return ScriptedAnswer(f"the script failed ({type(failure).__name__}: {failure})", status=501)
        if said is None:
            return ScriptedAnswer(plausible_answer(asked.messages, asked.schema, asked.body.get("seed", 0)))
        return ScriptedAnswer(said) if isinstance(said, str) else said

    def _response(self, asked: ReceivedRequest, said: ScriptedAnswer) -> web.Response:
        if said.raw is not None:
            kind = "text/html" if said.raw.lstrip().startswith("<") else "application/json"
            return web.Response(text=said.raw, status=said.status, headers=dict(said.headers), content_type=kind)
        if said.status != 200:
            error = {"error": {"message": said.content or f"scripted {said.status}"}}
            return web.Response(
                body=orjson.dumps(error),
                status=said.status,
                headers=dict(said.headers),
                content_type="application/json",
            )
        message: dict[str, Any] = {"role": "assistant", "content": said.content}
        message |= {"reasoning_content": said.reasoning} if said.reasoning else {}
        message |= {"refusal": said.refusal} if said.refusal else {}
        prompt_tokens = len(asked.text) // 4
        self.answered += 1
        self.prompt_tokens += prompt_tokens
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": len(said.content) // 4}
        body = {
            "object": "chat.completion",
            "model": asked.model,
            "choices": [{"index": 0, "finish_reason": said.finish, "message": message}],
            "usage": usage,
        }
        return web.Response(body=orjson.dumps(body), headers=dict(said.headers), content_type="application/json")

    async def _embeddings(self, request: web.Request) -> web.Response:
        """Bag-of-words vectors by hashing: 64 dimensions, similar for texts that share words."""
        given = orjson.loads(await request.read())["input"]
        texts = [given] if isinstance(given, str) else given
        if self._latency:
            await asyncio.sleep(self._latency)
        rows = []
        for index, text in enumerate(texts):
            vector = [0.01] * 64
            for word in text.lower().split():
                vector[blake2b(word.encode(), digest_size=1).digest()[0] % 64] += 1.0
            rows.append({"index": index, "embedding": vector})
        tokens = sum(map(len, texts)) // 4
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return web.json_response({"object": "list", "data": rows, "usage": usage})

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
