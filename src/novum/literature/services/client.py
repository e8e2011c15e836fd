"""The client of literature services: sends the requests of sources at their pace, and stores the responses."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import aiohttp

from novum.errors import SourceError
from novum.http.body import PDF_BEGINNING, ResponseTooLarge, body_pieces, is_pdf, read_beginning, read_body
from novum.http.client import HttpClient
from novum.http.public_addresses import PrivateAddressError, PublicHttpClient
from novum.http.redirects import (
    MOST_REDIRECTS,
    RedirectRefused,
    is_same_server,
    redirect_target,
    without_parameters,
)
from novum.http.retry_after import retry_after
from novum.literature.services.failures import FailedRequest
from novum.literature.services.rate_limits import (
    GONE,
    LONGEST_REFUSAL,
    Attempt,
    CannotAnswerError,
    RateLimitState,
)
from novum.literature.services.refusals import is_web_page, page_title
from novum.literature.services.response_cache import LARGEST, WEEK, ResponseCache, request_key
from novum.literature.services.service_budget import ServiceBudget
from novum.literature.services.signing_in import sign_in
from novum.literature.services.stored_limits import LimitsFile
from novum.literature.sources.source import NotDataError, Page, Request, Source, TooManyRequests

_REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=180, sock_connect=15, sock_read=60)
"""Seconds."""
_DOWNLOAD_TIMEOUT = aiohttp.ClientTimeout(total=900, sock_connect=15, sock_read=60)
_LONGEST_CLAIM = 300.0
"""Seconds for which the response to a request of another process is waited for, where nobody waits."""
LARGEST_FILE = 200_000_000
"""Bytes."""
_AGENT = f"novum/{version('novum')}"
_FORBIDDEN = 403
_JSON = {"Content-Type": "application/json"}

Result = TypeVar("Result")
Take = Callable[[aiohttp.ClientResponse], Awaitable[Result]]


class SourceClient:
    """Sends requests to any number of services.

    async with SourceClient(folder, environment=os.environ) as client:
        async for page in client.pages(source, source.search(search)):
            …

    Each service has its own pace, its own key and its own budget. One that refuses is retried for as long as its rate
    limits say. After three failures in a row it is set aside: until the time that it named, or else for some minutes,
    every request to it raises SourceError at once. One that refuses the key stays aside. The other services are not
    affected.
    """

    def __init__(
        self,
        cache: Path | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        contact: str = "",
        configured: Collection[str] = (),
        fresh: bool = False,
        age: float = WEEK,
        patience: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """`cache`: folder of stored responses, None for none; `age`: seconds for which they are used; `fresh`: do not
        use them. `environment` (by default that of the process) holds the keys; `contact`: the user's e-mail address.
        `configured`: web addresses that services may redirect to although they are not of the public internet.

        `patience`: seconds for which one request may take in all, once it is its turn, with its retries, as when
        somebody waits for it; None: as long as a service's rate limits allow, as when much is fetched in peace. Files
        take as long as they need. What services say of their limits is stored beside the responses, and holds for the
        next process too, unless that is `fresh`. `clock` gives seconds that only grow, `now` seconds since 1970.
        """
        self._cache = ResponseCache(cache, age) if cache else None
        self._environment = os.environ if environment is None else environment
        self._contact = contact.strip()
        self._fresh = fresh
        self._folder = cache
        self._patience = patience
        self._clock, self._now, self._sleep = clock, now, sleep
        self._states: dict[tuple[str, str], RateLimitState] = {}
        self._http = HttpClient(headers={"User-Agent": _AGENT})
        self._elsewhere = PublicHttpClient(configured, headers={"User-Agent": _AGENT})
        """For redirects to other servers than the service's own."""
        self._signing_in = asyncio.Lock()

    async def __aenter__(self) -> Self:
        if self._cache:
            await asyncio.to_thread(self._cache.sweep)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.close()
        await self._elsewhere.close()

    def is_disabled(self, source: Source) -> bool:
        """Whether nothing is sent to the service now: since it failed three times in a row, until the time that it
        named or for some minutes, or since it refused the key."""
        return self._state(source).is_disabled

    def budget(self, source: Source) -> ServiceBudget | None:
        """What the service said last of its limits, also to an earlier process; None when it said nothing."""
        return self._state(source).budget

    def has_key(self, source: Source) -> bool:
        """Whether requests to the service carry a key."""
        return bool(self._state(source).key)

    def delay(self, source: Source) -> float:
        """Seconds until the next request to the service could start: its pace, the requests before it, and the time for
        which it is set aside. Infinite when it refused the key."""
        return self._state(source).delay

    async def pages(
        self, source: Source, request: Request, *, age: float | None = None, reserve: float = 0.0
    ) -> AsyncIterator[Page]:
        """The page of a request and the pages after it, each requested when it is needed. `age` and `reserve` as for
        `page`. Raises SourceError."""
        sent: set[bytes] = set()
        next_request: Request | None = request
        while next_request:
            if request_key(next_request) in sent:
                raise SourceError(f"{source.title} sends us in circles from page to page: what came before is kept.")
            sent.add(request_key(next_request))
            page = await self.page(source, next_request, age=age, reserve=reserve)
            yield page
            next_request = page.next_request

    async def page(self, source: Source, request: Request, *, age: float | None = None, reserve: float = 0.0) -> Page:
        """One page, from the cache if it is there and no older than `age` seconds (0: never); `request.when_missing`
        when the service answers 404; that of `request.instead` when it cannot answer this request.

        `reserve`: US dollars that must be left of the service's budget after the request, for later ones. Raises
        SourceError when the budget is too small, the service is set aside, refuses, cannot be reached, or its response
        is unreadable.
        """
        if (stored := self._stored_page(request, age)) is not None:
            return stored
        try:
            return await self._fetch(self._state(source), request, age, reserve)
        except CannotAnswerError:
            if request.instead is None:
                raise
            return await self.page(source, request.instead, age=age, reserve=reserve)

    def _stored_page(self, request: Request, age: float | None) -> Page | None:
        """The page whose response is stored, if it may be used."""
        stored = self._cache.get(request, age) if self._cache and self._may_use_stored(age) else None
        if stored is not None:
            with suppress(ValueError):  # stored by another version, which read it differently
                return request.read(stored)
        return None

    def _may_use_stored(self, age: float | None) -> bool:
        return age != 0 and not self._fresh

    async def _fetch(self, state: RateLimitState, request: Request, age: float | None, reserve: float) -> Page:
        """The page of a request that is not in the cache. It is sent by one task of one process; the others wait for
        its response, if they may use a stored one."""
        cost = state.source.cost(request)
        state.check()
        state.check_budget(cost, reserve)
        await self._sign_in(state)
        attempt = state.attempt(cost, reserve, has_alternative=request.instead is not None)
        async with state.turn(), self._claim(request, age):
            stored = self._stored_page(request, age)
            return await self._send(state, request, attempt) if stored is None else stored

    def _claim(self, request: Request, age: float | None) -> AbstractAsyncContextManager[None]:
        if self._cache is None or not self._may_use_stored(age):
            return nullcontext()
        return self._cache.claim(request, _LONGEST_CLAIM if self._patience is None else self._patience)

    async def _send(self, state: RateLimitState, request: Request, attempt: Attempt) -> Page:
        async def take(response: aiohttp.ClientResponse) -> _ReadPage:
            body = await read_body(response, LARGEST)
            return _ReadPage(_read(request, body), body)

        result = await self._exchange(state, request, attempt, take, _REQUEST_TIMEOUT)
        if result is None:
            if request.when_missing is None:
                raise state.misplaced(_wrong_address(state.source))
            return request.when_missing
        if self._cache:
            self._cache.put(request, result.body)
        return result.page

    async def _sign_in(self, state: RateLimitState) -> None:
        """Gets a key, once, for the user name and the password in the environment, where there is none."""
        if state.key or (wanted := state.source.sign_in(self._environment)) is None:
            return
        async with self._signing_in:
            state.check()
            if not state.key:
                await sign_in(self._http, state, wanted)

    async def pdf(self, source: Source, url: str, to: Path, *, largest: int = LARGEST_FILE) -> bool:
        """Downloads a PDF to `to`, completely or not at all, unless it exists. Returns whether the service has
        it; what is no PDF is not kept.

        Raises SourceError as `page` does, and when it has more than `largest` bytes or cannot be written.
        """
        if await asyncio.to_thread(to.exists):
            return True
        part = to.with_name(f".{to.name}.{os.getpid()}.part")

        async def take(response: aiohttp.ClientResponse) -> bool:
            return await _write(response, part, largest)

        try:
            state = self._state(source)
            async with state.turn():
                taken = await self._exchange(state, Request(url, lambda _: Page()), state.attempt(), take, None)
            if taken:
                part.replace(to)
        except OSError as error:
            raise SourceError(
                f"{to} cannot be written ({error.strerror}): free some space or choose another."
            ) from error
        finally:
            part.unlink(missing_ok=True)
        return bool(taken)

    def _state(self, source: Source) -> RateLimitState:
        name = (source.name, source.address)
        if name not in self._states:
            self._states[name] = RateLimitState(
                source,
                self._environment,
                self._clock,
                self._sleep,
                contact=self._contact,
                patience=self._patience,
                now=self._now,
                stored=partial(LimitsFile, self._folder, source) if self._folder else None,
                fresh=self._fresh,
            )
        return self._states[name]

    async def _exchange(
        self,
        state: RateLimitState,
        request: Request,
        attempt: Attempt,
        take: Take[Result],
        limits: aiohttp.ClientTimeout | None,
    ) -> Result | None:
        """What `take` makes of the response; None for 404 and 410. To be called within a turn of the service. Retries
        as its state allows. `limits` None: those of a download."""
        state.check()
        attempt.began = self._clock()
        while True:
            await state.wait_for_turn()
            state.check()
            state.sent(attempt)
            left = state.seconds_left(attempt) if limits else None
            try:
                outcome = await self._try(state, request, attempt, take, _within(limits or _DOWNLOAD_TIMEOUT, left))
            finally:
                state.ended(attempt)
            if not isinstance(outcome, FailedRequest):
                state.succeeded()
                return outcome
            state.failed(outcome, attempt)

    async def _try(
        self,
        state: RateLimitState,
        request: Request,
        attempt: Attempt,
        take: Take[Result],
        limits: aiohttp.ClientTimeout,
    ) -> Result | FailedRequest | None:
        try:
            async with self._open(state, request, limits) as response:
                if response.status not in GONE and response.status != 200:
                    return await _refusal(response, state, attempt)
                state.heard(attempt, response.headers)
                return None if response.status in GONE else await take(response)
        except ResponseTooLarge as error:
            raise state.error(f"{state.source.title} sent {error}: it was not taken.") from None
        except TooManyRequests as error:
            return FailedRequest(429, str(error))
        except _WebPageError as error:
            return FailedRequest(message=str(error), kind="web page")
        except ValueError as error:
            return FailedRequest(message=str(error), kind="unreadable")
        except PrivateAddressError as error:
            raise _not_followed(state, str(error)) from error
        except (aiohttp.ClientError, ConnectionError, TimeoutError) as error:
            if isinstance(private := getattr(error, "os_error", None), PrivateAddressError):
                raise _not_followed(state, str(private)) from error
            return _lost(error)

    @asynccontextmanager
    async def _open(
        self, state: RateLimitState, request: Request, limits: aiohttp.ClientTimeout
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response, after redirects. Key and contact are sent to the service's own address and nowhere else.
        Another server must be of the public internet or configured. Raises PrivateAddressError."""
        source, url, parameters = state.source, request.url, dict(request.parameters)
        credentials = source.credentials(state.key, self._contact)
        for _ in range(MOST_REDIRECTS):
            trusted = is_same_server(url, source.address)
            async with (self._http if trusted or url == request.url else self._elsewhere).request(
                "POST" if request.body else "GET",
                url,
                parameters=parameters | (credentials if trusted else {}),
                data=request.body or None,
                headers=(self._identification(state) if trusted else {}) | (_JSON if request.body else {}),
                timeout=limits,
            ) as response:
                target = _target(state, url, response)
                if not target:
                    yield response
                    return
            url, parameters = without_parameters(target, credentials), {}
        raise _not_followed(state, f"it redirects more than {MOST_REDIRECTS} times")

    def _identification(self, state: RateLimitState) -> dict[str, str]:
        """Headers for the service itself: who we are, and the key."""
        about = f" (mailto:{self._contact})" if self._contact.isprintable() and self._contact else ""
        return {"User-Agent": f"{_AGENT}{about}"} | state.source.headers(state.key)


@dataclass(frozen=True)
class _ReadPage:
    page: Page
    body: bytes


def _target(state: RateLimitState, url: str, response: aiohttp.ClientResponse) -> str:
    """Where the response redirects to; empty when it does not."""
    try:
        return redirect_target(url, response.status, response.headers)
    except RedirectRefused as error:
        raise _not_followed(state, str(error)) from error


def _not_followed(state: RateLimitState, reason: str) -> SourceError:
    title = state.source.title
    return state.error(f"{title} redirects us somewhere we do not follow ({reason}): its response was not taken.")


def _wrong_address(source: Source) -> str:
    where = "" if source.address == source.home else ", or correct it under `source_addresses` in your novum.toml"
    return f"{source.title} is not to be found at {source.address} (404): try again later{where}."


async def _write(response: aiohttp.ClientResponse, to: Path, largest: int) -> bool:
    """Whether it is a PDF."""
    size, beginning = 0, b""
    with to.open("wb") as file:
        async for part in body_pieces(response):
            file.write(part)
            size += len(part)
            beginning += part[: max(0, PDF_BEGINNING - len(beginning))]
            if size > largest:
                raise ResponseTooLarge(f"a file of more than {largest:,} bytes")
    return is_pdf(beginning)


class _WebPageError(ValueError):
    """A web page came instead of data."""


def _read(request: Request, body: bytes) -> Page:
    """Raises ValueError with what is wrong with a response."""
    if not body.strip():
        raise ValueError("an empty answer")
    try:
        return request.read(body)
    except NotDataError as error:
        if not is_web_page(body):
            raise
        raise _WebPageError(_page_name(body)) from error


def _page_name(body: bytes) -> str:
    return f"a web page titled {title!r} came instead of data" if (title := page_title(body)) else "a web page came"


def _within(limits: aiohttp.ClientTimeout, left: float | None) -> aiohttp.ClientTimeout:
    """The limits of time, within the seconds that are left."""
    if left is None:
        return limits
    total, connect, read = limits.total or left, limits.sock_connect or left, limits.sock_read or left
    return aiohttp.ClientTimeout(total=min(total, left), sock_connect=min(connect, left), sock_read=min(read, left))


async def _refusal(response: aiohttp.ClientResponse, state: RateLimitState, attempt: Attempt) -> FailedRequest:
    body = await read_beginning(response, LONGEST_REFUSAL)
    message = state.message_in(body, response.status) or response.reason or ""
    if response.status == _FORBIDDEN and is_web_page(body):  # services say why in their own format
        return FailedRequest(message=f"{response.status}, {_page_name(body)}", kind="web page")
    state.heard(attempt, response.headers, refusal=body.decode("utf-8", "replace"))
    return FailedRequest(
        response.status,
        message,
        retry_after(response.headers),
        over_budget=state.is_spent(response.status),
        other_host=_other_host(response, state.source),
    )


def _other_host(response: aiohttp.ClientResponse, source: Source) -> str:
    """The computer that answered, where it is not that of the service itself."""
    return "" if is_same_server(str(response.url), source.address) else response.url.host or ""


def _lost(error: Exception) -> FailedRequest:
    """A failure without response. Its message could hold an address with a key in it, so only its kind is shown."""
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return FailedRequest(message="no connection", kind="not connected")
    if isinstance(error, TimeoutError):
        return FailedRequest(message="no answer in time", kind="hung")
    cut = isinstance(error, aiohttp.ClientPayloadError)
    return FailedRequest(message="the answer was cut off" if cut else "the connection was lost")
