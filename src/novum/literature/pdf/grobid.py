"""PDFs read by a GROBID server, which knows more layouts. Only the server whose address the user gave is used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import aiohttp

from novum.errors import BadInput, SourceError
from novum.http.body import ResponseTooLarge, read_body
from novum.http.client import HttpClient
from novum.http.retry_after import retry_after
from novum.literature.pdf.document import PdfDocument
from novum.literature.pdf.tei import read_tei
from novum.literature.sources.xml_responses import LARGEST_ANSWER

_PATH = "/api/processFulltextDocument"
_FIELDS = {"consolidateHeader": "0", "consolidateCitations": "0", "includeRawCitations": "1"}
"""No look-ups at Crossref or elsewhere: the PDFs of a user are private."""
_TIMEOUT = aiohttp.ClientTimeout(total=300, sock_connect=10)
"""Seconds."""
_STALL_SECONDS = 60.0
_PAUSE = 5.0
_LONGEST_PAUSE = 60.0
_PATIENCE = 120.0


class Grobid:
    """`async with Grobid("http://localhost:8070") as grobid: document = await grobid.read(path)`."""

    def __init__(self, address: str, *, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        """Raises BadInput when `address` is none."""
        self.address = address.strip().rstrip("/").removesuffix("/api")
        if not self.address.startswith(("http://", "https://")):
            raise BadInput(f"{address!r} is no address of a GROBID server: write it as http://localhost:8070.")
        self._sleep = sleep
        self._http = HttpClient()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.close()

    async def read(self, path: Path) -> PdfDocument:
        """Raises SourceError when the server cannot be reached, refuses, or answers unreadably. A server that is busy
        (503) is asked again for two minutes."""
        waited = 0.0
        while True:
            try:
                answer, pause = await self._ask(path)
            except (aiohttp.ClientError, TimeoutError) as error:
                raise self._error(f"cannot be reached ({str(error) or type(error).__name__})") from error
            except OSError as error:
                raise SourceError(f"{path} cannot be opened: {error.strerror or error}.") from error
            if pause is None:
                return self._read(answer, path.name)
            waited += pause
            if waited > _PATIENCE:
                raise self._error(f"was busy for {_PATIENCE:g} seconds")
            await self._sleep(pause)

    async def _ask(self, path: Path) -> tuple[bytes, float | None]:
        """The answer, or how many seconds to wait before the next try."""
        with path.open("rb") as opened:
            form = aiohttp.FormData(_FIELDS)
            form.add_field("input", opened, filename="paper.pdf", content_type="application/pdf")
            url = self.address + _PATH
            headers = {"Accept": "application/xml"}
            async with self._http.request("POST", url, data=form, headers=headers, timeout=_TIMEOUT) as response:
                if response.status == 503:
                    return b"", min(retry_after(response.headers) or _PAUSE, _LONGEST_PAUSE)
                if response.status != 200:
                    raise self._error(f"answered {response.status} to {path.name}")
                try:
                    return await read_body(response, LARGEST_ANSWER, _STALL_SECONDS), None
                except ResponseTooLarge as error:
                    raise self._error(f"sent {error}") from error

    def _read(self, answer: bytes, name: str) -> PdfDocument:
        try:
            return read_tei(answer, name)
        except ValueError as error:
            raise self._error(f"sent something unreadable ({error})") from error

    def _error(self, what: str) -> SourceError:
        return SourceError(f"The GROBID server at {self.address} {what}: is it running, and is this its address?")
