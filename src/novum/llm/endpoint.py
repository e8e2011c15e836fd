"""One model on one server: requests in the form that the server accepts, and retries within a deadline."""

from __future__ import annotations

import asyncio
import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import orjson

from novum.errors import CallFailed, ModelRefusedUs
from novum.http.client import HttpClient
from novum.http.redirects import MOST_REDIRECTS, headers_for_redirect
from novum.llm.limits import Limiter
from novum.llm.offline.interview import fits_interview, interview
from novum.llm.responses import (
    HttpResponse,
    ServerError,
    describe_body,
    hidden_status,
    one_line,
    parse_json,
    read_error,
)
from novum.llm.sending import HttpRequest, Redirected, TimeLimits, UnusableAddress, send
from novum.llm.server import Server
from novum.llm.tries import AroundTry, Pace, TemporaryFailure, TryOutcome, TryRecord, growing_wait, without_record
from novum.llm.wire import ChatReply, ChatRequest, ServerCapabilities, completion_tokens, parse_reply, request_body

Result = TypeVar("Result")
OnWait = Callable[[str, float], None]
"""Is called with the reason for which a call waits, and with the seconds."""
OnError = Callable[[ServerError], None]
"""Is called with each error of a server, before it is decided what to do about it. May raise."""

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 60.0
"""Seconds between two tries."""
_JITTER = 0.1
"""Seconds added to a wait that a server asks for, so that callers do not come back all at once."""
_TRIES_BEFORE_FIRST_ANSWER: dict[TryOutcome, int] = {"not sent": 3, "unreadable": 3, "lost": 6}
"""Tries with a server that never answered: more would only make a wrong address slow to report."""
_TRIES_WITH_EMPTY_ANSWER = 3
_LARGEST_CHAT = 16 * 2**20
"""Bytes of a response."""


def _ignore_wait(reason: str, seconds: float) -> None:
    """Nothing is reported."""


def _ignore_error(error: ServerError) -> None:
    """Nothing is learned from it."""


def _is_never_empty(result: object) -> bool:
    return False


@dataclass(frozen=True)
class CallOptions:
    """How long one call may take, and who follows it."""

    deadline: float
    """Seconds for all tries and waits, without what `around_try` takes."""
    on_wait: OnWait = _ignore_wait
    around_try: AroundTry = without_record


@dataclass(frozen=True)
class Post(Generic[Result]):
    """A POST request, and how its response is read."""

    path: str
    body: bytes
    read: Callable[[Any], Result]
    """The result from the JSON of a response. Raises ValueError with what the response is instead."""
    on_error: OnError = _ignore_error
    is_empty: Callable[[Result], bool] = _is_never_empty
    """Whether a result says nothing. Then the request is sent again, three times in all."""
    max_tokens: int = 0
    """Tokens that may be generated, which decide how long an answer may take."""
    largest: int = _LARGEST_CHAT
    server_kind: str = "a model server"
    """What the address is expected to be, for an error."""


class _CapabilitiesChanged(Exception):
    """The server accepts less than a request had: it is to be sent again without that."""


class Endpoint:
    """Sends requests to one model on one server."""

    def __init__(
        self, server: Server, http: HttpClient, limiter: Limiter, *, stall_seconds: float | None = None
    ) -> None:
        """`stall_seconds`: longest time without a byte of a response, doubled with each try of a call that it ended;
        None: see `Pace` and `TimeLimits`."""
        self._server = server
        self._http = http
        self.limiter = limiter
        self._capabilities = ServerCapabilities.of(server.model)
        self._pace = Pace()
        self._stall_seconds = stall_seconds
        self._moved: dict[str, str] = {}
        """Paths that the server redirects for good, and the addresses to which it does."""
        self._headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {server.key}"} if server.key else {}
        )

    async def chat(
        self,
        request: ChatRequest,
        deadline: float,
        on_wait: OnWait = _ignore_wait,
        around_try: AroundTry = without_record,
    ) -> ChatReply:
        """The model's reply, after as many tries as `deadline` (seconds) allows. For the others see `CallOptions`.

        Raises ModelUnreachable, ModelRefusedUs or CallFailed, and what `around_try` raises.
        """
        options = CallOptions(deadline, on_wait, around_try)
        if self._capabilities.form == "interview" and fits_interview(request):
            return await self._interview(request, options)
        return await self._chat(request, options)

    async def post(self, post: Post[Result], options: CallOptions) -> Result:
        """What a POST brings. Raises as `chat` does."""
        clock, used, hung, redirects = asyncio.get_running_loop().time, 0.0, 0, 0
        address = self._moved.get(post.path) or self._server.address_of(post.path)
        for number in itertools.count(1):
            async with options.around_try(number) as record:
                began = clock()
                remaining = options.deadline - used
                total = self._pace.limit(options.deadline, remaining, post.max_tokens, hung)
                limits = TimeLimits(total, self._stall_seconds and self._stall_seconds * 2**hung)
                outcome = await self._recorded_try(post, address, limits, record)
                used += clock() - began
            if isinstance(outcome, Redirected):
                address, redirects = self._redirected(post.path, outcome, redirects), redirects + 1
                continue
            if not isinstance(outcome, TemporaryFailure):
                return outcome
            hung += outcome.hung
            self._check_address(outcome, number, post.server_kind)
            wait = self._wait(outcome, number, options.deadline, options.deadline - used)
            options.on_wait(outcome.reason, wait)
            await asyncio.sleep(wait)
            used += wait
        raise AssertionError("the tries end with a result or an error")

    async def get(self, path: str, within: float) -> Any:
        """The JSON of one GET `within` seconds, without retries: for finding out whether a server is there."""
        try:
            address = self._server.address_of(path)
            request = HttpRequest("GET", address, self._headers, None, _LARGEST_CHAT, follows_redirects=True)
            return self._read(await self._send(request, TimeLimits(within), TryRecord(1)))
        except TemporaryFailure as failure:
            if failure.outcome == "unreadable":
                raise self._server.answers_otherwise(failure.reason) from failure
            if failure.outcome == "rejected":
                raise CallFailed(f"{self._server}: {failure.reason}. Try again in a while.") from failure
            raise self._server.unreachable(failure.reason) from failure

    # -- forms of a chat request ------------------------------------------------------------------------------------

    async def _interview(self, request: ChatRequest, options: CallOptions) -> ChatReply:
        """One reply made of many. The deadline is each question's own. An empty answer is the interview's to repeat."""
        questions = interview(request)
        try:
            question = next(questions)
            while True:
                question = questions.send(await self._chat(question, options, accept_empty=True))
        except StopIteration as done:
            reply: ChatReply = done.value
            return reply

    async def _chat(self, request: ChatRequest, options: CallOptions, *, accept_empty: bool = False) -> ChatReply:
        while True:
            post = self._chat_post(request, self._capabilities)
            try:
                return await self.post(replace(post, is_empty=_is_never_empty) if accept_empty else post, options)
            except _CapabilitiesChanged:
                continue

    def _chat_post(self, request: ChatRequest, sent: ServerCapabilities) -> Post[ChatReply]:
        return Post(
            path="/chat/completions",
            body=orjson.dumps(request_body(request, self._server.model, sent)),
            read=parse_reply,
            on_error=lambda error: self._learn_from(error, sent),
            is_empty=lambda reply: reply.is_empty,
            max_tokens=request.max_tokens,
        )

    def _learn_from(self, error: ServerError, sent: ServerCapabilities) -> None:
        """Raises _CapabilitiesChanged when the server is now known to accept less than was sent, by this error or by
        that of another call."""
        if not error.may_name_a_parameter:
            return
        if self._capabilities == sent:
            self._capabilities = sent.without_refused(error.reason) or sent
        if self._capabilities != sent:
            raise _CapabilitiesChanged(error.reason)

    # -- one try ----------------------------------------------------------------------------------------------------

    async def _recorded_try(
        self, post: Post[Result], address: str, limits: TimeLimits, record: TryRecord
    ) -> Result | TemporaryFailure | Redirected:
        try:
            result = await self._try(post, address, limits, record)
        except Redirected as redirected:
            record.outcome, record.reason = "rejected", "redirected to another address"
            return redirected
        except TemporaryFailure as failure:
            record.outcome, record.reason = failure.outcome, failure.reason
            return failure
        except (ModelRefusedUs, _CapabilitiesChanged) as error:
            record.outcome, record.reason = "rejected", str(error)
            raise
        record.outcome = "answered"
        return result

    async def _try(self, post: Post[Result], address: str, limits: TimeLimits, record: TryRecord) -> Result:
        clock = asyncio.get_running_loop().time
        began = clock()
        headers = headers_for_redirect(self._headers, self._server.address_of(post.path), address)
        response = await self._send(HttpRequest("POST", address, headers, post.body, post.largest), limits, record)
        data = self._read(response, post.on_error)
        try:
            result = post.read(data)
        except ValueError as error:
            raise TemporaryFailure(one_line(str(error)), "unreadable") from error
        self._pace.add(clock() - began, completion_tokens(data))
        if post.is_empty(result) and record.number < _TRIES_WITH_EMPTY_ANSWER:
            raise TemporaryFailure("an empty answer", "unreadable")
        return result

    async def _send(self, request: HttpRequest, limits: TimeLimits, record: TryRecord) -> HttpResponse:
        try:
            return await send(self._http, request, limits, record)
        except UnusableAddress as error:
            record.outcome = "not sent" if record.status is None else "rejected"
            raise self._server.unreachable(f"the address is not usable ({error})") from error

    def _read(self, response: HttpResponse, on_error: OnError = _ignore_error) -> Any:
        """The JSON of a successful response. Raises TemporaryFailure, ModelRefusedUs, or what `on_error` raises."""
        if response.is_success:
            try:
                data = parse_json(response.body)
            except ValueError as problem:
                raise TemporaryFailure(describe_body(response), "unreadable") from problem
            if not (status := hidden_status(data)):
                return data
            response = replace(response, status=status)
        error = read_error(response)
        if not error.is_out_of_credit:
            on_error(error)
            if error.is_temporary(self._pace.has_answered):
                raise TemporaryFailure(str(error), "rejected", wait=error.wait, is_rate_limit=error.status == 429)
        raise self._server.refusal(error)

    # -- between two tries ------------------------------------------------------------------------------------------

    def _redirected(self, path: str, redirected: Redirected, before: int) -> str:
        """The address of the next try, after so many redirects `before`. Raises ModelUnreachable after too many."""
        if before >= MOST_REDIRECTS:
            raise self._server.unreachable(f"the address is not usable (it redirects more than {MOST_REDIRECTS} times)")
        if redirected.for_good:
            self._moved[path] = redirected.target
        return redirected.target

    def _check_address(self, failure: TemporaryFailure, tries: int, server_kind: str) -> None:
        """Raises ModelUnreachable when the address seems to be wrong."""
        if self._pace.has_answered or tries < self._most_tries(failure):
            return
        if failure.outcome == "unreadable":
            raise self._server.answers_otherwise(failure.reason, server_kind)
        raise self._server.unreachable(failure.reason)

    def _wait(self, failure: TemporaryFailure, tries: int, deadline: float, remaining: float) -> float:
        """Seconds until the next try. Raises CallFailed when the deadline does not allow one."""
        wait = _wanted_wait(failure, tries)
        if wait >= remaining and failure.wait is not None:
            raise self._server.wait_too_long(failure.wait, deadline, failure.reason)
        if wait >= remaining:
            raise self._server.no_answer(deadline, tries, failure.reason)
        if failure.is_rate_limit:
            self.limiter.pause(1.0 if failure.wait is None else failure.wait)
        return wait

    def _most_tries(self, failure: TemporaryFailure) -> float:
        """Tries with a server that has not answered yet; a request that hangs is limited by the deadline alone."""
        if failure.hung:
            return math.inf
        if failure.outcome == "not sent" and self._server.is_here:
            return 1  # a connection that is refused on this machine will be refused again
        return _TRIES_BEFORE_FIRST_ANSWER.get(failure.outcome, math.inf)


def _wanted_wait(failure: TemporaryFailure, tries: int) -> float:
    """Seconds: what the server asks for, nothing after a request that hung, else longer with each try. A server that
    asks for no wait gets the growing one, as many requests a second would help nobody."""
    if failure.hung:
        return 0.0
    if failure.wait is None or failure.wait < _FIRST_WAIT:
        return growing_wait(tries, _FIRST_WAIT, _LONGEST_WAIT)
    return failure.wait + random.uniform(0, _JITTER)  # noqa: S311  # not a secret
