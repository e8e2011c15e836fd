"""Finding rows by name, title or number, many at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping

from sqlalchemy import Connection, select

from novum.core import Paper
from novum.literature.identity import key_of_squeezed, squeezed
from novum.literature.store.bulk import among
from novum.literature.store.rows import PAPER_COLUMNS, paper_of
from novum.literature.store.schema import citations, names, papers

Name = tuple[str, str]
"""(scheme, value): an identifier of a paper."""


def numbers_by_name(connection: Connection, wanted: Iterable[Name]) -> dict[Name, int]:
    """Row numbers of the names that are known."""
    by_scheme: dict[str, list[str]] = defaultdict(list)
    for scheme, value in wanted:
        by_scheme[scheme].append(value)
    found: dict[Name, int] = {}
    for scheme, values in by_scheme.items():
        query = select(names.c.value, names.c.number).where(
            names.c.scheme == scheme, among(connection, names.c.value, values)
        )
        found |= {(scheme, value): number for value, number in connection.execute(query)}
    return found


def numbers_by_title(connection: Connection, titles: Iterable[str]) -> dict[str, list[int]]:
    """Row numbers for each squeezed title that is known, in order."""
    return numbers_by_title_key(connection, {key_of_squeezed(plain): plain for plain in map(squeezed, titles)})


def numbers_by_title_key(connection: Connection, wanted: Mapping[int, str]) -> dict[str, list[int]]:
    """The same, for squeezed titles by their keys."""
    found: dict[str, list[int]] = defaultdict(list)
    if wanted:
        query = select(papers.c.title_key, papers.c.number).where(among(connection, papers.c.title_key, wanted))
        for key, number in connection.execute(query.order_by(papers.c.number)):
            found[wanted[key]].append(number)
    return dict(found)


def papers_by_number(connection: Connection, numbers: Iterable[int]) -> dict[int, Paper]:
    """The papers of these rows, without their references."""
    if not (wanted := list(numbers)):
        return {}
    query = select(*PAPER_COLUMNS).where(among(connection, papers.c.number, wanted))
    return {row.number: paper_of(row) for row in connection.execute(query)}


IdsOf = Callable[[Collection[int]], Mapping[int, str]]
"""Ids of papers by row, as far as they are in memory."""


def references_of(
    connection: Connection, numbers: Iterable[int], at_hand: IdsOf = lambda rows: {}
) -> dict[int, list[str]]:
    """Ids of the papers that each of these rows cites, oldest row first; ids that are `at_hand` are not read."""
    query = select(citations.c.citing, citations.c.cited).where(among(connection, citations.c.citing, numbers))
    links = [(citing, cited) for citing, cited in connection.execute(query.order_by(*citations.primary_key))]
    cited = {number for _, number in links}
    ids = dict(at_hand(cited))
    ids |= _ids(connection, cited - ids.keys())
    found: dict[int, list[str]] = defaultdict(list)
    for citing, number in links:
        if number in ids:
            found[citing].append(ids[number])
    return dict(found)


def _ids(connection: Connection, numbers: Collection[int]) -> dict[int, str]:
    if not numbers:
        return {}
    query = select(papers.c.number, papers.c.paper_id).where(among(connection, papers.c.number, numbers))
    return {row.number: row.paper_id for row in connection.execute(query)}
