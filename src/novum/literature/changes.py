"""What was written to a library since a moment, and all its citations: for what is derived from a library as a whole.

Rows come light, without authors and references, a page at a time: a million of them must not become a million records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import orjson
from numpy.typing import NDArray
from sqlalchemy import select

from novum.literature.library import Library
from novum.literature.store import changed_rows
from novum.literature.store.schema import citations

_PAGE = 2000
_LINKS = 200_000
_READ = ("number", "paper_id", "title", "abstract", "summary", "year", "venue", "fields", "citation_count")
Links = NDArray[np.int64]
"""Row numbers, citing beside cited, shape (n, 2)."""


@dataclass(frozen=True)
class ChangedPaper:
    """The current state of a paper. `gist`: abstract, otherwise summary."""

    number: int
    paper_id: str
    title: str
    gist: str
    year: int | None
    venue: str
    fields: tuple[str, ...]
    citations: int | None


def last_change(library: Library) -> int:
    """The number of the last change."""
    return library._database.last_change()


def current_change(library: Library) -> str:
    """The identifier of this library."""
    return library.get_note("library") or ""


def written_since(library: Library, since: int, to: int) -> Iterator[list[ChangedPaper]]:
    """Papers written after change `since` up to `to`, in pages. Raises LibraryError as every reading does."""
    for page in changed_rows.changed_pages(library._database, _READ, since, to, _PAGE):
        yield [
            ChangedPaper(
                number=row.number,
                paper_id=row.paper_id,
                title=row.title,
                gist=row.abstract or row.summary,
                year=row.year,
                venue=row.venue,
                fields=tuple(orjson.loads(row.fields)),
                citations=row.citation_count,
            )
            for row in page
        ]


def removed_since(library: Library, since: int) -> Sequence[int]:
    """Rows that were merged into others after change `since`."""
    return changed_rows.removed_since(library._database, since)


def all_links(library: Library) -> Links:
    """All citations between papers of the library, in order of the citing row; sixteen bytes each."""
    pages, last = [np.zeros((0, 2), np.int64)], (-1, -1)
    columns = citations.c.citing, citations.c.cited
    while True:
        later = (columns[0] > last[0]) | ((columns[0] == last[0]) & (columns[1] > last[1]))
        with library._database.read() as connection:
            page = connection.execute(select(*columns).where(later).order_by(*columns).limit(_LINKS)).all()
        if not page:
            return np.concatenate(pages)
        pages.append(np.array([tuple(row) for row in page], np.int64))
        last = (int(page[-1][0]), int(page[-1][1]))
