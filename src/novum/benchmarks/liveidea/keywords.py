"""The keywords of a run: our own list, or a CSV of the user's; and which of them, when not all are wanted."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib import resources
from itertools import chain, zip_longest

from novum.benchmarks.liveidea.records import Keyword
from novum.core import content_id
from novum.core.record import Value
from novum.errors import BadInput
from novum.files.tables import csv_from_text

LARGEST = 20_000_000
"""Characters of a list."""
LONGEST = 200
"""Characters of a keyword: one that is longer is no keyword, and a prompt would cut it."""
COLUMNS = {
    "keyword": ("keyword", "keywords"),
    "discipline": ("discipline", "domain", "field", "category"),
    "date": ("date",),
}


class RefusedKeyword(Value):
    """A line of a list that is no keyword."""

    line: int
    why: str


class KeywordList(Value):
    """The keywords in the order of the file, the day it was made where it says so, and what could not be read."""

    keywords: tuple[Keyword, ...]
    dated: str = ""
    refused: tuple[RefusedKeyword, ...] = ()


def built_in_keywords() -> KeywordList:
    """The list that comes with the package."""
    return read_keywords(resources.files(__package__).joinpath("keywords.csv").read_text(encoding="utf-8"))


def read_keywords(text: str) -> KeywordList:
    """The keywords in a CSV with the column `keyword` and, where there are, `discipline` and `date`.

    A keyword may hold quotes and line ends, where the CSV quotes it; it is put on one line. Lines that cannot be read
    are told. The delimiter may be a comma, a semicolon or a tab. Raises BadInput where the column is missing, a
    quotation mark is never closed, or no keyword is left.
    """
    if len(text) > LARGEST:
        raise BadInput(f"A list of over {LARGEST:,} characters is no list of keywords: one a line is enough.")
    found: dict[str, Keyword] = {}
    refused: list[RefusedKeyword] = []
    dated = ""
    with csv_from_text(text, "The list", strict=True) as rows:
        columns = _columns(rows.fieldnames or ())
        for row in rows:
            cells = {ours: " ".join((row.get(theirs) or "").split()) for ours, theirs in columns.items()}
            keyword = cells["keyword"]
            if why := _why_not(keyword, found):
                refused.append(RefusedKeyword(line=rows.line_num, why=why))
                continue
            found[keyword.casefold()] = Keyword(keyword=keyword, discipline=cells.get("discipline", "")[:LONGEST])
            dated = max(dated, cells.get("date", "")[:10])
    if not found:
        first = f" The first: line {refused[0].line}, {refused[0].why}." if refused else ""
        raise BadInput(f"The list holds no keyword.{first} Give at least one line under the heading keyword.")
    return KeywordList(keywords=tuple(found.values()), dated=dated, refused=tuple(refused))


def sample_keywords(keywords: Sequence[Keyword], count: int, seed: int) -> tuple[Keyword, ...]:
    """`count` of them, as many of each discipline as can be; fewer of the same seed are the first of more."""
    of_discipline: Mapping[str, list[Keyword]] = defaultdict(list)
    for each in keywords:
        of_discipline[each.discipline].append(each)
    for discipline, its in of_discipline.items():
        random.Random(content_id("seed", [seed, "keywords", discipline])).shuffle(its)  # noqa: S311  # science
    names = sorted(of_discipline)
    random.Random(content_id("seed", [seed, "disciplines"])).shuffle(names)  # noqa: S311
    rounds = zip_longest(*(of_discipline[name] for name in names))
    return tuple(each for each in chain.from_iterable(rounds) if each is not None)[:count]


def _columns(names: Sequence[str]) -> dict[str, str]:
    """Our names of the columns to the file's."""
    found = {
        ours: name for ours, theirs in COLUMNS.items() for name in names if name and name.strip().casefold() in theirs
    }
    if "keyword" not in found:
        raise BadInput(
            f"The list has no column keyword (it has: {', '.join(filter(None, names)) or 'none'}): put keyword, or "
            "keyword,discipline, on its first line."
        )
    return found


def _why_not(keyword: str, known: Mapping[str, Keyword]) -> str:
    if not keyword:
        return "no keyword"
    if "\ufffd" in keyword:
        return f"{keyword[:40]!r} holds signs that are not UTF-8: save the list as UTF-8"
    if len(keyword) > LONGEST:
        return f"{len(keyword):,} characters, at most {LONGEST} are a keyword"
    return f"{keyword!r} is there already" if keyword.casefold() in known else ""
