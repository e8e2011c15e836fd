"""Searches that a library was filled by, so that what is new since then can be fetched."""

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
    """What was looked for, and when each source was last asked for it."""

    search: Search
    steps: int = 0
    asked: dict[str, dt.date] = {}
    """Days in UTC by the source's name."""


def saved_searches(library: Library) -> list[SavedSearch]:
    """All that are remembered, in a fixed order. Raises LibraryError; what a newer Novum wrote is left out."""
    return [one for text in library.notes(_PREFIX).values() if (one := _read(text))]


def forget_search(library: Library, one: SavedSearch) -> None:
    """Note it no more; the papers that it brought stay. Raises LibraryError."""
    library.delete_note(_name(one))


def save_search(
    library: Library, search: Search, steps: int, asked: Mapping[str, dt.date], *, only_first: bool = False
) -> None:
    """Note that these sources were asked for this; what is known of others stays. `only_first`: so does the day of
    those that had been asked before. Raises LibraryError."""
    question = SavedSearch(search=search, steps=steps)
    before = _read(library.get_note(_name(question))) or question
    days = {**asked, **before.asked} if only_first else {**before.asked, **asked}
    library.set_note(_name(question), question.model_copy(update={"asked": days}).model_dump_json())


def _read(note: str | None) -> SavedSearch | None:
    """None for no note, and for one that cannot be read."""
    try:
        return SavedSearch.model_validate_json(note) if note else None
    except ValidationError:
        return None


def _name(one: SavedSearch) -> str:
    """The same for the same question, whoever was asked."""
    question = one.model_copy(update={"asked": {}})
    return _PREFIX + hashlib.blake2b(question.model_dump_json().encode(), digest_size=16).hexdigest()
