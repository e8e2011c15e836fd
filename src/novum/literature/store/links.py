"""Citation links: references to papers of the library become rows of `citations`; the others are stored until their
paper is added."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, and_, select

from novum.literature.entry import Entry
from novum.literature.identity import key_of_squeezed, squeezed
from novum.literature.store import lookup
from novum.literature.store.bulk import among, put
from novum.literature.store.database import Writing
from novum.literature.store.lookup import Name
from novum.literature.store.schema import citations, waiting

Link = tuple[int, int]
"""Row numbers: citing, cited."""
_LONGEST_NAME, _BEGINNING = 512, 480
"""Characters: PostgreSQL allows 2,700 bytes in an index."""


def link(
    writing: Writing, citing: Sequence[tuple[int, Entry]], arrived: Mapping[Name, int], titles: Mapping[int, str]
) -> int:
    """Link the references of entries (with their row numbers), and those that waited for what has `arrived`.

    `titles`: squeezed ones, by their keys, that now lead to more or to fewer papers than before. The rows are written
    already. Returns how many links were new.
    """
    cited = [(name, number) for number, entry in citing for name in _cited_names(entry)]
    found = _rows_of(writing.connection, {name for name, _ in cited}, arrived)
    pairs = {(number, found[name]) for name, number in cited if name in found}
    pairs |= _no_longer_waiting(writing, arrived)
    if _any_waits(writing.connection, "title"):
        rows = _rows_by_title(writing.connection, titles)
        pairs |= _no_longer_waiting(writing, {_as_it_waits(title): row for title, row in rows.items()})
    missing = {(*_as_it_waits(name), number) for name, number in cited if name not in found}
    writing.count_waiting(put(writing.connection, waiting, sorted(missing)))
    return put(writing.connection, citations, sorted(pair for pair in pairs if pair[0] != pair[1]))  # none cites itself


def _cited_names(entry: Entry) -> Iterator[Name]:
    """The squeezed title, as it is looked up."""
    named = (*entry.references, *(("paper", paper_id) for paper_id in entry.paper.references))
    for scheme, value in named:
        name = squeezed(value) if scheme == "title" else value
        if name and (len(name) <= _LONGEST_NAME or scheme == "title"):
            yield scheme, name


def _as_it_waits(name: Name) -> Name:
    """A very long title is cut, and ends with its key."""
    scheme, value = name
    return name if len(value) <= _LONGEST_NAME else (scheme, f"{value[:_BEGINNING]} {key_of_squeezed(value)}")


def _rows_of(connection: Connection, cited: set[Name], arrived: Mapping[Name, int]) -> dict[Name, int]:
    """Rows of the cited papers that are in the library."""
    found = {name: arrived[name] for name in cited if name in arrived}
    found |= lookup.numbers_by_name(connection, (name for name in cited if name[0] != "title" and name not in found))
    titles = {key_of_squeezed(value): value for scheme, value in cited if scheme == "title"}
    return found | _rows_by_title(connection, titles)


def _rows_by_title(connection: Connection, titles: Mapping[int, str]) -> dict[Name, int]:
    """A title counts only when exactly one paper has it."""
    alike = lookup.numbers_by_title_key(connection, titles)
    return {("title", title): rows[0] for title, rows in alike.items() if len(rows) == 1}


def _no_longer_waiting(writing: Writing, arrived: Mapping[Name, int]) -> set[Link]:
    """Links for the stored references to these names, which are then deleted."""
    links: set[Link] = set()
    for scheme, numbers in _by_scheme(arrived).items():
        if not _any_waits(writing.connection, scheme):
            continue
        those = and_(waiting.c.scheme == scheme, among(writing.connection, waiting.c.value, numbers))
        deleted = _delete_waiting(writing.connection, those)
        writing.count_waiting(-len(deleted))
        links |= {(citing, numbers[value]) for value, citing in deleted}
    return links


def _delete_waiting(connection: Connection, those: ColumnElement[bool]) -> list[tuple[str, int]]:
    """Deletes stored references and returns their values and citing rows. SQLite before 3.35 cannot return what it
    deletes."""
    if connection.dialect.delete_returning:
        statement = waiting.delete().where(those).returning(waiting.c.value, waiting.c.citing)
        return [(value, citing) for value, citing in connection.execute(statement)]
    rows = connection.execute(select(waiting.c.value, waiting.c.citing).where(those)).all()
    connection.execute(waiting.delete().where(those))
    return [(value, citing) for value, citing in rows]


def _by_scheme(arrived: Mapping[Name, int]) -> Mapping[str, dict[str, int]]:
    by_scheme: dict[str, dict[str, int]] = defaultdict(dict)
    for (scheme, value), number in arrived.items():
        by_scheme[scheme][value] = number
    return by_scheme


def _any_waits(connection: Connection, scheme: str) -> bool:
    return connection.execute(select(waiting.c.citing).where(waiting.c.scheme == scheme).limit(1)).first() is not None
