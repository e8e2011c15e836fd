"""The HTTP client that all of Novum uses: connections are shared, proxies come from the environment, no cookies."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from novum.credentials.addresses import credentials_for, register_address
from novum.http.redirects import (
    MOST_REDIRECTS,
    RedirectRefused,
    headers_for_redirect,
    redirect_target,
    without_parameters,
)

_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=15)
"""Seconds."""
_KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPALIVE": 60, "TCP_KEEPINTVL": 30, "TCP_KEEPCNT": 4}
"""Seconds, and probes without a reply: keeps routers from dropping the silent connection of a slow answer, and notices
within three minutes that the other machine is gone, as after this one was asleep. Systems know some of these names."""


class HttpClient:
    """One pool of connections, opened by the first request and closed by `close` or at the end of `async with`.

    Every request goes through the proxy that the environment names for its server. How many requests are in flight is
    decided by the callers, each of which knows the limits of its own service.
    """

    def __init__(
        self, *, headers: Mapping[str, str] | None = None, resolver: aiohttp.abc.AbstractResolver | None = None
    ) -> None:
        """`headers` are sent with every request. `resolver` looks up names; None: the usual one."""
        self._headers = headers
        self._resolver = resolver
        self._opened: aiohttp.ClientSession | None = None
        self._proxies: dict[tuple[str, str], str | None] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def check_address(self, url: str) -> None:
        """Is called before each request. Raises OSError where nothing may be sent: here never."""

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

        `redirects`: follow them, with method and body unchanged; `headers` with a key are sent to the first server
        alone. Without `timeout` only connecting is limited, to 15 seconds. Raises aiohttp.ClientError, OSError or
        TimeoutError.
        """
        if redirects:
            return self._follow(method, url, parameters, data, headers or {}, timeout or _TIMEOUT)
        return self._send(method, url, parameters, data, headers, timeout or _TIMEOUT)

    @asynccontextmanager
    async def _follow(
        self,
        method: str,
        url: str,
        parameters: Mapping[str, str] | None,
        data: Any,
        headers: Mapping[str, str],
        limits: aiohttp.ClientTimeout,
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        for _ in range(MOST_REDIRECTS):
            async with self._send(method, url, parameters, data, headers, limits) as response:
                target = redirect_target(url, response.status, response.headers)
                if not target:
                    yield response
                    return
            target = without_parameters(target, [name for name, _ in credentials_for(url).query])
            headers = headers_for_redirect(headers, url, target)
            url, parameters = target, None
        raise RedirectRefused(f"it redirects more than {MOST_REDIRECTS} times")

    def _send(
        self,
        method: str,
        url: str,
        parameters: Mapping[str, str] | None,
        data: Any,
        headers: Mapping[str, str] | None,
        limits: aiohttp.ClientTimeout,
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        self.check_address(url)
        known = credentials_for(url)
        return self._session().request(
            method,
            url,
            params={**(parameters or {}), **dict(known.query)},
            data=data,
            headers={**(headers or {}), **known.authorization},
            proxy=self._proxy(url),
            timeout=limits,
            allow_redirects=False,
        )

    def _session(self) -> aiohttp.ClientSession:
        if self._opened is None or self._opened.closed:
            self._opened = aiohttp.ClientSession(
                headers=self._headers,
                connector=aiohttp.TCPConnector(
                    limit=0,
                    ttl_dns_cache=300,
                    keepalive_timeout=30,
                    socket_factory=_keepalive_socket,
                    resolver=self._resolver,
                ),
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


def _keepalive_socket(address: aiohttp.AddrInfoType) -> socket.socket:
    family, kind, protocol, _, _ = address
    opened = socket.socket(family, kind, protocol)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return opened


def proxy_for(address: str) -> str | None:
    """The URL of the proxy that the environment names for an address (`HTTPS_PROXY`, `NO_PROXY`, …), with user and
    password if it has them; None when no proxy is used."""
    parts = urlsplit(address)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    proxy = getproxies().get(parts.scheme, "")
    proxy = f"http://{proxy}" if proxy and "://" not in proxy else proxy
    register_address(proxy)
    return proxy or None
