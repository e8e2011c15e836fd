"""The keywords of a run: the built-in list or a CSV of the user, and a balanced sample of it."""

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
from novum.files.tables import SkippedRow, columns_by_name, csv_from_text

LARGEST = 20_000_000
"""Characters of a list."""
LONGEST = 200
"""Characters of a keyword; a prompt would cut longer ones."""
_COLUMNS = {
    "keyword": ("keyword", "keywords"),
    "discipline": ("discipline", "domain", "field", "category"),
    "date": ("date",),
}


class KeywordList(Value):
    """The keywords in the order of the file, its newest date if it has any, and the lines that could not be read."""

    keywords: tuple[Keyword, ...]
    dated: str = ""
    refused: tuple[SkippedRow, ...] = ()


def built_in_keywords() -> KeywordList:
    """The list that comes with the package."""
    return read_keywords(resources.files(__package__).joinpath("keywords.csv").read_text(encoding="utf-8"))


def read_keywords(text: str) -> KeywordList:
    """The keywords in a CSV with the column `keyword` and optionally `discipline` and `date`.

    Blanks and line ends inside a quoted keyword become single spaces. The delimiter is a comma, semicolon or tab. Lines
    that cannot be read are listed in the result. Raises BadInput when the column is missing, a quotation mark is never
    closed, or no keyword is left.
    """
    if len(text) > LARGEST:
        raise BadInput(f"A list of over {LARGEST:,} characters is no list of keywords: one a line is enough.")
    found: dict[str, Keyword] = {}
    refused: list[SkippedRow] = []
    dated = ""
    with csv_from_text(text, "The list", strict=True) as rows:
        columns = columns_by_name(rows.fieldnames or (), _COLUMNS)
        if "keyword" not in columns:
            raise BadInput(
                f"The list has no column keyword (it has: {', '.join(filter(None, rows.fieldnames or ())) or 'none'}): "
                "put keyword, or keyword,discipline, on its first line."
            )
        for row in rows:
            cells = {name: " ".join((row.get(column) or "").split()) for name, column in columns.items()}
            keyword = cells["keyword"]
            if why := _why_not(keyword, found):
                refused.append(SkippedRow(where=f"line {rows.line_num}", why=why))
                continue
            found[keyword.casefold()] = Keyword(keyword=keyword, discipline=cells.get("discipline", "")[:LONGEST])
            dated = max(dated, cells.get("date", "")[:10])
    if not found:
        first = f" The first: {refused[0].where}, {refused[0].why}." if refused else ""
        raise BadInput(f"The list holds no keyword.{first} Give at least one line under the heading keyword.")
    return KeywordList(keywords=tuple(found.values()), dated=dated, refused=tuple(refused))


def sample_keywords(keywords: Sequence[Keyword], count: int, seed: int) -> tuple[Keyword, ...]:
    """`count` keywords, balanced over disciplines; a smaller sample with the same seed is the start of a larger one."""
    by_discipline: Mapping[str, list[Keyword]] = defaultdict(list)
    for each in keywords:
        by_discipline[each.discipline].append(each)
    for discipline, its in by_discipline.items():
        random.Random(content_id("seed", [seed, "keywords", discipline])).shuffle(its)  # noqa: S311  # science
    names = sorted(by_discipline)
    random.Random(content_id("seed", [seed, "disciplines"])).shuffle(names)  # noqa: S311
    rounds = zip_longest(*(by_discipline[name] for name in names))
    return tuple(each for each in chain.from_iterable(rounds) if each is not None)[:count]


def _why_not(keyword: str, known: Mapping[str, Keyword]) -> str:
    if not keyword:
        return "no keyword"
    if "\ufffd" in keyword:
        return f"{keyword[:40]!r} holds signs that are not UTF-8: save the list as UTF-8"
    if len(keyword) > LONGEST:
        return f"{len(keyword):,} characters, at most {LONGEST} are a keyword"
    return f"{keyword!r} is there already" if keyword.casefold() in known else ""
