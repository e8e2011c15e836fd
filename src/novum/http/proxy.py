"""The proxy that a user's environment names for an address (`HTTPS_PROXY`, `NO_PROXY`, …).

Looked up once per server. aiohttp's own `trust_env` does it for every request, twice in a thread, which costs more CPU
than the request; and it takes passwords from `~/.netrc`, where an entry that fits the host stands against our key.
"""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(address: str) -> str | None:
    """The proxy's URL, with user and password where it has them; None: ask directly."""
    parts = urlsplit(address)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    proxy = getproxies().get(parts.scheme, "")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy or None
