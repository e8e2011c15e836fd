"""The scripted model server: real HTTP on loopback, in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import orjson
from aiohttp import web

from novum.testing.local_server import LocalModelServer
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
    """What the server answers, well or badly."""

    content: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    finish: str = "stop"
    reasoning: str = ""
    refusal: str = ""
    raw: str | bytes | None = None
    """Replaces the whole body."""
    content_type: str = ""
    """Of a `raw` body; empty: HTML when it begins with `<`, else JSON."""
    hang: bool = False
    """Never answers."""
    drop: bool = False
    """Cuts the connection."""
    stall_after: int | None = None
    """Sends so many bytes of the body and then nothing more."""
    trickle: float = 0.0
    """Seconds before each byte of the body."""
    after: asyncio.Event | None = None
    """Is waited for. A script may set it, as it runs in the server's own loop."""


Script = Callable[[ReceivedRequest], ScriptedAnswer | str | None]
"""None: answer as `plausible` would."""
_FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""Errors of a script that got another question than it expects."""


class ScriptedServer(LocalModelServer):
    """Answers chat and embedding requests after `latency` seconds; use as a context manager.

    `asked` holds every request in order of arrival, `most_in_flight` the largest number worked on at once.
    """

    def __init__(self, script: Script | None = None, *, latency: float = 0.0, port: int = 0, keep: bool = True) -> None:
        super().__init__(port=port)
        self.asked: list[ReceivedRequest] = []
        self.most_in_flight = 0
        self.answered = 0
        self.prompt_tokens = 0
        self._script = script
        self._latency = latency
        self._keep = keep
        self._in_flight = 0
        self._count = 0

    def forms(self) -> list[str]:
        """The names of the requested answer forms, in order."""
        return [each.form for each in self.asked]

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            received = self._receive(orjson.loads(await request.read()), request.headers)
            answer = self._decide(received)
            if answer.hang:
                await asyncio.Event().wait()
            if answer.after is not None:
                await answer.after.wait()
            if self._latency:
                await asyncio.sleep(self._latency)
            if answer.drop and request.transport is not None:
                request.transport.abort()
            response = self._response(received, answer)
            if answer.stall_after is not None or answer.trickle:
                return await _send_slowly(request, response, answer)
            return response
        finally:
            self._in_flight -= 1

    def _receive(self, body: dict[str, Any], headers: Mapping[str, str]) -> ReceivedRequest:
        self._count += 1
        form = (body.get("response_format") or {}).get("json_schema") or {}
        received = ReceivedRequest(
            self._count,
            body.get("model", ""),
            body.get("messages", []),
            form.get("name", ""),
            form.get("schema"),
            body,
            dict(headers),
        )
        if self._keep:
            self.asked.append(received)
        return received

    def _decide(self, received: ReceivedRequest) -> ScriptedAnswer:
        """A script that fails gives a refusal: an error of the server itself would be retried until the deadline."""
        try:
            answer = self._script(received) if self._script else None
        except _FAILURES as failure:
            return ScriptedAnswer(f"the script failed ({type(failure).__name__}: {failure})", status=501)
        if answer is None:
            return ScriptedAnswer(plausible_answer(received.messages, received.schema, received.body.get("seed", 0)))
        return ScriptedAnswer(answer) if isinstance(answer, str) else answer

    def _response(self, received: ReceivedRequest, answer: ScriptedAnswer) -> web.Response:
        if answer.raw is not None:
            raw = answer.raw.encode("utf-8", "surrogatepass") if isinstance(answer.raw, str) else answer.raw
            kind = answer.content_type or ("text/html" if raw.lstrip()[:1] == b"<" else "application/json")
            return web.Response(body=raw, status=answer.status, headers=dict(answer.headers), content_type=kind)
        if answer.status != 200:
            error = {"error": {"message": answer.content or f"scripted {answer.status}"}}
            return web.Response(
                body=orjson.dumps(error),
                status=answer.status,
                headers=dict(answer.headers),
                content_type="application/json",
            )
        message: dict[str, Any] = {"role": "assistant", "content": answer.content}
        message |= {"reasoning_content": answer.reasoning} if answer.reasoning else {}
        message |= {"refusal": answer.refusal} if answer.refusal else {}
        prompt_tokens = max(len(received.text) // 4, 1)
        self.answered += 1
        self.prompt_tokens += prompt_tokens
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": max(len(answer.content) // 4, 1)}
        body = {
            "object": "chat.completion",
            "model": received.model,
            "choices": [{"index": 0, "finish_reason": answer.finish, "message": message}],
            "usage": usage,
        }
        return web.Response(body=orjson.dumps(body), headers=dict(answer.headers), content_type="application/json")

    async def _embeddings(self, request: web.Request) -> web.Response:
        """Bag-of-words vectors by hashing: 64 dimensions, similar for texts that share words."""
        value = orjson.loads(await request.read())["input"]
        texts = [value] if isinstance(value, str) else value
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


async def _send_slowly(request: web.Request, whole: web.Response, answer: ScriptedAnswer) -> web.StreamResponse:
    """Sends the body of `whole` byte by byte, or stops within it."""
    body = whole.body if isinstance(whole.body, bytes) else b""
    response = web.StreamResponse(status=whole.status, headers={"Content-Type": "application/json"})
    response.content_length = len(body)
    await response.prepare(request)
    for position in range(len(body)):
        if position == answer.stall_after:
            await asyncio.Event().wait()
        await asyncio.sleep(answer.trickle)
        await response.write(body[position : position + 1])
    await response.write_eof()
    return response
