"""One request to a model server and its response, within a time limit and a size: no retries, no meaning."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass

import aiohttp

from novum.http.body import ResponseTooLarge, read_beginning, read_body
from novum.http.client import HttpClient
from novum.http.redirects import RedirectRefused
from novum.llm.responses import HttpResponse, one_line
from novum.llm.tries import TemporaryFailure, TryRecord

_STALL_SECONDS = 60.0
"""Longest pause within a body. Before its first byte the whole answer is written, which takes much longer."""
_LARGEST_ERROR = 64 * 2**10
"""Bytes of the body of an error that are read, decompressed."""
_NO_CONNECTION = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.ClientHttpProxyError)


class UnusableAddress(Exception):
    """Nothing can be sent to an address, or it redirects to one to which nothing is sent."""


@dataclass(frozen=True)
class HttpRequest:
    """A request to a model server."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    largest: int
    """Bytes of a successful response, decompressed, that are accepted."""


@dataclass(frozen=True)
class TimeLimits:
    """Seconds."""

    total: float
    """For request and response."""
    stall: float | None = None
    """Without a byte of the response. None: any time before the first byte, 60 seconds after it."""


async def send(http: HttpClient, request: HttpRequest, limits: TimeLimits, record: TryRecord) -> HttpResponse:
    """The response; `record` gets its status and the time of its last byte.

    Raises TemporaryFailure when there is no complete response, UnusableAddress when there cannot be one.
    """
    try:
        async with asyncio.timeout(limits.total):
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


async def _exchange(http: HttpClient, request: HttpRequest, stall: float | None, record: TryRecord) -> HttpResponse:
    async with (
        asyncio.timeout(stall) as first_byte,
        http.request(
            request.method, request.url, data=request.body, headers=request.headers, redirects=True
        ) as response,
    ):
        first_byte.reschedule(None)
        record.status = response.status
        read, largest = (read_body, request.largest) if response.ok else (read_beginning, _LARGEST_ERROR)
        body = await read(response, largest, stall or _STALL_SECONDS)
        record.finished = time.time()
        return HttpResponse(response.status, body, response.headers)


def _missing(limits: TimeLimits, record: TryRecord) -> str:
    if record.status is None:
        return f"no response within {min(limits.total, limits.stall or limits.total):.3g} s"
    return "the response stalled or was too slow"


def _cause(error: BaseException) -> str:
    """What the system says of it, such as `connection refused`, or else what the library says."""
    source = getattr(error, "os_error", None) or error
    number = getattr(source, "errno", None) or 0
    known = os.strerror(number) if number in errno.errorcode else getattr(source, "strerror", None)
    return one_line((known or str(source) or type(error).__name__).lower(), 200)
