"""Downloads PDFs from addresses that services name: any server of the public internet, none of it trusted."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import aiohttp

from novum.errors import SourceError
from novum.http.body import PDF_BEGINNING, body_pieces, is_pdf
from novum.http.public_addresses import PrivateAddressError, PublicHttpClient
from novum.http.redirects import MOST_REDIRECTS, RedirectRefused, redirect_target

LARGEST_PDF = 200_000_000
"""Bytes."""
_TIMEOUT = aiohttp.ClientTimeout(total=300, sock_connect=15, sock_read=30)
"""Seconds."""
_PAUSE = 1.0
"""Seconds between two requests to one server."""
_HEADERS = {"User-Agent": f"novum/{version('novum')}", "Accept": "application/pdf"}


class NoPdfError(SourceError):
    """No PDF came from an address. The message says why in a few words."""


class OpenPdfs:
    """`async with OpenPdfs() as pdfs: await pdfs.download(url, Path("a.pdf"))`.

    Neither keys nor cookies are sent. Addresses that are not of the public internet are refused, at first and after
    each redirect, unless the user has configured their server.
    """

    def __init__(
        self,
        configured: Collection[str] = (),
        *,
        largest: int = LARGEST_PDF,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """`configured`: web addresses whose servers may be anywhere, such as on this machine."""
        self._largest = largest
        self._clock, self._sleep = clock, sleep
        self._next: dict[str, float] = {}
        self._http = PublicHttpClient(configured, headers=_HEADERS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.close()

    async def download(self, url: str, to: Path) -> None:
        """Downloads a PDF to `to`, completely or not at all, unless it exists. Raises NoPdfError, and SourceError when
        it cannot be written."""
        if await asyncio.to_thread(to.exists):
            return
        part = to.with_name(f".{to.name}.{os.getpid()}.part")
        try:
            await self._fetch(url, part)
            await asyncio.to_thread(part.replace, to)
        finally:
            part.unlink(missing_ok=True)

    async def _fetch(self, url: str, part: Path) -> None:
        host = urlsplit(url).hostname or "an address without a server"
        try:
            async with self._open(url) as response:
                if response.status != 200:
                    raise NoPdfError(f"{host} answers {response.status}")
                await self._write(response, part, host)
        except RedirectRefused as error:
            raise NoPdfError(f"{host}: {error}") from error
        except PrivateAddressError as error:
            raise NoPdfError(str(error)) from error
        except aiohttp.ClientConnectorError as error:
            private = isinstance(error.os_error, PrivateAddressError)
            raise NoPdfError(str(error.os_error) if private else f"{host} cannot be reached") from error
        except (aiohttp.ClientError, ConnectionError, TimeoutError, ValueError) as error:
            raise NoPdfError(f"{host} sent no complete answer") from error
        except OSError as error:
            raise SourceError(f"{part.parent} cannot be written ({error.strerror}): free some space.") from error

    @asynccontextmanager
    async def _open(self, url: str) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response after redirects, each of whose addresses is looked at."""
        for _ in range(MOST_REDIRECTS):
            self._look_at(url)
            await self._wait_for_turn(urlsplit(url).netloc)
            async with self._http.request("GET", url, timeout=_TIMEOUT) as response:
                target = redirect_target(url, response.status, response.headers)
                if not target:
                    yield response
                    return
            url = target
        raise RedirectRefused(f"it redirects more than {MOST_REDIRECTS} times")

    def _look_at(self, url: str) -> None:
        """Refuses what is no address of the public internet, as far as that is known before a connection is made."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise RedirectRefused("it leads to something that is not a web address")
        self._http.check_address(url)

    async def _wait_for_turn(self, server: str) -> None:
        start = max(self._clock(), self._next.get(server, 0.0))
        self._next[server] = start + _PAUSE
        while (wait := start - self._clock()) > 0:
            await self._sleep(wait)

    async def _write(self, response: aiohttp.ClientResponse, part: Path, host: str) -> None:
        """Writes the body as it comes. Its beginning decides whether it is a PDF, whatever the server calls it."""
        beginning, size = b"", 0
        with part.open("wb") as file:
            async for piece in body_pieces(response):
                beginning += piece[: max(0, PDF_BEGINNING - len(beginning))]
                if len(beginning) >= PDF_BEGINNING and not is_pdf(beginning):
                    raise NoPdfError(f"{host} sends a web page instead of a PDF")
                size += len(piece)
                if size > self._largest:
                    raise NoPdfError(f"{host} sends more than {self._largest:,} bytes")
                file.write(piece)
        if not is_pdf(beginning):
            raise NoPdfError(f"{host} sends a web page instead of a PDF")
