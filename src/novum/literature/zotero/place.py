"""What `zotero:…` names: a library of Zotero, or one of its collections."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from novum.errors import BadInput

PREFIX = "zotero:"
_NUMBER = re.compile(r"\d{1,12}")
_FORMS = "zotero:, zotero:COLLECTION, zotero:groups/ID or zotero:groups/ID/COLLECTION"


@dataclass(frozen=True)
class ZoteroPlace:
    """A library or collection as the user named it."""

    collection: str = ""
    """Name, path of names (`Thesis/Chapter 2`) or key of a collection; empty for the whole library."""
    owner: str = ""
    """`groups/12` or `users/34`; empty for the user's own library."""
    local: bool = False
    """Whether it is to be read from Zotero on this computer, even if there is a key for the web API."""

    def __str__(self) -> str:
        parts = ("local" if self.local else "", self.owner, self.collection)
        return PREFIX + "/".join(filter(None, parts))

    @classmethod
    def read(cls, text: str) -> Self:
        """Parses `zotero:[local/][groups/ID/|users/ID/][COLLECTION]`. Raises BadInput."""
        parts = [part.strip() for part in text.removeprefix(PREFIX).split("/")]
        parts = [part for part in parts if part]
        local = bool(parts) and parts[0] == "local"
        parts = parts[local:]
        owner = ""
        if parts and parts[0] in {"groups", "users"}:
            if len(parts) < 2 or not _NUMBER.fullmatch(parts[1]):
                raise BadInput(
                    f"{text}: after {parts[0]}/ comes a number, which is in the address of its page at zotero.org. "
                    f"Write {_FORMS}."
                )
            owner, parts = "/".join(parts[:2]), parts[2:]
        return cls("/".join(parts), owner, local)


def is_zotero(text: str) -> bool:
    """Whether an argument names Zotero."""
    return text.startswith(PREFIX)
