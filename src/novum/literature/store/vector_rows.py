"""Vectors as rows: unchanged from the embedder, with its name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Join, and_, case, delete, func, not_, select

from novum.literature.store import lookup
from novum.literature.store.bulk import among, put
from novum.literature.store.database import Database, Writing
from novum.literature.store.rows import text_to_index
from novum.literature.store.schema import facts, papers, vectors

Vectors = NDArray[np.float32]

SECOND_STAGE = "rerank:"
"""Begins the names of encoders whose vectors are kept beside those of the library's embedder."""
_LONGEST_FACT = 64
_PROGRESS = "embedded to:"
_DROPPED_AT_ONCE = 50_000
_STORED = np.dtype("<f2")
"""Half precision: its error is a thousandth of the length of a vector, and it takes half the space."""


@dataclass(frozen=True, slots=True)
class PaperToEmbed:
    """A paper without a vector: its indexed text, and the change number under which it was read."""

    number: int
    change: int
    text: str


def without_vector(database: Database, embedder: str, since: int, limit: int) -> list[PaperToEmbed]:
    """Up to `limit` papers without vector that were written after change `since`, in order of change."""
    mine = and_(vectors.c.number == papers.c.number, vectors.c.embedder == embedder)
    query = (
        select(papers.c.number, papers.c.change, papers.c.title, papers.c.abstract, papers.c.summary)
        .join(vectors, mine, isouter=True)
        .where(papers.c.change > since, vectors.c.number.is_(None))
        .order_by(papers.c.change)
        .limit(limit)
    )
    with database.read() as connection:
        return [
            PaperToEmbed(number, change, text_to_index(title, abstract or summary))
            for number, change, title, abstract, summary in connection.execute(query)
        ]


def embedded_to(database: Database, embedder: str) -> int:
    """The change number up to which every paper has a vector."""
    return int(database.fact(_progress(embedder)) or 0)


def keep(database: Database, embedder: str, page: Sequence[PaperToEmbed], computed: Vectors) -> None:
    """Stores the vectors of a page of papers, shape (len(page), d), and records that everything up to its end is
    embedded.

    A row that was changed, removed, or embedded by another process in the meantime is left out: a changed row has a
    change number beyond the page, and is read again.
    """
    with database.write() as writing:
        connection = writing.connection
        writing.put_fact("embedder", embedder, only_first=True)
        writing.put_fact(_progress(embedder), str(page[-1].change))
        _put_unchanged(connection, embedder, page, computed, writing.next_change())


def keep_beside(database: Database, encoder: str, page: Sequence[PaperToEmbed], computed: Vectors) -> None:
    """Stores vectors of some papers by an encoder that is not the library's embedder. No index is derived from them, so
    the change number of the library stays as it is."""
    with database.write() as writing:
        _put_unchanged(writing.connection, encoder, page, computed, 0)


def _put_unchanged(
    connection: Connection, embedder: str, page: Sequence[PaperToEmbed], computed: Vectors, change: int
) -> None:
    """Stores the vectors of those rows that are still as they were read."""
    rows = connection.execute(
        select(papers.c.number, papers.c.change).where(among(connection, papers.c.number, [one.number for one in page]))
    )
    current = {row.number: row.change for row in rows}
    put(
        connection,
        vectors,
        [
            (embedder, one.number, row.tobytes(), change)
            for one, row in zip(page, computed.astype(_STORED), strict=True)
            if current.get(one.number) == one.change
        ],
    )


def texts_of(connection: Connection, numbers: Sequence[int]) -> list[PaperToEmbed]:
    """The texts of these rows, as far as they exist, in order of row number."""
    query = select(papers.c.number, papers.c.change, papers.c.title, papers.c.abstract, papers.c.summary)
    rows = connection.execute(query.where(among(connection, papers.c.number, numbers)).order_by(papers.c.number))
    return [
        PaperToEmbed(number, change, text_to_index(title, abstract or summary))
        for number, change, title, abstract, summary in rows
    ]


def as_stored(computed: Vectors) -> Vectors:
    """Vectors with the precision that they have once they were stored."""
    return computed.astype(_STORED).astype(np.float32)


def is_lacking(connection: Connection, embedder: str) -> bool:
    """Whether any paper has no vector."""
    query = select(papers.c.number).select_from(_beside_vectors(embedder)).where(vectors.c.number.is_(None))
    return connection.execute(query.limit(1)).first() is not None


def left_to_embed(connection: Connection, embedder: str) -> tuple[int, int]:
    """The number of papers without vector, and the characters of their texts."""
    gist = case((papers.c.abstract != "", papers.c.abstract), else_=papers.c.summary)
    length = func.length(papers.c.title) + func.length(gist)
    query = select(func.count(), func.coalesce(func.sum(length), 0)).select_from(_beside_vectors(embedder))
    number, characters = connection.execute(query.where(vectors.c.number.is_(None))).one()
    return int(number), int(characters)


def _beside_vectors(embedder: str) -> Join:
    """Every paper, with its vector where it has one."""
    return papers.outerjoin(vectors, and_(vectors.c.number == papers.c.number, vectors.c.embedder == embedder))


def forget_progress(writing: Writing, embedder: str) -> None:
    """Of all embedders but this one, as their vectors will go."""
    everyone = facts.c.name.startswith(_PROGRESS, autoescape=True)
    writing.connection.execute(delete(facts).where(everyone, facts.c.name != _progress(embedder)))


def forget(connection: Connection, numbers: Sequence[int]) -> None:
    """Deletes the vectors of these rows by any embedder."""
    for embedder in _embedders(connection):  # the key begins with it: without it, all rows would be looked at
        mine = and_(vectors.c.embedder == embedder, among(connection, vectors.c.number, numbers))
        connection.execute(delete(vectors).where(mine))


def _embedders(connection: Connection) -> Iterator[str]:
    """The embedders that have vectors, each found by one index look-up after the one before."""
    query = select(vectors.c.embedder).order_by(vectors.c.embedder).limit(1)
    name: str | None = ""
    while name := connection.execute(query.where(vectors.c.embedder > name)).scalar():
        yield name


def drop_others(database: Database, embedder: str) -> bool:
    """Deletes some vectors of other embedders, but not those of second stages. Returns whether there were any."""
    theirs = and_(vectors.c.embedder != embedder, not_(vectors.c.embedder.startswith(SECOND_STAGE, autoescape=True)))
    others = select(vectors.c.embedder, vectors.c.number).where(theirs).limit(_DROPPED_AT_ONCE)
    with database.write() as writing:
        rows = writing.connection.execute(others).all()
        for name in {row.embedder for row in rows}:
            numbers = [row.number for row in rows if row.embedder == name]
            mine = and_(vectors.c.embedder == name, among(writing.connection, vectors.c.number, numbers))
            writing.connection.execute(delete(vectors).where(mine))
    return bool(rows)


def count(connection: Connection, embedder: str) -> int:
    """How many papers have a vector."""
    return connection.execute(select(func.count()).where(vectors.c.embedder == embedder)).scalar_one()


def width(database: Database, embedder: str) -> int | None:
    """How many numbers a vector of this embedder has; None without any."""
    with database.read() as connection:
        held = connection.execute(select(vectors.c.vector).where(vectors.c.embedder == embedder).limit(1)).scalar()
    return None if held is None else len(held) // _STORED.itemsize


def more_than(connection: Connection, embedder: str, papers: int) -> bool:
    """Whether more papers than this have a vector; stops counting there."""
    query = select(vectors.c.number).where(vectors.c.embedder == embedder).offset(papers).limit(1)
    return connection.execute(query).first() is not None


def read(connection: Connection, embedder: str, numbers: Iterable[int], dimensions: int) -> tuple[list[int], Vectors]:
    """Raw vectors of these rows: the numbers that have one, and an array (n, dimensions) in the same order."""
    query = select(vectors.c.number, vectors.c.vector)
    mine = query.where(vectors.c.embedder == embedder, among(connection, vectors.c.number, numbers))
    rows = connection.execute(mine).all()
    return [row.number for row in rows], unpack([row.vector for row in rows], dimensions)


def of_papers(connection: Connection, embedder: str, ids: Iterable[str], dimensions: int) -> tuple[list[str], Vectors]:
    """The same for papers by id, in the given order: the ids of the papers that have a vector, and their vectors."""
    wanted = list(dict.fromkeys(ids))
    rows = lookup.numbers_by_name(connection, (("paper", paper_id) for paper_id in wanted))
    ids_by_row = {number: paper_id for (_, paper_id), number in rows.items()}
    numbers, computed = read(connection, embedder, ids_by_row, dimensions)
    place = {paper_id: row for row, paper_id in enumerate(wanted)}
    order = sorted(range(len(numbers)), key=lambda row: place[ids_by_row[numbers[row]]])
    return [ids_by_row[numbers[row]] for row in order], computed[order]


def page_after(
    connection: Connection, embedder: str, number: int, limit: int, dimensions: int
) -> tuple[list[int], Vectors]:
    """The next `limit` vectors in order of row number, as `read`."""
    query = (
        select(vectors.c.number, vectors.c.vector)
        .where(vectors.c.embedder == embedder, vectors.c.number > number)
        .order_by(vectors.c.number)
        .limit(limit)
    )
    rows = connection.execute(query).all()
    return [row.number for row in rows], unpack([row.vector for row in rows], dimensions)


def changed_since(connection: Connection, embedder: str, change: int) -> list[int]:
    """Rows whose vector was written after `change`."""
    by_it = vectors.c.embedder.concat("") == embedder  # SQLite would rather read all that it made than the few changes
    query = select(vectors.c.number).where(by_it, vectors.c.change > change)
    return list(connection.execute(query).scalars())


def unpack(blobs: Sequence[bytes], dimensions: int) -> Vectors:
    """Stored vectors as an array (n, dimensions); 0 dimensions: not known yet."""
    width = dimensions or (len(blobs[0]) // _STORED.itemsize if blobs else 0)
    return np.frombuffer(b"".join(blobs), dtype=_STORED).reshape(len(blobs), width).astype(np.float32)


def _progress(embedder: str) -> str:
    """Facts have names of up to 64 characters."""
    name = f"{_PROGRESS}{embedder}"
    if len(name) <= _LONGEST_FACT:
        return name
    return f"{_PROGRESS}{hashlib.blake2b(embedder.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"
