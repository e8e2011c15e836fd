"""How the workbench is served: address, access token, and the limits on what one browser may send."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True)
class WebOptions:
    """The options of `novum serve`. `token`: what a browser must know; empty on this machine alone. `names`: further
    host names under which the pages are reached."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    names: tuple[str, ...] = ()
    tls: bool = False
    warm: bool = False
    """Whether the library is searched once before the first page, which else takes seconds."""
    upload_bytes: int = 64 * 2**20
    """Most bytes of one upload."""
    upload_files: int = 50
    body_bytes: int = 2**20
    """Most bytes of any other request."""
    starts_a_minute: int = 12
    """Most runs that one browser may start in a minute."""

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the pages."""
        return is_loopback(self.host)

    @property
    def needs_token(self) -> bool:
        """Whether others may reach the pages: from the network, or by a further name, which a proxy hands on."""
        return not self.local or bool(self.names)

    def serves(self, host: str) -> bool:
        """Whether a request for this `Host` header is meant for the workbench. A foreign name that leads here is an
        attack by DNS rebinding; an address in digits cannot be one."""
        name = host_name(host)
        if name in LOOPBACK_NAMES or name.strip("[]") in {
            each.lower().strip("[]") for each in (self.host, *self.names)
        }:
            return True
        return not self.local and _is_address(name)


_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:@/\[\]]+)(?::\d{1,5})?", re.ASCII)


def host_name(host: str) -> str:
    """The name in a `Host` header, without the port and in lower case; empty where it is no name and port."""
    found = _HOST.fullmatch(host.strip().lower())
    return found[1] if found else ""


def is_loopback(host: str) -> bool:
    """Whether a host to bind to is reached from this machine alone."""
    if host == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host.strip("[]")).is_loopback


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
