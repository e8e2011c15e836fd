"""Which files of the ACL Anthology hold the proceedings of a venue and a year.

A file is a collection: since 2020 `2023.eacl`, before that a letter and the year, `P19`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from novum.errors import BadInput

MAIN_VENUES = ("cl", "tacl", "eacl", "naacl", "acl", "coling", "emnlp", "findings")
"""Read when no venue is asked for: the journals and the large conferences."""

FIRST_NAMED = 2020
_LETTERS = {
    "acl": ("P", range(1979, 2020)),
    "cl": ("J", range(1980, 2020)),
    "coling": ("C", (1965, 1967, 1969, 1973, *range(1980, 2004, 2), 2004, *range(2008, 2020, 2))),
    "conll": ("K", range(2015, 2020)),
    "eacl": ("E", (*range(1983, 2000, 2), 2003, 2006, 2009, 2012, 2014, 2017)),
    "emnlp": ("D", range(2007, 2020)),
    "ijcnlp": ("I", (2005, 2008, 2011, 2013, 2017)),
    "lrec": ("L", range(2000, 2020, 2)),
    "naacl": ("N", (2001, 2003, 2004, 2006, 2007, 2009, 2010, 2012, 2013, 2015, 2016, 2018, 2019)),
    "semeval": ("S", (2001, 2007, 2010, *range(2012, 2020))),
    "tacl": ("Q", range(2013, 2020)),
}
"""Before 2020: the letter, and the years in which there were proceedings."""
_HELD = {
    "aacl": (2020, 2022),
    "coling": (2020, 2022, 2025),
    "eacl": (2021, 2023, 2024, 2026),
    "ijcnlp": (2023,),
    "lrec": (2020, 2022, 2024, 2026),
    "naacl": (2021, 2022, 2024, 2025),
}
"""From 2020 on, of those that are not held every year; the others are."""
_COLLECTION = re.compile(r"[A-Z]\d\d|\d{4}\.[a-z0-9_]{1,30}")
_VENUE = re.compile(r"[a-z0-9_]{1,30}")


def collections_of(venues: Sequence[str], years: Iterable[int]) -> list[str]:
    """Year by year, the names of the collections. Among `venues` may be collections themselves, which come first
    whatever the years. Raises BadInput for what is neither."""
    names = [venue.strip() for venue in venues]
    named = [name for name in names if _COLLECTION.fullmatch(name)]
    held = [_venue(name) for name in names if name not in named]
    return [*named, *(found for year in years for venue in held if (found := _collection(venue, year)))]


def is_collection(name: str) -> bool:
    """Whether this is the name of a file, which says the year."""
    return _COLLECTION.fullmatch(name.strip()) is not None


def collection_of(paper: str) -> str:
    """Where the paper of this id is: `2023.eacl` of `2023.eacl-main.7`, `P19` of `P19-1001`; empty for no id."""
    collection, dash, _ = paper.partition("-")
    return collection if dash and _COLLECTION.fullmatch(collection) else ""


def _venue(name: str) -> str:
    venue = name.lower()
    if not _VENUE.fullmatch(venue):
        raise BadInput(f"The ACL Anthology has no venue {name!r}: give its short name, such as acl, emnlp or wmt.")
    return venue


def _collection(venue: str, year: int) -> str:
    """Empty when nothing was held that year."""
    if year >= FIRST_NAMED:
        return f"{year}.{venue}" if year in _HELD.get(venue, (year,)) else ""
    letter, held = _LETTERS.get(venue, ("", ()))
    return f"{letter}{year % 100:02}" if year in held else ""
