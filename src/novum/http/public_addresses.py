"""Which addresses lead to the public internet. Others, such as those of a router or of a service on this machine, are
not for whoever wrote an address into a record or a redirect."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from aiohttp import ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from novum.http.client import HttpClient, proxy_for

_PRIVATE_NAME = re.compile(
    r"[^.]*\.?|.*\.(?:corp|home|home\.arpa|internal|intranet|lan|local|localdomain|localhost|private)\.?"
)
"""Names without a dot, and those under names that are reserved for private networks or never given to anybody."""
ServerAddress = tuple[str, int]
"""The name of a computer, in lower case, and a port."""


class PrivateAddressError(OSError):
    """A name or address that does not lead to the public internet."""


class PublicHttpClient(HttpClient):
    """Reaches the public internet, and elsewhere only the servers that the user has configured.

    Requests raise PrivateAddressError for an address in numbers and for a name that only private networks have, and
    for another name aiohttp.ClientConnectorError with one as its `os_error`. A proxy looks names up itself, and may
    stand in a private network: a name that leads to one from here is not asked of it.
    """

    def __init__(self, configured: Collection[str] = (), *, headers: Mapping[str, str] | None = None) -> None:
        """`configured`: web addresses whose servers may be anywhere, such as on this machine; `headers` are sent with
        every request."""
        self._allowed = {found for address in configured if (found := endpoint_of(address))}
        self._resolvable = set(self._allowed)
        super().__init__(headers=headers, resolver=PublicResolver(self._resolvable))

    def check_address(self, url: str) -> None:
        """Raises PrivateAddressError for an address in numbers, or a name of a private network, that is neither public
        nor of a configured server."""
        refuse_private_address(url, self._allowed)
        if (proxy := proxy_for(url)) and (found := endpoint_of(proxy)):
            self._resolvable.add(found)

    @asynccontextmanager
    async def _send(self, method: str, url: str, *rest: Any) -> AsyncIterator[aiohttp.ClientResponse]:
        if self._proxy(url) and (found := endpoint_of(url)):
            try:
                await PublicResolver(self._allowed).resolve(*found)
            except PrivateAddressError:
                raise
            except OSError:  # the name is not known here, but may be to the proxy
                pass
        async with super()._send(method, url, *rest) as response:
            yield response


class PublicResolver(AbstractResolver):
    """Resolves names, and refuses those with an address that is not public, unless they are among `allowed`.

    It is asked when a connection is made, so that a name cannot change its address after a check. An address in numbers
    is not resolved: see `refuse_private_address`.
    """

    def __init__(self, allowed: Collection[ServerAddress] = ()) -> None:
        """`allowed` may grow."""
        self._allowed = allowed

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Raises PrivateAddressError, and OSError for a name that is unknown."""
        found = await ThreadedResolver().resolve(host, port, family)
        if (host.lower(), port) not in self._allowed and not all(is_public(one["host"]) for one in found):
            raise PrivateAddressError(f"{host} is not on the public internet")
        return found

    async def close(self) -> None:
        """It holds nothing."""


def refuse_private_address(url: str, allowed: Collection[ServerAddress] = ()) -> None:
    """Raises PrivateAddressError for an address in numbers that is not public, and for a name that only private
    networks have, unless it is among `allowed`."""
    endpoint = endpoint_of(url)
    if endpoint is None:
        raise PrivateAddressError("an address without a readable host is not on the public internet")
    host, _ = endpoint
    address = _in_numbers(host)
    is_inside = not is_public(address) if address else _PRIVATE_NAME.fullmatch(host) is not None
    if is_inside and endpoint not in allowed:
        raise PrivateAddressError(f"{host} is not on the public internet")


def endpoint_of(url: str) -> ServerAddress | None:
    """The computer and the port of a web address, the usual port where it names none; None for anything else.

    The name is read as the client reads it: digits and dots of other scripts are those of ASCII (UTS 46)."""
    try:
        parts = URL(url)
        host, port = parts.raw_host, parts.port
    except ValueError:
        return None
    return (host.lower(), port) if host and port else None


def is_public(address: str) -> bool:
    """Whether an address in numbers is of the public internet."""
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_global and not (mapped or found).is_multicast


def _in_numbers(host: str) -> str:
    """The address that a host in numbers stands for, also in the old forms with fewer than four numbers (`127.1`);
    empty for a name, which the resolver looks at."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
        return host
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, ValueError):
        return ""
