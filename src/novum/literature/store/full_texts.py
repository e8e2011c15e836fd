"""Full texts of papers, at most one for each."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, select

from novum.errors import LibraryError
from novum.literature.store import lookup, reader
from novum.literature.store.bulk import among
from novum.literature.store.schema import full_texts
from novum.literature.store.storable import storable_data


def held(connection: Connection, paper_ids: Iterable[str]) -> dict[str, str]:
    """The full texts of these papers by id, as far as there are any."""
    ids = list(paper_ids)
    numbers = lookup.numbers_by_name(connection, (("paper", one) for one in ids))
    query = select(full_texts.c.number, full_texts.c.text).where(
        among(connection, full_texts.c.number, numbers.values())
    )
    texts = {row.number: row.text for row in connection.execute(query)}
    return {one: texts[number] for one in ids if (number := numbers.get(("paper", one))) in texts}


def keep(connection: Connection, paper_id: str, text: str) -> None:
    """Stores or replaces the full text of a paper. Raises LibraryError for an unknown paper."""
    number = reader.number_of(connection, paper_id)
    if number is None:
        raise LibraryError(f"The library has no paper {paper_id}: import it before its full text.")
    connection.execute(delete(full_texts).where(full_texts.c.number == number))
    connection.execute(insert(full_texts).values(number=number, text=storable_data(text)))
