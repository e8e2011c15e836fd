"""The client of Zotero's APIs: requests at Zotero's pace, with retries, versions and bounded responses.

Its own, not `SourceClient`, since it needs what that does not have: response headers (versions, links, `Backoff`), and
requests that write.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from types import TracebackType
from typing import Literal, Self

import aiohttp
import orjson

from novum.errors import SourceError
from novum.http.body import ResponseTooLarge, read_beginning, read_body
from novum.http.client import HttpClient, proxy_for
from novum.http.redirects import is_same_server
from novum.http.retry_after import retry_after
from novum.literature.importing.cleaning import clean_text, without_markup
from novum.literature.sources.json_responses import json_value

WEB = "https://api.zotero.org"
LOCAL = "http://127.0.0.1:23119/api"
KEY_NAME = "ZOTERO_API_KEY"
KEY_PAGE = "https://www.zotero.org/settings/keys"
_PAGE, _LOCAL_PAGE = 100, 1000
"""Items of a page. The web API gives no more; the program on this computer searches anew for each page."""
MOST_WRITTEN = 50
"""Objects of one request that writes."""
_LARGEST = 64_000_000
"""Bytes of a response."""
_LONGEST_REFUSAL, _LONGEST_MESSAGE = 20_000, 160
_TIMEOUT = aiohttp.ClientTimeout(total=180, sock_connect=10, sock_read=60)
"""Seconds."""
_TRIES = 5
_PATIENCE = 120.0
"""Seconds of waiting for one request."""
_TEMPORARY = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_MOST_PAGES = 20_000
Method = Literal["GET", "POST"]


class ZoteroNotFoundError(SourceError):
    """Zotero has no such library, collection or item."""


class ZoteroForbiddenError(SourceError):
    """Zotero refuses access."""


@dataclass(frozen=True)
class ZoteroResponse:
    """A response. `body` is empty when nothing changed since the version that was asked for (304)."""

    body: bytes
    unchanged: bool = False
    version: int | None = None
    """Of the library when the response was made."""
    total: int | None = None
    """Number of results over all pages."""
    following: str = ""
    """The address of the next page; empty for the last one."""

    @property
    def value(self) -> object:
        """The JSON. Raises SourceError when it is none."""
        try:
            return json_value(self.body)
        except ValueError as error:
            raise SourceError(f"Zotero answered with something unreadable ({error}): try again later.") from error


class ZoteroClient:
    """Sends requests to one of the two APIs, one after another, and waits when Zotero asks for it.

    `address`: of the API, without final slash. `key`: for the web API; empty for public libraries and on this computer.
    It is sent to this address and nowhere else: redirects are not followed. `clock` gives seconds that only grow.
    """

    def __init__(
        self,
        address: str,
        key: str = "",
        *,
        local: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.address = address.rstrip("/")
        self.local = local
        self.has_key = bool(key)
        self._clock, self._sleep = clock, sleep
        self._not_before = 0.0
        self._random = random.Random("zotero")  # noqa: S311  # spreads retries, guards nothing
        headers = {"User-Agent": f"novum/{version('novum')}", "Zotero-API-Version": "3"}
        self._http = HttpClient(headers=headers | ({"Zotero-API-Key": key} if key else {}))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.close()

    async def get(
        self, path: str, parameters: Mapping[str, str] | None = None, *, unless: int | None = None
    ) -> ZoteroResponse:
        """One response. `unless`: a version of the library; if it has not changed since, the response is `unchanged`.

        Raises ZoteroNotFoundError, ZoteroForbiddenError, and SourceError when Zotero cannot be reached, refuses, or
        sends too much.
        """
        headers = {} if unless is None else {"If-Modified-Since-Version": str(unless)}
        return await self._exchange("GET", f"{self.address}{path}", parameters or {}, headers, None)

    async def pages(
        self, path: str, parameters: Mapping[str, str] | None = None, *, unless: int | None = None
    ) -> AsyncIterator[ZoteroResponse]:
        """All pages of a list, each requested when it is needed. Raises as `get` does."""
        first = {"limit": str(_LOCAL_PAGE if self.local else _PAGE), **(parameters or {})}
        response = await self.get(path, first, unless=unless)
        yield response
        seen: set[str] = set()
        while following := response.following:
            if not is_same_server(following, self.address) or following in seen or len(seen) > _MOST_PAGES:
                raise SourceError(
                    "Zotero sends us elsewhere or in circles from page to page: what came before is kept."
                )
            seen.add(following)
            response = await self._exchange("GET", following, {}, {}, None)
            yield response

    async def post(self, path: str, objects: list[dict[str, object]]) -> ZoteroResponse:
        """Creates objects, at most `MOST_WRITTEN`. Each must have a `key` and `version` 0: then a repeated request is
        harmless, since Zotero refuses those that exist. Raises as `get` does."""
        headers = {"Content-Type": "application/json"}
        return await self._exchange("POST", f"{self.address}{path}", {}, headers, orjson.dumps(objects))

    async def _exchange(
        self, method: Method, url: str, parameters: Mapping[str, str], headers: Mapping[str, str], body: bytes | None
    ) -> ZoteroResponse:
        waited = 0.0
        for tries in range(1, _TRIES + 1):
            waited += await self._wait_for_turn(waited)
            outcome = await self._try(method, url, parameters, headers, body)
            if isinstance(outcome, ZoteroResponse):
                return outcome
            if tries == _TRIES or (self.local and outcome.status == 0):
                raise self._lost(outcome, tries)
            wait = 2.0 ** (tries - 1) * self._random.uniform(1.0, 1.5) if outcome.wait is None else outcome.wait
            self._not_before = max(self._not_before, self._clock() + wait)
        raise AssertionError("the tries end with a response or an error")

    async def _wait_for_turn(self, waited: float) -> float:
        """Waits as long as Zotero asked for. Raises SourceError when that is too long."""
        wait = max(0.0, self._not_before - self._clock())
        if waited + wait > _PATIENCE:
            raise SourceError(
                f"Zotero asks to be left alone for {wait:.0f} s: run the same command again later. What was fetched is "
                "kept."
            )
        if wait:
            await self._sleep(wait)
        return wait

    async def _try(
        self, method: Method, url: str, parameters: Mapping[str, str], headers: Mapping[str, str], body: bytes | None
    ) -> ZoteroResponse | _Failure:
        try:
            async with self._http.request(
                method, url, parameters=parameters, headers=headers, data=body, timeout=_TIMEOUT
            ) as response:
                self._heed_backoff(response.headers)
                return await self._read(response)
        except ResponseTooLarge as error:
            raise SourceError(f"Zotero sent {error}: it was not taken.") from None
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
            return _Failure(reason="no connection")
        except TimeoutError:
            return _Failure(reason="no answer in time")
        except (aiohttp.ClientError, ConnectionError):
            return _Failure(reason="the connection was lost")

    def _heed_backoff(self, headers: Mapping[str, str]) -> None:
        """`Backoff` may come with any response, also a good one: no request for so many seconds."""
        seconds = _number(headers.get("Backoff"))
        if seconds:
            self._not_before = max(self._not_before, self._clock() + seconds)

    async def _read(self, response: aiohttp.ClientResponse) -> ZoteroResponse | _Failure:
        headers, status = response.headers, response.status
        if status in {200, 304}:
            link = response.links.get("next")
            return ZoteroResponse(
                body=await read_body(response, _LARGEST) if status == 200 else b"",
                unchanged=status == 304,
                version=_number(headers.get("Last-Modified-Version")),
                total=_number(headers.get("Total-Results")),
                following=str(link["url"]) if link else "",
            )
        said = without_markup(clean_text((await read_beginning(response, _LONGEST_REFUSAL)).decode("utf-8", "replace")))
        reason = said[:_LONGEST_MESSAGE] or response.reason or ""
        if status in _TEMPORARY:
            return _Failure(status, reason, retry_after(headers))
        raise self._refusal(status, reason)

    def _refusal(self, status: int, reason: str) -> SourceError:
        if status in {401, 403}:
            return ZoteroForbiddenError(self._about_access(status, reason))
        if status in {404, 410}:
            return ZoteroNotFoundError(f"Zotero has no such library or collection ({status}: {reason}).")
        return SourceError(f"Zotero cannot answer this ({status}: {reason}).")

    def _about_access(self, status: int, reason: str) -> str:
        if self.local:
            return (
                f"Zotero lets no other program read it ({status}: {reason}): in Zotero, tick Settings > Advanced > "
                "“Allow other applications on this computer to communicate with Zotero”."
            )
        if not self.has_key:
            return (
                f"This library of Zotero is not public ({status}: {reason}): set {KEY_NAME} to a key from {KEY_PAGE}."
            )
        if _INVALID.search(reason):
            return f"Zotero does not know the key in {KEY_NAME} ({status}: {reason}): get one at {KEY_PAGE}."
        return f"The key in {KEY_NAME} may not do this ({status}: {reason}): change what it may at {KEY_PAGE}."

    def _lost(self, failure: _Failure, tries: int) -> SourceError:
        if failure.status:
            return SourceError(
                f"Zotero failed {tries} times in a row ({failure.status}: {failure.reason}): run the same command "
                "again later. What was fetched is kept."
            )
        if not self.local:
            return SourceError(f"Zotero cannot be reached ({failure.reason}): check the network and proxy.")
        proxy = " If it does, set NO_PROXY=127.0.0.1: a proxy is in between." if proxy_for(self.address) else ""
        return SourceError(
            f"Zotero does not run on this computer ({failure.reason} at {self.address}): start it (version 7 or "
            f"newer), or set {KEY_NAME} to a key from {KEY_PAGE} to read the library at zotero.org.{proxy}"
        )


@dataclass(frozen=True)
class _Failure:
    """Why a request failed that may succeed later. `status` 0: no response. `wait`: seconds that Zotero asks for."""

    status: int = 0
    reason: str = ""
    wait: float | None = None


_INVALID = re.compile("invalid key", re.IGNORECASE)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 16 else None
