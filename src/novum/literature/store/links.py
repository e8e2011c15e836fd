"""Citation links: references found become rows of `citations`; the others wait until their paper arrives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection, and_, func, insert, select

from novum.core import normal_title
from novum.literature.entry import Entry
from novum.literature.identity import squeezed
from novum.literature.store import lookup
from novum.literature.store.lookup import Name
from novum.literature.store.schema import citations, waiting

Link = tuple[int, int]
"""Row numbers: citing, cited."""
_LONGEST_NAME = 1000


def link(connection: Connection, citing: Sequence[tuple[int, Entry]], arrived: Mapping[Name, int]) -> int:
    """Link the references of entries (with their row numbers), and those that waited for what has `arrived`.

    The rows of the entries are written already. Returns how many links were new.
    """
    wanted = {(number, name) for number, entry in citing for name in _cited_names(entry)}
    found = _rows_of(connection, {name for _, name in wanted})
    pairs = {(number, found[name]) for number, name in wanted if name in found}
    missing = {(number, name) for number, name in wanted if name not in found}
    pairs |= _no_longer_waiting(connection, arrived)
    _keep_waiting(connection, missing)
    return _keep_links(connection, pairs)


def title_name(title: str) -> Name:
    """What a paper is called by those who cite it by its title."""
    return "title", normal_title(title)[:_LONGEST_NAME]


def _cited_names(entry: Entry) -> Iterator[Name]:
    for reference in entry.references:
        if reference.scheme == "title":
            yield title_name(reference.value)
        elif reference.value:
            yield reference.scheme, reference.value[:_LONGEST_NAME]
    for paper_id in entry.paper.references:
        yield "paper", paper_id


def _rows_of(connection: Connection, wanted: set[Name]) -> dict[Name, int]:
    """Rows of the cited papers that are here. A title counts only where one paper alone has it."""
    found = lookup.numbers_by_name(connection, (name for name in wanted if name[0] != "title"))
    titles = {value for scheme, value in wanted if scheme == "title"}
    numbers = lookup.numbers_by_title(connection, titles)
    alike = {title: numbers.get(squeezed(title), []) for title in titles}
    return found | {("title", title): rows[0] for title, rows in alike.items() if len(rows) == 1}


def _no_longer_waiting(connection: Connection, arrived: Mapping[Name, int]) -> set[Link]:
    """Links for the references that waited for these names; they wait no more."""
    if connection.execute(select(waiting.c.citing).limit(1)).first() is None:
        return set()
    made: set[Link] = set()
    by_scheme: dict[str, dict[str, int]] = {}
    for (scheme, value), number in arrived.items():
        by_scheme.setdefault(scheme, {})[value] = number
    for scheme, numbers in by_scheme.items():
        for some in lookup.chunks(numbers):
            those = and_(waiting.c.scheme == scheme, waiting.c.value.in_(some))
            freed = connection.execute(select(waiting.c.value, waiting.c.citing).where(those)).all()
            made |= {(citing, numbers[value]) for value, citing in freed}
            if freed:
                connection.execute(waiting.delete().where(those))
    return made


def _keep_links(connection: Connection, pairs: set[Link]) -> int:
    """Write those links that are new; how many. No paper cites itself."""
    held: set[Link] = set()
    for some in lookup.chunks(citing for citing, _ in pairs):
        rows = connection.execute(select(citations.c.citing, citations.c.cited).where(citations.c.citing.in_(some)))
        held |= {(row.citing, row.cited) for row in rows}
    new = sorted(pair for pair in pairs - held if pair[0] != pair[1])
    if new:
        connection.execute(insert(citations), [{"citing": citing, "cited": cited} for citing, cited in new])
    return len(new)


def _keep_waiting(connection: Connection, missing: set[tuple[int, Name]]) -> None:
    """Note references whose papers are not here."""
    held: set[tuple[int, Name]] = set()
    for some in lookup.chunks(citing for citing, _ in missing):
        known = connection.execute(select(waiting).where(waiting.c.citing.in_(some)))
        held |= {(row.citing, (row.scheme, row.value)) for row in known}
    new = sorted(missing - held)
    if new:
        rows = [{"scheme": scheme, "value": value, "citing": citing} for citing, (scheme, value) in new]
        connection.execute(insert(waiting), rows)


def count_waiting(connection: Connection) -> int:
    """How many references wait for papers that are not here."""
    return connection.execute(select(func.count()).select_from(waiting)).scalar_one()
