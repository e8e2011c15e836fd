"""Which redirects are followed, and what is sent there: a key goes to the server that it was meant for, or nowhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from urllib.parse import SplitResult, parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

import aiohttp

MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie"})
_DEFAULT_PORTS = {"http": 80, "https": 443}


class RedirectRefused(aiohttp.ClientError):
    """A redirect that is not followed. Another try would end the same way."""


def redirect_target(url: str, status: int, headers: Mapping[str, str]) -> str:
    """The address to which a response redirects; empty when it does not.

    Raises RedirectRefused when the address is no web address, or leads from https to http.
    """
    location = headers.get("Location", "") if status in _REDIRECTS else ""
    if not location:
        return ""
    try:
        target = urlsplit(urljoin(url, location))
        is_web = target.scheme in _DEFAULT_PORTS and bool(target.hostname) and port_of(target) is not None
    except ValueError:
        is_web = False
    if not is_web:
        raise RedirectRefused("it redirects to something that is not a web address")
    if urlsplit(url).scheme == "https" and target.scheme == "http":
        raise RedirectRefused(f"it redirects from https to http://{target.hostname}, which is not encrypted")
    return target.geturl()


def is_same_server(url: str, other: str) -> bool:
    """Whether scheme, host and port of two addresses are the same."""
    return _server(url) == _server(other)


def without_parameters(url: str, names: Collection[str]) -> str:
    """`url` without some parameters of its query. Services repeat the query in a redirect, and with it a key."""
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    public = [(name, value) for name, value in query if name not in names]
    return url if len(public) == len(query) else urlunsplit(parts._replace(query=urlencode(public)))


def headers_for_redirect(headers: Mapping[str, str], url: str, target: str) -> Mapping[str, str]:
    """`headers`, without keys and cookies when the target is another server than that of `url`. The same host counts
    as the same server when only http becomes https."""
    if is_same_server(url, target) or _is_upgrade(url, target):
        return headers
    return {name: value for name, value in headers.items() if name.lower() not in _SECRET_HEADERS}


def _is_upgrade(url: str, target: str) -> bool:
    """From http to https of the same host, both at their usual ports."""
    ports = _server(url)[::2], _server(target)[::2]
    return ports == (("http", 80), ("https", 443)) and _server(url)[1] == _server(target)[1]


def _server(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, port_of(parts)


def port_of(parts: SplitResult) -> int | None:
    """The port of an address, the usual one of its scheme where it names none. Raises ValueError for no port."""
    return parts.port or _DEFAULT_PORTS.get(parts.scheme)
