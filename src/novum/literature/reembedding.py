"""Turning a library to another embedder: all papers are embedded anew, then its vectors take the place of the old ones.

Until then the old vectors serve every search. Whatever cuts it off, it goes on behind the last page that was stored.
"""

from __future__ import annotations

from collections.abc import Callable

from novum.core import Value
from novum.literature.embedding import Embedder, vectors_of
from novum.literature.store import vector_rows
from novum.literature.store.database import Database

_AT_ONCE = 1000
"""Papers embedded and stored together: at most so many are lost, and paid for again, after an interruption."""


class Unembedded(Value):
    """The papers without a vector by an embedder."""

    papers: int
    characters: int


def unembedded_papers(database: Database, embedder: str) -> Unembedded:
    """The number of papers without a vector by the embedder of this name, and the length of their texts."""
    with database.read() as connection:
        papers, characters = vector_rows.left_to_embed(connection, embedder)
    return Unembedded(papers=papers, characters=characters)


async def reembed(database: Database, embedder: Embedder, progress: Callable[[int], None], *, keep: bool) -> None:
    """Give every paper a vector by `embedder`, then make these the library's own. `progress` hears how many are done.

    `keep`: the vectors of others stay, so that one can turn back to them at once. Raises LibraryError when the embedder
    returns nonsense, and whatever it raises itself.
    """
    done = 0
    since = vector_rows.embedded_to(database, embedder.name)
    while True:
        while page := vector_rows.without_vector(database, embedder.name, since, _AT_ONCE):
            made = await vectors_of(embedder, [one.text for one in page])
            vector_rows.keep(database, embedder.name, page, made)
            since = page[-1].change
            done += len(page)
            progress(done)
        if _turn(database, embedder.name, keep=keep):
            break
        since = 0  # papers came in meanwhile, or somebody who turned elsewhere has removed some of these vectors
    while not keep and _is_turned(database, embedder.name) and vector_rows.drop_others(database, embedder.name):
        pass


def _is_turned(database: Database, embedder: str) -> bool:
    """Whether the library still uses these vectors: another process may have changed the embedder."""
    return database.fact("embedder") == embedder


def _turn(database: Database, embedder: str, *, keep: bool) -> bool:
    """Makes these the vectors of the library, unless papers without vector were added meanwhile."""
    with database.write() as writing:
        if vector_rows.is_lacking(writing.connection, embedder):
            return False
        writing.put_fact("embedder", embedder)
        if not keep:
            vector_rows.forget_progress(writing, embedder)
        writing.next_change()  # whoever has the library open sees that something has happened
    return True
