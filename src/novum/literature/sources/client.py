"""Asking services: carries the requests of sources out, politely, and keeps what was answered."""

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

_LONGEST_REQUEST = aiohttp.ClientTimeout(total=180, sock_connect=15, sock_read=60)
"""Seconds."""
_LONGEST_DOWNLOAD = aiohttp.ClientTimeout(total=900, sock_connect=15, sock_read=60)
LARGEST_FILE = 200_000_000
"""Bytes."""
_MOST_REDIRECTS = 5
_TRIES_TO_READ = 3
_CHUNK = 1 << 16

Result = TypeVar("Result")
Take = Callable[[aiohttp.ClientResponse], Awaitable[Result]]


class ResponseTooLarge(ValueError):
    """An answer grew beyond its bound."""


class SourceClient:
    """One visit to any number of services.

    async with Visitor(folder, environment=os.environ) as visitor:
        async for page in visitor.pages(source, source.search(search)):
            …

    Each service is asked at its own pace and with its own key. One that refuses is waited for as long as its manners
    say, then set aside: from then on every request to it raises SourceError at once, and the others go on.
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
        """`cache`: folder of answers, None for none; `age`: seconds for which they hold; `fresh`: ask all the same.
        `environment` (the process's own by default) has the keys; `contact`: the user's e-mail address."""
        self._cache = ResponseCache(cache, age) if cache else None
        self._environment = os.environ if environment is None else environment
        self._contact = contact.strip()
        self._fresh = fresh
        self._clock = clock
        self._sleep = sleep
        self._standings: dict[tuple[str, str], RateLimitState] = {}
        self._http = HttpClient(headers={"User-Agent": _AGENT})

    async def __aenter__(self) -> Self:
        if self._cache:
            await asyncio.to_thread(self._cache.sweep)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.close()

    def is_aside(self, source: Source) -> bool:
        """Whether it was set aside."""
        return self._standing(source).is_aside

    async def pages(self, source: Source, request: Request, *, age: float | None = None) -> AsyncIterator[Page]:
        """The answer and those that follow it, each asked for when it is wanted. `age` as for `page`. Raises
        SourceError."""
        asked: set[bytes] = set()
        following: Request | None = request
        while following:
            if request_key(following) in asked:
                raise SourceError(f"{source.title} sends us in circles from page to page: what came before is kept.")
            asked.add(request_key(following))
            page = await self.page(source, following, age=age)
            yield page
            following = page.following

    async def page(self, source: Source, request: Request, *, age: float | None = None) -> Page:
        """One answer, from the cache if it is there and no older than `age` seconds (0: not from there); an empty page
        where the service knows nothing of that name.

        Raises SourceError when the service was set aside, refuses, cannot be reached, or answers unreadably.
        """
        known = self._cache.get(request, age) if self._cache and age != 0 and not self._fresh else None
        if known is not None:
            with suppress(ValueError):  # kept by another version, which read it otherwise
                return request.read(known)
        standing = self._standing(source)
        why = ""
        for _ in range(_TRIES_TO_READ):
            answer = await self._exchange(standing, request, _LONGEST_REQUEST, _body)
            if answer is None:
                if request.absent is None:
                    raise standing.set_aside(_nothing_there(source))
                return request.absent
            try:
                page = request.read(answer)
            except ValueError as error:
                why = str(error)
                continue
            if self._cache:
                self._cache.put(request, answer)
            return page
        raise standing.error(
            f"{source.title} answered {_TRIES_TO_READ} times with something unreadable ({why}): try again later, or go "
            "on with other sources."
        )

    async def file(self, source: Source, url: str, to: Path, *, largest: int = LARGEST_FILE) -> bool:
        """Bring a file to `to`, whole or not at all; nothing is asked when it is there. Returns whether there is one.

        Raises SourceError as `page` does, and when it has more than `largest` bytes or the disk refuses it.
        """
        if await asyncio.to_thread(to.exists):
            return True
        half = to.with_name(f".{to.name}.{os.getpid()}.part")

        async def keep(response: aiohttp.ClientResponse) -> bool:
            await _write(response, half, largest)
            return True

        request = Request(url, lambda _: Page())
        try:
            found = await self._exchange(self._standing(source), request, _LONGEST_DOWNLOAD, keep)
            if found:
                half.replace(to)
        except OSError as error:
            raise SourceError(
                f"{to} cannot be written ({error.strerror}): free some space or choose another."
            ) from error
        finally:
            half.unlink(missing_ok=True)
        return bool(found)

    def _standing(self, source: Source) -> RateLimitState:
        name = (source.name, source.address)
        if name not in self._standings:
            self._standings[name] = RateLimitState(source, self._environment, self._clock, self._sleep)
        return self._standings[name]

    async def _exchange(
        self, standing: RateLimitState, request: Request, limits: aiohttp.ClientTimeout, take: Take[Result]
    ) -> Result | None:
        """What `take` makes of the answer; None when there is nothing of that name. Tries until patience ends."""
        standing.check()
        async with standing.in_flight:
            tries = 0
            while True:
                tries += 1
                await standing.turn()
                standing.check()
                try:
                    async with self._open(standing, request, limits) as response:
                        if response.status in GONE:
                            standing.answered()
                            return None
                        if response.status == 200:
                            result = await take(response)
                            standing.answered()
                            return result
                        trouble = await _trouble(response, standing)
                except (aiohttp.ClientError, ConnectionError, TimeoutError) as error:
                    trouble = _lost(error)
                except ResponseTooLarge as error:
                    raise standing.error(f"{standing.source.title} sent {error}: it was not taken.") from None
                standing.bear(trouble, tries)

    @asynccontextmanager
    async def _open(
        self, standing: RateLimitState, request: Request, limits: aiohttp.ClientTimeout
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The answer, after redirects. Key and contact go to the service's own address and nowhere else."""
        source, url, parameters = standing.source, request.url, dict(request.parameters)
        for _ in range(_MOST_REDIRECTS):
            ours = _server(url) == _server(source.address)
            sent = self._http.request(
                "POST" if request.body else "GET",
                url,
                parameters=parameters | (source.credentials(standing.key, self._contact) if ours else {}),
                data=request.body or None,
                headers=(self._signed(standing) if ours else {}) | (_JSON if request.body else {}),
                timeout=limits,
            )
            async with sent as response:
                where = response.headers.get("Location", "")
                if response.status not in _REDIRECTS or not where:
                    yield response
                    return
            url, parameters = _sent_on(url, where, source.credentials(standing.key, self._contact)), {}
            if not url:
                break
        raise standing.error(f"{source.title} sends us somewhere we do not follow: what it answers was not taken.")

    def _signed(self, standing: RateLimitState) -> dict[str, str]:
        """Headers for the service itself: who we are, and our key."""
        about = f" (mailto:{self._contact})" if self._contact.isprintable() and self._contact else ""
        return {"User-Agent": f"{_AGENT}{about}"} | standing.source.headers(standing.key)


_AGENT = f"novum/{version('novum')}"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_JSON = {"Content-Type": "application/json"}


def _server(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _sent_on(url: str, where: str, credentials: Mapping[str, str]) -> str:
    """The address of a redirect, empty when it is none for us. Services repeat the question in it, and with it our key,
    which is taken out: it is added again where it belongs."""
    try:
        parts = urlsplit(urljoin(url, where))
        asked = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return ""
    kept = [(name, value) for name, value in asked if name not in credentials]
    if len(kept) < len(asked):
        parts = parts._replace(query=urlencode(kept))
    return urlunsplit(parts) if parts.scheme in {"http", "https"} and parts.netloc else ""


def _nothing_there(source: Source) -> str:
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


async def _trouble(response: aiohttp.ClientResponse, standing: RateLimitState) -> FailedRequest:
    said = standing.in_its_words(await response.content.read(_CHUNK))
    return FailedRequest(response.status, said or response.reason or "", retry_after(response.headers))


def _lost(error: Exception) -> FailedRequest:
    """What happened on the way; an address in the message could hold a key, so that only the kind is told."""
    connecting = isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError)
    kinds = {
        aiohttp.ClientConnectorError: "no connection",
        aiohttp.ClientPayloadError: "the answer was cut off",
        TimeoutError: "no answer in time",
    }
    said = next((text for kind, text in kinds.items() if isinstance(error, kind)), "the connection was lost")
    return FailedRequest(said=said, connected=not connecting)
