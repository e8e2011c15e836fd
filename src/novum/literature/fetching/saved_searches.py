"""The searches by which a library was filled, saved so that `update_library` can repeat them."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping

from pydantic import ValidationError

from novum.core import Value
from novum.literature.library import Library
from novum.literature.sources.source import Search

_PREFIX = "search:"


class SavedSearch(Value):
    """A search, and the day on which each source was last searched."""

    search: Search
    steps: int = 0
    asked: dict[str, dt.date] = {}
    """Days in UTC by name of the source."""


def saved_searches(library: Library) -> list[SavedSearch]:
    """All saved searches, in a fixed order, without those that only a newer version can read. Raises LibraryError."""
    return [one for text in library.notes(_PREFIX).values() if (one := _read(text))]


def forget_search(library: Library, one: SavedSearch) -> None:
    """Deletes a saved search; its papers stay. Raises LibraryError."""
    library.delete_note(_name(one))


def save_search(
    library: Library, search: Search, steps: int, asked: Mapping[str, dt.date], *, only_first: bool = False
) -> None:
    """Saves the days on which sources were searched; those of other sources stay. `only_first`: an earlier day of the
    same source stays too. Raises LibraryError."""
    question = SavedSearch(search=search, steps=steps)
    before = _read(library.get_note(_name(question))) or question
    days = {**asked, **before.asked} if only_first else {**before.asked, **asked}
    library.set_note(_name(question), question.model_copy(update={"asked": days}).model_dump_json())


def _read(note: str | None) -> SavedSearch | None:
    """None without a note, and for one that cannot be read."""
    try:
        return SavedSearch.model_validate_json(note) if note else None
    except ValidationError:
        return None


def _name(one: SavedSearch) -> str:
    """The same for the same search, whichever sources were searched."""
    question = one.model_copy(update={"asked": {}})
    return _PREFIX + hashlib.blake2b(question.model_dump_json().encode(), digest_size=16).hexdigest()
