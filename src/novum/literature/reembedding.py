"""Embedding papers, and changing the embedder of a library: all papers are embedded again, then the new vectors replace
the old ones.

Until then searches use the old vectors. After an interruption it continues after the last page that was stored.
"""

from __future__ import annotations

from collections.abc import Callable

from novum.core import Value
from novum.literature.embedding import Embedder, vectors_of
from novum.literature.search.whitening import other_length
from novum.literature.store import vector_rows
from novum.literature.store.database import Database

_AT_ONCE = 1000
"""Papers embedded and stored together: at most this many are lost, and paid for again, after an interruption."""


class MissingVectors(Value):
    """The papers without a vector by an embedder."""

    papers: int
    characters: int


def missing_vectors(database: Database, embedder: str) -> MissingVectors:
    """The number of papers without a vector by the embedder of this name, and the length of their texts."""
    with database.read() as connection:
        papers, characters = vector_rows.left_to_embed(connection, embedder)
    return MissingVectors(papers=papers, characters=characters)


async def embed_missing(
    database: Database,
    embedder: Embedder,
    progress: Callable[[int], None],
    *,
    since: int | None = None,
    at_once: int = _AT_ONCE,
) -> int:
    """Embeds and stores, `at_once` papers at a time, all papers without a vector that were written after change `since`
    (by default: after the last one that this embedder has seen). Returns how many these were, and calls `progress` with
    the number so far. Raises LibraryError, and what the embedder raises."""
    done = 0
    since = vector_rows.embedded_to(database, embedder.name) if since is None else since
    while page := vector_rows.without_vector(database, embedder.name, since, at_once):
        vectors = await vectors_of(embedder, [one.text for one in page])
        held = vector_rows.width(database, embedder.name)
        if held not in {None, vectors.shape[1]}:
            raise other_length(vectors.shape[1], held)
        vector_rows.keep(database, embedder.name, page, vectors)
        since = page[-1].change
        done += len(page)
        progress(done)
    return done


async def reembed(database: Database, embedder: Embedder, progress: Callable[[int], None], *, keep: bool) -> None:
    """Gives every paper a vector by `embedder`, then makes these the vectors of the library. `progress` is called with
    the number of papers done.

    `keep`: the vectors of other embedders stay, so that they can be used again at once. Raises LibraryError when the
    embedder returns unusable vectors, and what it raises itself.
    """
    done = await embed_missing(database, embedder, progress)
    while not _switch(database, embedder.name, keep=keep):
        # Papers were added meanwhile, or a process that switched to another embedder has deleted some of the vectors.
        before = done
        done += await embed_missing(database, embedder, lambda more, before=before: progress(before + more), since=0)  # type: ignore[misc]
    while not keep and _is_current(database, embedder.name) and vector_rows.drop_others(database, embedder.name):
        pass


def _is_current(database: Database, embedder: str) -> bool:
    """Whether the library still uses these vectors: another process may have changed the embedder."""
    return database.fact("embedder") == embedder


def _switch(database: Database, embedder: str, *, keep: bool) -> bool:
    """Makes these the vectors of the library, unless papers without vector were added meanwhile."""
    with database.write() as writing:
        if vector_rows.is_lacking(writing.connection, embedder):
            return False
        writing.put_fact("embedder", embedder)
        if not keep:
            vector_rows.forget_progress(writing, embedder)
        writing.next_change()  # so that other processes see it
    return True
