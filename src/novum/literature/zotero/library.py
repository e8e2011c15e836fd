"""Opens a library of Zotero: chooses the API, finds out whose key it is, and finds collections by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from novum.credentials.redaction import register_secrets
from novum.errors import BadInput, SourceError
from novum.literature.importing.cleaning import clean_text
from novum.literature.sources.json_responses import nested_object, objects
from novum.literature.zotero.client import (
    KEY_NAME,
    KEY_PAGE,
    LOCAL,
    WEB,
    ZoteroClient,
    ZoteroForbiddenError,
    ZoteroNotFoundError,
)
from novum.literature.zotero.place import ZoteroPlace

_KEY = re.compile(r"[23456789ABCDEFGHIJKLMNPQRSTUVWXYZ]{8}")
_MOST_NAMED = 8


@dataclass(frozen=True)
class Collection:
    """A collection. `path`: its name after those of the collections above it, as in `Thesis/Chapter 2`."""

    key: str
    path: str
    parent: str = ""


def zotero_client(place: ZoteroPlace, addresses: Mapping[str, str], environment: Mapping[str, str]) -> ZoteroClient:
    """The client for a place: of the web API where there is a key or a public library is named, else of this computer.

    `addresses`: other addresses of the APIs, by `zotero` and `zotero-local`.
    """
    key = environment.get(KEY_NAME, "").strip()
    register_secrets(key)
    if place.local or not (key or place.owner):
        return ZoteroClient(addresses.get("zotero-local") or LOCAL, local=True)
    return ZoteroClient(addresses.get("zotero") or WEB, key)


class ZoteroLibrary:
    """One library, of a user or a group. `owner`: `users/12` or `groups/34`."""

    def __init__(self, client: ZoteroClient, owner: str, access: Mapping[str, object] | None = None) -> None:
        self.client = client
        self.owner = owner
        self._access = access

    @classmethod
    async def open(cls, client: ZoteroClient, place: ZoteroPlace) -> ZoteroLibrary:
        """Raises SourceError when Zotero cannot be reached or refuses the key."""
        if client.local:
            return cls(client, place.owner or "users/0")
        if not client.has_key:
            return cls(client, place.owner)
        try:
            key = (await client.get("/keys/current")).value
        except ZoteroNotFoundError as error:
            raise ZoteroForbiddenError(f"Zotero does not know the key in {KEY_NAME}: get one at {KEY_PAGE}.") from error
        user = key.get("userID") if isinstance(key, Mapping) else None
        if not isinstance(key, Mapping) or type(user) is not int:
            raise SourceError("Zotero did not say whose key it is: try again later.")
        return cls(client, place.owner or f"users/{user}", nested_object(key, "access"))

    @property
    def path(self) -> str:
        """The beginning of the paths of its requests."""
        return f"/{self.owner}"

    def check_writable(self) -> None:
        """Raises BadInput where it is known that notes cannot be written, with what to do."""
        if self.client.local:
            raise BadInput(
                "Zotero on this computer can be read by other programs but not written: set "
                f"{KEY_NAME} to a key with write access from {KEY_PAGE}. Notes then arrive at the next synchronisation."
            )
        if not self.client.has_key:
            raise BadInput(f"Writing to Zotero needs a key: set {KEY_NAME} to one with write access from {KEY_PAGE}.")
        if self._access is not None and not self._may_write(self._access):
            raise BadInput(
                f"The key in {KEY_NAME} may read {self.owner} but not write to it: tick “Allow write access” for it at "
                f"{KEY_PAGE}."
            )

    def _may_write(self, access: Mapping[str, object]) -> bool:
        kind, _, number = self.owner.partition("/")
        if kind == "users":
            return nested_object(access, "user").get("write") is True
        groups = nested_object(access, "groups")
        return any(nested_object(groups, name).get("write") is True for name in (number, "all"))

    async def collections(self) -> list[Collection]:
        """All collections, sorted by path."""
        names: dict[str, tuple[str, str]] = {}
        async for page in self.client.pages(f"{self.path}/collections"):
            for one in objects(page.value):
                data = nested_object(one, "data")
                parent = data.get("parentCollection")
                names[str(data.get("key"))] = clean_text(data.get("name")), parent if isinstance(parent, str) else ""
        found = [Collection(key, "/".join(_path(key, names)), parent) for key, (_, parent) in names.items()]
        return sorted(found, key=lambda one: one.path.casefold())

    async def find(self, name: str) -> list[Collection]:
        """The collection of this name, path or key, and all collections below it. Raises BadInput, naming some, when
        there is none or more than one."""
        try:
            known = await self.collections()
        except ZoteroNotFoundError as error:
            raise BadInput(f"There is no library {self.owner} at Zotero: check the number.") from error
        wanted = _matching(known, name)
        if len(wanted) != 1:
            raise BadInput(_about_names(name, wanted, known))
        return [wanted[0], *_below(wanted[0], known)]


def _matching(known: list[Collection], name: str) -> list[Collection]:
    if _KEY.fullmatch(name) and (by_key := [one for one in known if one.key == name]):
        return by_key
    plain = name.strip("/").casefold()
    by_path = [one for one in known if one.path.casefold() == plain]
    return by_path or [one for one in known if one.path.casefold().endswith(f"/{plain}")]


def _below(parent: Collection, known: list[Collection]) -> Iterator[Collection]:
    seen, waiting = {parent.key}, [parent.key]
    while waiting:
        above = waiting.pop()
        for one in known:
            if one.parent == above and one.key not in seen:
                seen.add(one.key)
                waiting.append(one.key)
                yield one


def _path(key: str, names: Mapping[str, tuple[str, str]]) -> list[str]:
    """Names from the top; a circle of parents ends where it closes."""
    path: list[str] = []
    seen: set[str] = set()
    while key in names and key not in seen:
        seen.add(key)
        name, key = names[key]
        path.append(name)
    return path[::-1]


def _about_names(name: str, wanted: list[Collection], known: list[Collection]) -> str:
    if wanted:
        named = ", ".join(f"{one.path} ({one.key})" for one in wanted[:_MOST_NAMED])
        return f"Zotero has {len(wanted)} collections named {name!r}: {named}. Name one by its path or key."
    if not known:
        return f"There is no collection {name!r}: this library of Zotero has none. Leave the name out."
    paths = [one.path for one in known]
    folded = {path.casefold(): path for path in paths}
    near = [folded[each] for each in difflib.get_close_matches(name.casefold(), folded, n=3)]
    listed = near or paths[:_MOST_NAMED]
    more = "" if near or len(paths) <= _MOST_NAMED else f" and {len(paths) - _MOST_NAMED} more"
    hint = "Did you mean" if near else "There are:"
    return f"There is no collection {name!r} in Zotero. {hint} {', '.join(listed)}{more}{'?' if near else '.'}"
