"""Citation links: references found become rows of `citations`; the others wait until their paper arrives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection, and_, func, select

from novum.core import normal_title
from novum.literature.entry import Entry
from novum.literature.identity import squeezed
from novum.literature.store import lookup
from novum.literature.store.bulk import among, put
from novum.literature.store.lookup import Name
from novum.literature.store.schema import citations, waiting

Link = tuple[int, int]
"""Row numbers: citing, cited."""
_LONGEST_NAME = 512
"""Characters; PostgreSQL has no room for more than 2,700 bytes in an index."""


def link(
    connection: Connection, citing: Sequence[tuple[int, Entry]], arrived: Mapping[Name, int], titles: Mapping[int, str]
) -> int:
    """Link the references of entries (with their row numbers), and those that waited for what has `arrived`.

    `titles`: by row, of the papers that are new. The rows are written already. Returns how many links were new.
    """
    wanted = [(name, number) for number, entry in citing for name in _cited_names(entry)]
    found = _rows_of(connection, {name for name, _ in wanted}, arrived)
    pairs = {(number, found[name]) for name, number in wanted if name in found}
    pairs |= _no_longer_waiting(connection, arrived)
    if _any_waits(connection, "title"):
        pairs |= _no_longer_waiting(connection, {title_name(title): number for number, title in titles.items()})
    put(connection, waiting, sorted({(*name, number) for name, number in wanted if name not in found}))
    return put(connection, citations, sorted(pair for pair in pairs if pair[0] != pair[1]))  # none cites itself


def title_name(title: str) -> Name:
    """What a paper is called by those who cite it by its title."""
    return "title", normal_title(title)[:_LONGEST_NAME]


def _cited_names(entry: Entry) -> Iterator[Name]:
    for reference in entry.references:
        if reference.scheme == "title":
            yield title_name(reference.value)
        elif 0 < len(reference.value) <= _LONGEST_NAME:
            yield reference
    for paper_id in entry.paper.references:
        yield "paper", paper_id


def _rows_of(connection: Connection, wanted: set[Name], arrived: Mapping[Name, int]) -> dict[Name, int]:
    """Rows of the cited papers that are here. A title counts only where one paper alone has it."""
    found = {name: arrived[name] for name in wanted if name in arrived and name[0] != "title"}
    found |= lookup.numbers_by_name(connection, (name for name in wanted if name[0] != "title" and name not in found))
    titles = {value for scheme, value in wanted if scheme == "title"}
    numbers = lookup.numbers_by_title(connection, titles)
    alike = {title: numbers.get(squeezed(title), []) for title in titles}
    return found | {("title", title): rows[0] for title, rows in alike.items() if len(rows) == 1}


def _no_longer_waiting(connection: Connection, arrived: Mapping[Name, int]) -> set[Link]:
    """Links for the references that waited for these names; they wait no more."""
    made: set[Link] = set()
    for scheme, numbers in _by_scheme(arrived).items():
        if not _any_waits(connection, scheme):
            continue
        those = and_(waiting.c.scheme == scheme, among(connection, waiting.c.value, numbers))
        freed = connection.execute(waiting.delete().where(those).returning(waiting.c.value, waiting.c.citing))
        made |= {(citing, numbers[value]) for value, citing in freed}
    return made


def _by_scheme(arrived: Mapping[Name, int]) -> Mapping[str, dict[str, int]]:
    by_scheme: dict[str, dict[str, int]] = defaultdict(dict)
    for (scheme, value), number in arrived.items():
        by_scheme[scheme][value] = number
    return by_scheme


def _any_waits(connection: Connection, scheme: str) -> bool:
    return connection.execute(select(waiting.c.citing).where(waiting.c.scheme == scheme).limit(1)).first() is not None


def count_waiting(connection: Connection) -> int:
    """How many references wait for papers that are not here."""
    return connection.execute(select(func.count()).select_from(waiting)).scalar_one()
