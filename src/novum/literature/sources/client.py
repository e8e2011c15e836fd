"""The client of literature services: sends the requests of sources at their pace, and stores the responses."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

import aiohttp

from novum.errors import SourceError
from novum.http.client import HttpClient
from novum.http.retry_after import retry_after
from novum.literature.sources.rate_limits import GONE, FailedRequest, RateLimitState
from novum.literature.sources.response_cache import LARGEST, WEEK, ResponseCache, request_key
from novum.literature.sources.source import Page, Request, Source

_REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=180, sock_connect=15, sock_read=60)
"""Seconds."""
_DOWNLOAD_TIMEOUT = aiohttp.ClientTimeout(total=900, sock_connect=15, sock_read=60)
LARGEST_FILE = 200_000_000
"""Bytes."""
_MOST_REDIRECTS = 5
_TRIES_TO_READ = 3
_CHUNK = 1 << 16
_AGENT = f"novum/{version('novum')}"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_JSON = {"Content-Type": "application/json"}

Result = TypeVar("Result")
Take = Callable[[aiohttp.ClientResponse], Awaitable[Result]]


class ResponseTooLarge(ValueError):
    """A response is larger than allowed."""


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
        state = self._state(source)
        why = ""
        for _ in range(_TRIES_TO_READ):
            response = await self._exchange(state, request, _REQUEST_TIMEOUT, _body)
            if response is None:
                if request.when_missing is None:
                    raise state.disable(_wrong_address(source))
                return request.when_missing
            try:
                page = request.read(response)
            except ValueError as error:
                why = str(error)
                continue
            if self._cache:
                self._cache.put(request, response)
            return page
        raise state.error(
            f"{source.title} answered {_TRIES_TO_READ} times with something unreadable ({why}): try again later, or "
            "continue with other sources."
        )

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
            tries = 0
            while True:
                tries += 1
                await state.wait_for_turn()
                state.check()
                try:
                    async with self._open(state, request, limits) as response:
                        if response.status in GONE:
                            state.succeeded()
                            return None
                        if response.status == 200:
                            result = await take(response)
                            state.succeeded()
                            return result
                        failure = await _refusal(response, state)
                except (aiohttp.ClientError, ConnectionError, TimeoutError) as error:
                    failure = _lost(error)
                except ResponseTooLarge as error:
                    raise state.error(f"{state.source.title} sent {error}: it was not taken.") from None
                state.failed(failure, tries)

    @asynccontextmanager
    async def _open(
        self, state: RateLimitState, request: Request, limits: aiohttp.ClientTimeout
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response, after redirects. Key and contact are sent to the service's own address and nowhere else."""
        source, url, parameters = state.source, request.url, dict(request.parameters)
        for _ in range(_MOST_REDIRECTS):
            trusted = _server(url) == _server(source.address)
            async with self._http.request(
                "POST" if request.body else "GET",
                url,
                parameters=parameters | (source.credentials(state.key, self._contact) if trusted else {}),
                data=request.body or None,
                headers=(self._identification(state) if trusted else {}) | (_JSON if request.body else {}),
                timeout=limits,
            ) as response:
                location = response.headers.get("Location", "")
                if response.status not in _REDIRECTS or not location:
                    yield response
                    return
            url, parameters = _redirect(url, location, source.credentials(state.key, self._contact)), {}
            if not url:
                break
        raise state.error(f"{source.title} redirects us somewhere we do not follow: its response was not taken.")

    def _identification(self, state: RateLimitState) -> dict[str, str]:
        """Headers for the service itself: who we are, and the key."""
        about = f" (mailto:{self._contact})" if self._contact.isprintable() and self._contact else ""
        return {"User-Agent": f"{_AGENT}{about}"} | state.source.headers(state.key)


def _server(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _redirect(url: str, location: str, credentials: Mapping[str, str]) -> str:
    """The address of a redirect, empty when it cannot be followed. Services repeat the query in it, and with it our
    key, which is removed: it is added again where it belongs."""
    try:
        parts = urlsplit(urljoin(url, location))
        query = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return ""
    public = [(name, value) for name, value in query if name not in credentials]
    if len(public) < len(query):
        parts = parts._replace(query=urlencode(public))
    return urlunsplit(parts) if parts.scheme in {"http", "https"} and parts.netloc else ""


def _wrong_address(source: Source) -> str:
    where = "" if source.address == source.home else ", or correct it under `source_addresses` in your novum.toml"
    return f"{source.title} is not to be found at {source.address} (404): try again later{where}."


async def _body(response: aiohttp.ClientResponse) -> bytes:
    parts, size = [], 0
    async for part in response.content.iter_chunked(_CHUNK):
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise ResponseTooLarge(f"an answer of more than {LARGEST:,} bytes")
    return b"".join(parts)


async def _write(response: aiohttp.ClientResponse, to: Path, largest: int) -> None:
    size = 0
    with to.open("wb") as file:
        async for part in response.content.iter_chunked(_CHUNK):
            file.write(part)
            size += len(part)
            if size > largest:
                raise ResponseTooLarge(f"a file of more than {largest:,} bytes")


async def _refusal(response: aiohttp.ClientResponse, state: RateLimitState) -> FailedRequest:
    message = state.message_in(await response.content.read(_CHUNK))
    return FailedRequest(response.status, message or response.reason or "", retry_after(response.headers))


def _lost(error: Exception) -> FailedRequest:
    """A failure without response. Its message could hold an address with a key in it, so only its kind is shown."""
    connecting = isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError)
    kinds = {
        aiohttp.ClientConnectorError: "no connection",
        aiohttp.ClientPayloadError: "the answer was cut off",
        TimeoutError: "no answer in time",
    }
    message = next((text for kind, text in kinds.items() if isinstance(error, kind)), "the connection was lost")
    return FailedRequest(message=message, connected=not connecting)
