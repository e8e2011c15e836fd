"""Credentials in addresses, such as `http://user:password@host/v1?api_key=…`: they are taken out of what is stored and
shown, and put back where a connection is opened.

What was taken out is remembered by the address without it: as long as the process lives, or in the memory of
`remembered_apart`. So a model, a service or a database is known by the same address whoever uses it, and a stored run
never holds a password.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from novum.credentials.redaction import register_secrets

_SECRET_NAME = re.compile(r"key$|token|secret|passw|pwd$|^sig$|signature|^auth|credential", re.IGNORECASE)
"""Names of query parameters that hold credentials."""
_WEB = ("http", "https")
_USER_AND_PASSWORD = re.compile(r"(//|@)[^\s/@:]*:[^\s@]+@")
_USER_OF_DATABASE = re.compile(r"(?<=://)(?:[^/@:?]+:[^?]*@[^?]*(?=@)|[^/@]+(?=@))")
"""Up to the last `@` where there are several: people write passwords with `@` and `/` as they are."""


@dataclass(frozen=True)
class AddressCredentials:
    """The credentials of an address, decoded."""

    user: str = ""
    password: str = ""
    query: tuple[tuple[str, str], ...] = ()
    """Query parameters that hold a key, by name."""

    def __bool__(self) -> bool:
        return bool(self.user or self.password or self.query)

    @property
    def authorization(self) -> Mapping[str, str]:
        """The header of Basic authorization; empty without user and password."""
        if not self.user and not self.password:
            return {}
        return {"Authorization": f"Basic {base64.b64encode(f'{self.user}:{self.password}'.encode()).decode()}"}


AddressMemory = dict[str, AddressCredentials]
"""Credentials by the address without them."""
_remembered: AddressMemory = {}
_apart: ContextVar[AddressMemory | None] = ContextVar("apart", default=None)


@contextmanager
def remembered_apart(memory: AddressMemory) -> Iterator[None]:
    """Within, this task and those that it starts remember in `memory`, and look there before they look in what the
    process remembers: a workbench answers several people, and none may use the credentials of another."""
    token = _apart.set(memory)
    try:
        yield
    finally:
        _apart.reset(token)


def _known() -> AddressMemory:
    apart = _apart.get()
    return {**_remembered, **apart} if apart else _remembered


@dataclass(frozen=True)
class _SplitAddress:
    """An address and the credentials that were in it."""

    public: str
    credentials: AddressCredentials = AddressCredentials()
    unsent: tuple[str, ...] = ()
    """Keys in the fragment, which no server is sent."""


def public_address(address: str) -> str:
    """The address without its credentials, which become known secrets and are remembered for `credentials_for`.

    The user name of a database stays in the address, as it decides what the database shows. Text that is no address is
    returned as it is.
    """
    split = _split(address)
    _register(split)
    if split.credentials:
        apart = _apart.get()
        (_remembered if apart is None else apart)[split.public.rstrip("/")] = split.credentials
    return split.public


def without_password(text: str) -> str:
    """A text with stars in place of a user and password before an `@`, also where it is no address, for a message about
    it."""
    return _USER_AND_PASSWORD.sub(r"\1***@", text)


def register_address(address: str) -> None:
    """Makes the credentials of an address known secrets, for an address that is used as it is, such as a proxy's."""
    _register(_split(address))


def _split(address: str) -> _SplitAddress:
    try:
        parts = urlsplit(address if address.startswith(_WEB) else _USER_OF_DATABASE.sub(_quoted, address))
        host = parts.hostname
    except ValueError:
        return _SplitAddress(address)
    query = parse_qsl(parts.query, keep_blank_values=True)
    secret = _secrets_among(query)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    of_database = parts.scheme not in _WEB
    fragment = "" if of_database else parts.fragment
    if not host or not (secret or password or fragment or (user and not of_database)):
        return _SplitAddress(address)
    place = parts.netloc.rpartition("@")[2]
    netloc = f"{quote(user, safe='')}@{place}" if user and of_database else place
    rest = urlencode([pair for pair in query if pair not in secret]) if secret else parts.query
    public = urlunsplit(parts._replace(netloc=netloc, query=rest, fragment="" if fragment else parts.fragment))
    unsent = tuple(value for _, value in _secrets_among(parse_qsl(fragment)))
    return _SplitAddress(public, AddressCredentials(user, password, secret), unsent)


def _quoted(user: re.Match[str]) -> str:
    """User and password with `#`, `?`, `@` and `/`, which databases accept there, as an address writes them."""
    return quote(user[0], safe=":%!$&'()*+,;=")


def _secrets_among(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in pairs if _SECRET_NAME.search(pair[0]))


def credentials_for(url: str) -> AddressCredentials:
    """What was remembered for this address, or for the longest one that it begins with."""
    known = _known()
    fitting = [each for each in known if url == each or url.startswith((f"{each}/", f"{each}?"))]
    return known[max(fitting, key=len)] if fitting else AddressCredentials()


def private_address(address: str) -> str:
    """The address with what was remembered for it, for a library that takes everything in one text."""
    known = credentials_for(address)
    if not known:
        return address
    parts = urlsplit(address)
    place = parts.netloc.rpartition("@")[2]
    password = f":{quote(known.password, safe='')}" if known.password else ""
    user = f"{quote(known.user, safe='')}{password}@" if known.user or password else ""
    query = urlencode([*parse_qsl(parts.query, keep_blank_values=True), *known.query])
    return urlunsplit(parts._replace(netloc=f"{user}{place}", query=query))


def remembered_addresses() -> list[str]:
    """Every address whose credentials are remembered, with them: what another process must know to reach the same
    places. It is passed to `public_address` there, and never stored."""
    return [private_address(each) for each in _known()]


def _register(split: _SplitAddress) -> None:
    """A password that is also the user name (`postgres:postgres`) is an ordinary word, and so is no secret. A user
    without a password is a key."""
    given = split.credentials
    register_secrets(*split.unsent, *(value for _, value in given.query))
    if given.password and given.password != given.user:
        basic = given.authorization["Authorization"].removeprefix("Basic ")  # a server may encode it once more
        register_secrets(given.password, f"{given.user}:{given.password}", basic)
    elif given.user and not given.password and not given.query:
        register_secrets(given.user)
