"""A model server that knows which question it is asked, when each was answered, and that disturbs as it is told."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from novum.testing import LocalModelServer, plausible_answer

_FENCE_WORD = re.compile(r"(</?material )[0-9a-f]{8}>")


@dataclass(frozen=True)
class Fault:
    """What happens to one request. `content` replaces the answer's text, `body` the whole response body; `hang` never
    answers; `drop` cuts the connection."""

    name: str
    status: int = 200
    content: str | None = None
    body: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False
    drop: bool = False


Faults = Callable[[Mapping[str, Any], str, int], Fault | None]
"""The fault of a question's n-th request (body, identity, n from 1), None for a good answer."""
Answerer = Callable[[Mapping[str, Any]], str | None]
"""The text of the answer to a request body; None: a plausible one."""


@dataclass(frozen=True)
class Answered:
    """A complete, good answer: when it was sent, to which question, and to the process with which key."""

    at: float
    question: str
    key: str


class AttackServer(LocalModelServer):
    """Answers after `latency` seconds over real HTTP in a thread; use as a context manager.

    A repair conversation counts as the question that it repairs, so the answer is a function of the question alone.
    """

    def __init__(
        self,
        *,
        latency: float = 0.005,
        faults: Faults | None = None,
        answerer: Answerer | None = None,
        by_seed: bool = True,
    ) -> None:
        """`by_seed`: the same conversation with another seed is another question."""
        super().__init__()
        self.requests = 0
        """All requests that arrived, disturbed or not."""
        self.tokens = 0
        """Prompt and completion tokens of all answers sent."""
        self.answered: list[Answered] = []
        self.faults: Counter[str] = Counter()
        self._latency, self._decide, self._answerer, self._by_seed = latency, faults, answerer, by_seed
        self._tries: Counter[str] = Counter()

    def answered_twice(self) -> list[str]:
        """Identities of questions that got more than one good answer."""
        return [question for question, times in Counter(each.question for each in self.answered).items() if times > 1]

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        identity = exchange_identity(body["model"], body["messages"], body.get("seed"))
        if not self._by_seed:
            body.pop("seed", None)
        self.requests += 1
        question = _question(body)
        self._tries[question] += 1
        fault = self._decide(body, question, self._tries[question]) if self._decide else None
        await asyncio.sleep(self._latency)
        if fault is not None:
            self.faults[fault.name] += 1
            if fault.hang:
                await asyncio.Event().wait()
            if fault.drop and request.transport is not None:
                request.transport.abort()
                return web.Response()
            if fault.body is not None or fault.status != 200:
                kind = "text/html" if (fault.body or "").startswith("<") else "application/json"
                return web.Response(
                    text=fault.body or "", status=fault.status, headers=fault.headers, content_type=kind
                )
        content = fault.content if fault is not None and fault.content is not None else self._answer(body)
        response = web.json_response(self._completion(body, content))
        await response.prepare(request)
        await response.write_eof()
        if fault is None:
            key = request.headers.get("Authorization", "").removeprefix("Bearer ")
            self.answered.append(Answered(time.time(), identity, key))
        return response

    def _answer(self, body: Mapping[str, Any]) -> str:
        original = {**body, "messages": _without_repairs(body["messages"])}
        text = self._answerer(original) if self._answerer else None
        schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
        return text or plausible_answer(original["messages"], schema, body.get("seed") or 0)

    def _completion(self, body: Mapping[str, Any], content: str) -> dict[str, Any]:
        prompt = sum(len(str(message.get("content", ""))) for message in body["messages"]) // 4
        self.tokens += prompt + len(content) // 4
        return {
            "object": "chat.completion",
            "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": len(content) // 4},
        }


def exchange_identity(model: str, messages: Sequence[Mapping[str, Any]], seed: object) -> str:
    """The same for the same conversation, whatever fence word it was sent with."""
    texts = [[each["role"], _FENCE_WORD.sub(r"\1*>", str(each["content"]))] for each in messages]
    return hashlib.blake2b(json.dumps([model, texts, seed]).encode(), digest_size=10).hexdigest()


def _without_repairs(messages: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    first = next((at for at, each in enumerate(messages) if each["role"] == "assistant"), len(messages))
    return messages[:first]


def _question(body: Mapping[str, Any]) -> str:
    return exchange_identity(body["model"], _without_repairs(body["messages"]), body.get("seed"))
