"""Signing in to a service: a user name and a password become a key, which lives as long as the process."""

from __future__ import annotations

import aiohttp

from novum.credentials.redaction import register_secrets
from novum.http.body import ResponseTooLarge, body_pieces
from novum.http.client import HttpClient
from novum.literature.services.rate_limits import LONGEST_REFUSAL, RateLimitState
from novum.literature.sources.source import SignIn

_TIMEOUT = aiohttp.ClientTimeout(total=30, sock_connect=15)
"""Seconds."""
_HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}
_TOO_MANY, _BROKEN = 429, 500
"""Statuses after which the same password may be accepted later."""


async def sign_in(http: HttpClient, state: RateLimitState, wanted: SignIn) -> None:
    """Gives the state of a service the key that it asks for. A redirect is not followed: the password is for this
    address. Raises SourceError; after a refusal of the password nothing more is sent to the service."""
    title, names = state.source.title, " and ".join(wanted.names)
    try:
        async with http.request("POST", wanted.url, data=wanted.body, headers=_HEADERS, timeout=_TIMEOUT) as response:
            status, body = response.status, await _whole(response)
    except (aiohttp.ClientError, ConnectionError, TimeoutError, ResponseTooLarge) as error:
        raise state.error(f"{title} cannot be reached to sign in: check the network, or use other sources.") from error
    if status == _TOO_MANY or status >= _BROKEN:
        problem = f"{status}: {state.message_in(body, status)}"
        raise state.error(f"{title} could not sign us in ({problem}): try again later, or use other sources.")
    try:
        key = _key(wanted, state, status, body)
    except ValueError as problem:
        raise state.refuse(f"{title} did not sign us in ({problem}): check {names}, or use other sources.") from None
    register_secrets(key)
    state.key_name, state.key = names, key


def _key(wanted: SignIn, state: RateLimitState, status: int, body: bytes) -> str:
    """Raises ValueError with what the service says instead of giving a key."""
    if status != 200:
        raise ValueError(f"{status}: {state.message_in(body, status)}".rstrip(": "))
    return wanted.read(body)


async def _whole(response: aiohttp.ClientResponse) -> bytes:
    """The body as it is: the key in it must not be taken out as a secret that is known already."""
    body = bytearray()
    async for piece in body_pieces(response):
        body += piece
        if len(body) > LONGEST_REFUSAL:
            raise ResponseTooLarge("an answer that is too long for a key")
    return bytes(body)
