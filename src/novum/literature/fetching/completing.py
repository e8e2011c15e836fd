"""Missing abstracts of papers, fetched by the papers' identifiers from services that know them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from novum.core import Identifiers, Paper
from novum.errors import SourceError
from novum.literature.entry import Entry
from novum.literature.identity import same_by_identifier
from novum.literature.library import Library
from novum.literature.services.client import SourceClient
from novum.literature.sources.source import Request, Source

_MOST_SINGLE = 60
"""Records that are fetched one by one, where that is free and a batch is not."""

Names = Mapping[tuple[str, str], Paper]
"""Papers by (scheme, value)."""


async def complete_abstracts(
    library: Library, client: SourceClient, papers: Iterable[Paper], sources: Sequence[Source], *, reserve: float = 0.0
) -> int:
    """Fetches abstracts of those papers that have none, and adds them to the library. Returns how many got one.

    The sources are asked in order, each for the papers that those before it did not complete: in batches, or one by
    one where that is free and the rest of the service's budget, less `reserve` US dollars, does not pay for a batch.
    What else their records say (identifiers, references) is added too. Every answer is stored as it comes, so the call
    can be cancelled. A source that is set aside or fails is left out. Raises LibraryError, and nothing for services.
    """
    missing = {paper.id: paper for paper in papers if not paper.abstract and paper.ids.items()}
    wanted = len(missing)
    for source in sources:
        if missing and not client.is_disabled(source):
            await _ask(library, client, source, missing, reserve)
    return wanted - len(missing)


def completed_entries(names: Names, found: Iterable[Entry]) -> dict[str, Entry]:
    """By our id, the papers that one of the found entries describes with an abstract, completed with it, with
    identifiers and with references. An identifier that turns out to be another paper's is not believed."""
    completed = {}
    for entry in found:
        other = entry.paper
        known = next((names[name] for name in other.ids.items() if name in names), None)
        if known and other.abstract and same_by_identifier(known, other):
            ids = Identifiers(**(dict(other.ids.items()) | dict(known.ids.items())))
            completed[known.id] = Entry(known.but(abstract=other.abstract, ids=ids), references=entry.references)
    return completed


async def _ask(
    library: Library, client: SourceClient, source: Source, missing: dict[str, Paper], reserve: float
) -> None:
    """Takes the papers that got an abstract out of `missing`."""
    chosen = [name for paper in missing.values() if (name := _name_at(source, paper))]
    for request in _affordable(client, source, chosen, reserve):
        try:
            page = await client.page(source, request, reserve=reserve)
        except SourceError:
            if client.is_disabled(source):
                return
            continue
        names = {name: paper for paper in missing.values() for name in paper.ids.items()}
        completed = completed_entries(names, page.entries)
        if completed:
            await asyncio.to_thread(library.add, list(completed.values()), source.title)
        for paper_id in completed:
            del missing[paper_id]


def _name_at(source: Source, paper: Paper) -> tuple[str, str] | None:
    """The first identifier of a paper by which a source can fetch it."""
    return next((name for name in paper.ids.items() if source.fetch([name])), None)


def _affordable(
    client: SourceClient, source: Source, names: Sequence[tuple[str, str]], reserve: float
) -> list[Request]:
    """Requests for all names, or for some of them one by one where the budget does not pay for more."""
    batches = source.fetch(names)
    budget = client.budget(source)
    if budget is None or budget.covers(sum(map(source.cost, batches)), reserve):
        return batches
    return source.fetch_free(names[:_MOST_SINGLE]) or batches
