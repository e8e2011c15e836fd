"""One request to a model server and its response, within a time limit and a size: no retries, no meaning."""

from __future__ import annotations

import asyncio
import errno
import os
import ssl
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from novum.credentials.addresses import credentials_for
from novum.credentials.redaction import redact_message
from novum.http.body import ResponseTooLarge, read_beginning, read_body
from novum.http.client import HttpClient
from novum.http.redirects import RedirectRefused, redirect_target, without_parameters
from novum.llm.responses import HttpResponse, one_line
from novum.llm.tries import TemporaryFailure, TryRecord

_STALL_SECONDS = 60.0
"""Longest pause within a body. Before its first byte the whole answer is written, which takes much longer."""
_LARGEST_ERROR = 64 * 2**10
"""Bytes of the body of an error that are read, decompressed."""
_PERMANENT_REDIRECTS = frozenset({301, 308})
_LATE = 1.0
"""Seconds."""
_NO_CONNECTION = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.ClientHttpProxyError)


class UnusableAddress(Exception):
    """Nothing can be sent to an address, or it redirects to one to which nothing is sent."""


@dataclass
class Redirected(Exception):
    """The server names another address for a request that may cost something: to send it there is another try."""

    target: str
    for_good: bool
    """Whether later requests should go there at once."""


@dataclass(frozen=True)
class HttpRequest:
    """A request to a model server."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    largest: int
    """Bytes of a successful response, decompressed, that are accepted."""
    follows_redirects: bool = False
    """Whether redirects are followed at once, as for a request that costs nothing."""


@dataclass(frozen=True)
class TimeLimits:
    """Seconds."""

    total: float
    """For request and response."""
    stall: float | None = None
    """Without a byte of the response. None: any time before the first byte, 60 seconds after it."""


async def send(http: HttpClient, request: HttpRequest, limits: TimeLimits, record: TryRecord) -> HttpResponse:
    """The response; `record` gets its status and the time of its last byte.

    Raises Redirected, TemporaryFailure when there is no complete response, UnusableAddress when there cannot be one.
    """
    try:
        async with time_limit(limits.total):
            return await _exchange(http, request, limits.stall, record)
    except (aiohttp.InvalidURL, RedirectRefused) as error:
        raise UnusableAddress(one_line(str(error), 200)) from error
    except ResponseTooLarge as error:
        raise TemporaryFailure(str(error), "unreadable") from error
    except _NO_CONNECTION as error:
        raise TemporaryFailure(_cause(error), "not sent") from error
    except TimeoutError as error:
        raise TemporaryFailure(_missing(limits, record), "lost", hung=True) from error
    except aiohttp.ClientResponseError as error:
        raise TemporaryFailure("something that is not HTTP", "unreadable") from error
    except (aiohttp.ClientError, OSError) as error:
        raise TemporaryFailure(f"connection lost: {_cause(error)}", "lost") from error


@asynccontextmanager
async def time_limit(seconds: float | None) -> AsyncIterator[asyncio.Timeout]:
    """As `asyncio.timeout`. Where the limit is noticed late, as the process was stopped or had no turn, what has
    arrived meanwhile is read before it ends."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as limit:
        if seconds is None:
            yield limit
            return
        due = loop.time() + seconds

        def expire() -> None:
            limit.reschedule(loop.time() + (_LATE if loop.time() - due > _LATE else 0.0))

        timer = loop.call_at(due, expire)
        try:
            yield limit
        finally:
            timer.cancel()


async def _exchange(http: HttpClient, request: HttpRequest, stall: float | None, record: TryRecord) -> HttpResponse:
    async with (
        asyncio.timeout(stall) as first_byte,
        http.request(
            request.method,
            request.url,
            data=request.body,
            headers=request.headers,
            redirects=request.follows_redirects,
        ) as response,
    ):
        first_byte.reschedule(None)
        record.status = response.status
        if target := redirect_target(request.url, response.status, response.headers):
            names = [name for name, _ in credentials_for(request.url).query]
            raise Redirected(without_parameters(target, names), response.status in _PERMANENT_REDIRECTS)
        read, largest = (read_body, request.largest) if response.ok else (read_beginning, _LARGEST_ERROR)
        body = await read(response, largest, stall or _STALL_SECONDS)
        record.finished = time.time()
        return HttpResponse(response.status, body, response.headers)


UNTRUSTED = "its certificate is not trusted"


def _missing(limits: TimeLimits, record: TryRecord) -> str:
    if record.status is None:
        return f"no response within {min(limits.total, limits.stall or limits.total):.3g} s"
    return "the response stalled or was too slow"


def _cause(error: BaseException) -> str:
    """What the system says of it, such as `connection refused`, or else what the library says, without the password
    that a proxy may repeat."""
    source = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
    if isinstance(source, ssl.SSLCertVerificationError):
        return one_line(f"{UNTRUSTED} ({source.verify_message.rstrip('.')})", 200)
    if isinstance(source, ssl.SSLError):
        return one_line(f"no TLS connection ({(source.reason or '').replace('_', ' ').lower()})", 200)
    number = getattr(source, "errno", None) or 0
    known = os.strerror(number) if number in errno.errorcode else getattr(source, "strerror", None)
    return one_line(redact_message(known or str(source) or type(error).__name__).lower(), 200)
