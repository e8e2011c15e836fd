"""Which addresses lead to the public internet. Others, such as those of a router or of a service on this machine, are
not for whoever wrote an address into a record."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from aiohttp import ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult


class PrivateAddressError(OSError):
    """A name or address that does not lead to the public internet."""


class PublicResolver(AbstractResolver):
    """Resolves names, and refuses those with an address that is not public, unless they are among `allowed`.

    It is asked when a connection is made, so that a name cannot change its address after a check. An address in numbers
    is not resolved: see `refuse_private_address`.
    """

    def __init__(self, allowed: Collection[str] = ()) -> None:
        """`allowed`: names of computers. The collection may grow."""
        self._allowed = allowed
        self._resolver = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Raises PrivateAddressError, and OSError for a name that is unknown."""
        found = await self._resolver.resolve(host, port, family)
        if host not in self._allowed and not all(is_public(one["host"]) for one in found):
            raise PrivateAddressError(f"{host} is not on the public internet")
        return found

    async def close(self) -> None:
        """Releases what it holds."""
        await self._resolver.close()


def refuse_private_address(url: str, allowed: Collection[str] = ()) -> None:
    """Raises PrivateAddressError for an address in numbers that is not public, unless it is among `allowed`."""
    host = urlsplit(url).hostname or ""
    if host in allowed:
        return
    try:
        ipaddress.ip_address(host)
    except ValueError:  # a name, which the resolver looks at
        return
    if not is_public(host):
        raise PrivateAddressError(f"{host} is not on the public internet")


def is_public(address: str) -> bool:
    """Whether an address in numbers is of the public internet."""
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_global and not (mapped or found).is_multicast
