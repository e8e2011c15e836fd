"""The client of literature services: sends the requests of sources at their pace, and stores the responses."""

from __future__ import annotations

import asyncio
import itertools
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import aiohttp

from novum.errors import SourceError
from novum.http.body import ResponseTooLarge, body_pieces, read_beginning, read_body
from novum.http.client import HttpClient
from novum.http.redirects import (
    MOST_REDIRECTS,
    RedirectRefused,
    is_same_server,
    redirect_target,
    without_parameters,
)
from novum.http.retry_after import retry_after
from novum.literature.sources.rate_limits import GONE, LONGEST_REFUSAL, FailedRequest, RateLimitState
from novum.literature.sources.response_cache import LARGEST, WEEK, ResponseCache, request_key
from novum.literature.sources.source import Page, Request, Source

_REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=180, sock_connect=15, sock_read=60)
"""Seconds."""
_DOWNLOAD_TIMEOUT = aiohttp.ClientTimeout(total=900, sock_connect=15, sock_read=60)
LARGEST_FILE = 200_000_000
"""Bytes."""
_AGENT = f"novum/{version('novum')}"
_JSON = {"Content-Type": "application/json"}

Result = TypeVar("Result")
Take = Callable[[aiohttp.ClientResponse], Awaitable[Result]]


class SourceClient:
    """Sends requests to any number of services.

    async with SourceClient(folder, environment=os.environ) as client:
        async for page in client.pages(source, source.search(search)):
            …

    Each service has its own pace and its own key. One that refuses is retried for as long as its rate limits say, then
    disabled: from then on every request to it raises SourceError at once. The other services are not affected.
    """

    def __init__(
        self,
        cache: Path | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        contact: str = "",
        fresh: bool = False,
        age: float = WEEK,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """`cache`: folder of stored responses, None for none; `age`: seconds for which they are used; `fresh`: do not
        use them. `environment` (by default that of the process) holds the keys; `contact`: the user's e-mail address.
        """
        self._cache = ResponseCache(cache, age) if cache else None
        self._environment = os.environ if environment is None else environment
        self._contact = contact.strip()
        self._fresh = fresh
        self._clock = clock
        self._sleep = sleep
        self._states: dict[tuple[str, str], RateLimitState] = {}
        self._http = HttpClient(headers={"User-Agent": _AGENT})

    async def __aenter__(self) -> Self:
        if self._cache:
            await asyncio.to_thread(self._cache.sweep)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.close()

    def is_disabled(self, source: Source) -> bool:
        """Whether nothing more is sent to the service, since it refused or failed too often."""
        return self._state(source).is_disabled

    async def pages(self, source: Source, request: Request, *, age: float | None = None) -> AsyncIterator[Page]:
        """The page of a request and the pages after it, each requested when it is needed. `age` as for `page`. Raises
        SourceError."""
        sent: set[bytes] = set()
        next_request: Request | None = request
        while next_request:
            if request_key(next_request) in sent:
                raise SourceError(f"{source.title} sends us in circles from page to page: what came before is kept.")
            sent.add(request_key(next_request))
            page = await self.page(source, next_request, age=age)
            yield page
            next_request = page.next_request

    async def page(self, source: Source, request: Request, *, age: float | None = None) -> Page:
        """One page, from the cache if it is there and no older than `age` seconds (0: never); `request.when_missing`
        when the service answers 404.

        Raises SourceError when the service is disabled, refuses, cannot be reached, or its response is unreadable.
        """
        stored = self._cache.get(request, age) if self._cache and age != 0 and not self._fresh else None
        if stored is not None:
            with suppress(ValueError):  # stored by another version, which read it differently
                return request.read(stored)

        async def take(response: aiohttp.ClientResponse) -> _ReadPage:
            body = await read_body(response, LARGEST)
            return _ReadPage(request.read(body), body)

        state = self._state(source)
        result = await self._exchange(state, request, _REQUEST_TIMEOUT, take)
        if result is None:
            if request.when_missing is None:
                raise state.disable(_wrong_address(source))
            return request.when_missing
        if self._cache:
            self._cache.put(request, result.body)
        return result.page

    async def file(self, source: Source, url: str, to: Path, *, largest: int = LARGEST_FILE) -> bool:
        """Downloads a file to `to`, completely or not at all, unless it exists. Returns whether the service has it.

        Raises SourceError as `page` does, and when it has more than `largest` bytes or cannot be written.
        """
        if await asyncio.to_thread(to.exists):
            return True
        part = to.with_name(f".{to.name}.{os.getpid()}.part")

        async def take(response: aiohttp.ClientResponse) -> bool:
            await _write(response, part, largest)
            return True

        try:
            taken = await self._exchange(self._state(source), Request(url, lambda _: Page()), _DOWNLOAD_TIMEOUT, take)
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
            self._states[name] = RateLimitState(source, self._environment, self._clock, self._sleep)
        return self._states[name]

    async def _exchange(
        self, state: RateLimitState, request: Request, limits: aiohttp.ClientTimeout, take: Take[Result]
    ) -> Result | None:
        """What `take` makes of the response; None for 404 and 410. Retries as the state of the service allows."""
        state.check()
        async with state.in_flight:
            for tries in itertools.count(1):
                await state.wait_for_turn()
                state.check()
                outcome = await self._try(state, request, limits, take)
                if not isinstance(outcome, FailedRequest):
                    state.succeeded()
                    return outcome
                state.failed(outcome, tries)
        raise AssertionError("the tries end with a result or an error")

    async def _try(
        self, state: RateLimitState, request: Request, limits: aiohttp.ClientTimeout, take: Take[Result]
    ) -> Result | FailedRequest | None:
        try:
            async with self._open(state, request, limits) as response:
                if response.status in GONE:
                    return None
                return await take(response) if response.status == 200 else await _refusal(response, state)
        except ResponseTooLarge as error:
            raise state.error(f"{state.source.title} sent {error}: it was not taken.") from None
        except ValueError as error:
            return FailedRequest(message=str(error), kind="unreadable")
        except (aiohttp.ClientError, ConnectionError, TimeoutError) as error:
            return _lost(error)

    @asynccontextmanager
    async def _open(
        self, state: RateLimitState, request: Request, limits: aiohttp.ClientTimeout
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response, after redirects. Key and contact are sent to the service's own address and nowhere else."""
        source, url, parameters = state.source, request.url, dict(request.parameters)
        credentials = source.credentials(state.key, self._contact)
        for _ in range(MOST_REDIRECTS):
            trusted = is_same_server(url, source.address)
            async with self._http.request(
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


async def _write(response: aiohttp.ClientResponse, to: Path, largest: int) -> None:
    size = 0
    with to.open("wb") as file:
        async for part in body_pieces(response):
            file.write(part)
            size += len(part)
            if size > largest:
                raise ResponseTooLarge(f"a file of more than {largest:,} bytes")


async def _refusal(response: aiohttp.ClientResponse, state: RateLimitState) -> FailedRequest:
    message = state.message_in(await read_beginning(response, LONGEST_REFUSAL))
    return FailedRequest(response.status, message or response.reason or "", retry_after(response.headers))


def _lost(error: Exception) -> FailedRequest:
    """A failure without response. Its message could hold an address with a key in it, so only its kind is shown."""
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return FailedRequest(message="no connection", kind="not connected")
    if isinstance(error, TimeoutError):
        return FailedRequest(message="no answer in time", kind="hung")
    cut = isinstance(error, aiohttp.ClientPayloadError)
    return FailedRequest(message="the answer was cut off" if cut else "the connection was lost")
