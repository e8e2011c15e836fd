"""The HTTP client that all of Novum uses: connections are shared, proxies come from the environment, no cookies."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=15)
"""Seconds."""


class HttpClient:
    """One pool of connections, opened by the first request and closed by `close` or at the end of `async with`.

    Every request goes through the proxy that the environment names for its server. How many requests are in flight is
    decided by the callers, each of which knows the limits of its own service.
    """

    def __init__(self, *, headers: Mapping[str, str] | None = None) -> None:
        """`headers` are sent with every request."""
        self._headers = headers
        self._opened: aiohttp.ClientSession | None = None
        self._proxies: dict[tuple[str, str], str | None] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes all connections. A later request opens new ones."""
        if self._opened is not None:
            await self._opened.close()
            self._opened = None

    def request(
        self,
        method: str,
        url: str,
        *,
        parameters: Mapping[str, str] | None = None,
        data: Any = None,
        headers: Mapping[str, str] | None = None,
        timeout: aiohttp.ClientTimeout | None = None,
        redirects: bool = False,
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        """A request, to be used as `async with client.request("GET", url) as response`.

        `redirects`: follow them. Without `timeout` only connecting is limited, to 15 seconds. Raises
        aiohttp.ClientError, OSError or TimeoutError.
        """
        return self._session().request(
            method,
            url,
            params=parameters,
            data=data,
            headers=headers,
            proxy=self._proxy(url),
            timeout=timeout or _TIMEOUT,
            allow_redirects=redirects,
        )

    def _session(self) -> aiohttp.ClientSession:
        if self._opened is None or self._opened.closed:
            self._opened = aiohttp.ClientSession(
                headers=self._headers,
                connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, keepalive_timeout=30),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._opened

    def _proxy(self, url: str) -> str | None:
        """Looked up once per server: aiohttp's `trust_env` does it for every request, twice in a thread, which costs
        more CPU than the request; and it takes passwords from `~/.netrc`, which would replace our keys."""
        parts = urlsplit(url)
        server = parts.scheme, parts.netloc
        if server not in self._proxies:
            self._proxies[server] = proxy_for(url)
        return self._proxies[server]


def proxy_for(address: str) -> str | None:
    """The URL of the proxy that the environment names for an address (`HTTPS_PROXY`, `NO_PROXY`, …), with user and
    password if it has them; None when the server is asked directly."""
    parts = urlsplit(address)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    proxy = getproxies().get(parts.scheme, "")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy or None
