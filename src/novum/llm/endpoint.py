"""One model server over HTTP: a shared connection pool, retries within a deadline, and errors a person can act on."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import urlsplit

import aiohttp
import orjson

from novum.errors import CallFailed, ModelRefusedUs, ModelUnreachable
from novum.http.client import HttpClient
from novum.http.retry_after import retry_after
from novum.llm.limits import Limiter
from novum.llm.offline.interview import fits_interview, interview
from novum.llm.providers import KEYLESS, ModelName
from novum.llm.wire import (
    OUT_OF_CREDIT,
    ChatReply,
    ChatRequest,
    ServerCapabilities,
    error_text,
    parse_reply,
    request_body,
    requested_wait,
)

_RETRIED = frozenset({408, 409, 425, 429})
_NEVER_MENDED = frozenset({501, 505})
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 60.0
_TRIES_BEFORE_FIRST_ANSWER = 3
"""Connections tried to a server that never answered: more would only make a wrong address slow to report."""
_TRIES_ON_THIS_MACHINE = 1
"""The same for a server on this machine: a connection that is refused there will be refused again."""
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Server:
    """Where and how a model is asked."""

    model: ModelName
    base_url: str
    key: str
    key_name: str
    """What to set when the key is wrong."""


@dataclass(frozen=True)
class _RetryLater:
    """Why a try came to nothing, and how long the server asks us to wait (None: it does not say)."""

    why: str
    wait: float | None = None
    connected: bool = True


Waiting = Callable[[str, float], None]
"""Told why a call has to wait, and for how many seconds."""


def _ignore_wait(why: str, seconds: float) -> None:
    """Nobody wants to know."""


class Endpoint:
    """Asks one model on one server."""

    def __init__(self, server: Server, http: HttpClient, limiter: Limiter) -> None:
        self._server = server
        self._http = http
        self.limiter = limiter
        self._habits = ServerCapabilities.of(server.model)
        self._answered_once = False
        here = urlsplit(server.base_url).hostname in _THIS_MACHINE
        self._tries_before_first_answer = _TRIES_ON_THIS_MACHINE if here else _TRIES_BEFORE_FIRST_ANSWER
        self._headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {server.key}"} if server.key else {}
        )

    async def chat(self, asking: ChatRequest, deadline: float, waiting: Waiting = _ignore_wait) -> ChatReply:
        """The model's reply, after as many tries as `deadline` (seconds) allows; `waiting` is told of each wait.

        Raises ModelUnreachable, ModelRefusedUs or CallFailed.
        """
        if self._habits.form == "interview" and fits_interview(asking):
            return await self._interview(asking, deadline, waiting)
        return await self._ask(asking, deadline, waiting)

    async def _interview(self, asking: ChatRequest, deadline: float, waiting: Waiting) -> ChatReply:
        """One reply made of many. The deadline is each question's own."""
        questions = interview(asking)
        try:
            question = next(questions)
            while True:
                question = questions.send(await self._ask(question, deadline, waiting))
        except StopIteration as done:
            reply: ChatReply = done.value
            return reply

    async def _ask(self, asking: ChatRequest, deadline: float, waiting: Waiting) -> ChatReply:
        while True:
            habits = self._habits
            body = orjson.dumps(request_body(asking, self._server.model, habits))
            data = await self.post("/chat/completions", body, deadline, habits, waiting)
            if data is None:
                continue  # habits have become more modest: ask again in the new way
            try:
                return parse_reply(data)
            except ValueError as error:
                raise ModelUnreachable(
                    f"{self._at} does not answer like a chat model: {error}. Check the address (it usually ends "
                    "in /v1)."
                ) from error

    async def post(
        self,
        path: str,
        body: bytes,
        deadline: float,
        habits: ServerCapabilities | None = None,
        waiting: Waiting = _ignore_wait,
    ) -> Any:
        """The JSON that a POST brings. None when the server refused one of `habits` and it has been dropped."""
        tries, later = 0, _RetryLater("no try was made")
        try:
            async with asyncio.timeout(deadline):
                while True:
                    tries += 1
                    outcome = await self._try(path, body, habits)
                    if not isinstance(outcome, _RetryLater):
                        self._answered_once = True
                        return outcome
                    later = outcome
                    if not later.connected and not self._answered_once and tries >= self._tries_before_first_answer:
                        self._unreachable(later.why)
                    seconds = self._wait(later, tries)
                    waiting(later.why, seconds)
                    await asyncio.sleep(seconds)
        except TimeoutError:
            raise CallFailed(
                f"{self._at} gave no answer within {deadline:.0f} s ({tries} tries, last: {later.why}). Resume "
                "later, or allow more time by NOVUM_DEADLINE_SECONDS."
            ) from None

    async def get(self, path: str, within: float) -> Any:
        """The JSON of one GET `within` seconds, without retries: for finding out whether a server is there."""
        try:
            async with (
                asyncio.timeout(within),
                self._http.request(
                    "GET", self._server.base_url + path, headers=self._headers, redirects=True
                ) as response,
            ):
                text = await response.text(errors="replace")
                outcome = self._read(response.status, response.headers, text, None)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            self._unreachable(_cause(error))
        if isinstance(outcome, _RetryLater):
            raise CallFailed(f"{self._at}: {outcome.why}. Try again in a while.")
        return outcome

    async def _try(self, path: str, body: bytes, habits: ServerCapabilities | None) -> Any:
        try:
            url = self._server.base_url + path
            async with self._http.request("POST", url, data=body, headers=self._headers, redirects=True) as response:
                raw = await response.read()
                status = response.status
                if status == 200:
                    data = self._loads(raw)
                    if not (status := _hidden_error(data)):
                        return data
                return self._read(status, response.headers, raw.decode("utf-8", "replace"), habits)
        except (aiohttp.InvalidURL, ValueError) as error:
            self._unreachable(f"the address is not usable ({error})")
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            return _RetryLater(_cause(error), connected=False)
        except (aiohttp.ClientError, OSError) as error:
            return _RetryLater(f"connection lost: {_cause(error)}")

    def _loads(self, raw: bytes) -> Any:
        try:
            return orjson.loads(raw)
        except orjson.JSONDecodeError:
            pass
        try:  # half surrogate pairs, which models write, and NaN among logprobs are no reason to lose an answer
            lax = json.loads(raw, parse_constant=lambda _: None)
            return orjson.loads(json.dumps(lax, ensure_ascii=False).encode("utf-8", "replace"))
        except ValueError:
            self._not_json(raw[:200].decode("utf-8", "replace"))

    def _read(self, status: int, headers: Mapping[str, str], text: str, habits: ServerCapabilities | None) -> Any:
        """What an answer that is not a plain success means."""
        try:
            data = orjson.loads(text)
        except orjson.JSONDecodeError:
            data = None
        if status == 200:
            return data if data is not None else self._not_json(text)
        told = error_text(data, text) or "no reason given"
        wait = retry_after(headers)
        wait = requested_wait(text) if wait is None else wait
        if status == 429 and wait is None and OUT_OF_CREDIT.search(text):
            raise ModelRefusedUs(
                f"{self._at} says there is no credit left: {told}. Top up the account or use another model."
            )
        unwelcome = status in {400, 422} or (status != 429 and "logprob" in told.lower())  # of these with any status
        if unwelcome and habits is not None and self._became_modest(habits, told):
            return None
        if status in _RETRIED or (status >= 500 and status not in _NEVER_MENDED):
            if status == 429:
                self.limiter.pause(wait if wait is not None else 1.0)
            return _RetryLater(f"{status}: {told}", wait)
        return self._refused(status, told)

    def _became_modest(self, habits: ServerCapabilities, told: str) -> bool:
        """Whether there is now another way to ask than by `habits`, found now or meanwhile by another call."""
        if self._habits == habits:
            self._habits = habits.after_refusal(told) or habits
        return self._habits != habits

    def _refused(self, status: int, told: str) -> NoReturn:
        server = self._server
        key = (
            f"Set {server.key_name} to a valid key."
            if server.key_name
            else "This server wants no key from us: check the address."
        )
        if server.key_name and not server.key:
            key = f"Set {server.key_name} to your key."
        advice = {
            401: key,
            402: "Top up the account or use another model.",
            403: f"{key} It must be allowed to use this model.",
            404: f"Check the model's name and the address {server.base_url}.",
            405: "Check the address: it usually ends in /v1.",
        }.get(status, "Check the model's name and settings.")
        raise ModelRefusedUs(f"{self._at} refused the request ({status}: {told}). {advice}")

    def _not_json(self, text: str) -> NoReturn:
        page = "a web page" if "<" in text[:200] else "something that is not JSON"
        raise ModelUnreachable(
            f"{self._at} answered with {page}, not like a model server. Check the address: it usually ends in /v1."
        )

    def _unreachable(self, why: str) -> NoReturn:
        server = self._server
        advice = "Is the server running?" if server.model.provider.name in KEYLESS else "Check the network."
        raise ModelUnreachable(f"{self._at} cannot be reached: {why}. {advice}")

    def _wait(self, later: _RetryLater, tries: int) -> float:
        """What the server asked for, else a growing wait with jitter so that callers do not come back all at once."""
        if later.wait is not None:
            return later.wait + random.uniform(0, 0.1)  # noqa: S311  # jitter, not secrecy
        longest: float = min(_FIRST_WAIT * 2.0 ** (tries - 1), _LONGEST_WAIT)
        return longest * random.uniform(0.5, 1.0)  # noqa: S311

    @property
    def _at(self) -> str:
        return f"{self._server.model.short} at {self._server.base_url}"


def _hidden_error(data: Any) -> int:
    """The status that an error inside a success should have had, 0 for a true success: routers commit to 200 before
    the model behind them fails."""
    if not isinstance(data, dict) or not data.get("error") or data.get("choices") or data.get("data"):
        return 0
    code = data["error"].get("code") if isinstance(data["error"], dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def _cause(error: BaseException) -> str:
    told = str(getattr(error, "os_error", None) or error) or type(error).__name__
    return " ".join(told.split())[:200]
