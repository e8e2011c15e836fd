"""The neighbours of one paper in the citation graph, from one service: what it cites, and what cites it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from novum.core import Paper
from novum.core.concurrency import run_concurrently
from novum.literature.entry import REGISTRIES, Entry
from novum.literature.fetching.citation_neighbours import are_same
from novum.literature.identity import nearly_same_title
from novum.literature.library import Library
from novum.literature.services.client import SourceClient
from novum.literature.sources.source import Request, Source

MOST_REFERENCES = 100
"""References of a paper that are fetched at most."""
_ORDER = ("openalex", "semantic-scholar", "europe-pmc", "crossref")
"""The services that know citations, the best first: complete graphs, then parts of it, then references alone."""
_WITH_KEY = frozenset({"semantic-scholar"})
"""Those that refuse most requests without a key."""
_ONE_PAGE = 100
"""Citing papers above which a service should choose those that fit the topic: one page does not hold all."""
_TOPICAL_RESERVE = 0.05
"""US dollars that must be left at a service for such a choice, which may cost as much as a search."""


def expanding_order(sources: Sequence[Source], client: SourceClient) -> list[Source]:
    """Those services that know citations, the best first, without those that now cannot be asked."""
    able = [source for source in sources if source.name in _ORDER and not client.is_disabled(source)]
    able = [source for source in able if source.name not in _WITH_KEY or client.has_key(source)]
    return sorted(able, key=lambda source: _ORDER.index(source.name))


async def citation_neighbours(
    library: Library, client: SourceClient, source: Source, paper: Paper, topic: str
) -> AsyncIterator[list[Entry]]:
    """Entries as they come: the paper itself with its references, where the library lacks them; then the papers that it
    cites and one page of the papers that cite it. Each list must be added to the library before the next is requested.

    `topic`: text by which citing papers are chosen where one page does not hold them all and the service allows it.
    Raises SourceError.
    """
    if not paper.ids.items():
        return
    if record := await _record(library, client, source, paper):
        yield [record]
        paper = record.paper.model_copy(update={"id": paper.id})
    missing = await asyncio.to_thread(library.missing_references, paper.id)
    wanted = [name for name in missing if name[0] in REGISTRIES][:MOST_REFERENCES]
    requests = [*(source.references([paper]) or source.fetch(wanted))]
    requests += source.citations([paper], topic=_topic(client, source, paper, topic))
    pages = await asyncio.gather(*(_entries(client, source, each) for each in requests), return_exceptions=True)
    failures = [page for page in pages if isinstance(page, BaseException)]
    if failures and len(failures) == len(pages):
        raise failures[0]
    yield [entry for page in pages if not isinstance(page, BaseException) for entry in page]


async def _record(library: Library, client: SourceClient, source: Source, paper: Paper) -> Entry | None:
    """The service's record of the paper, where it is needed for its references or for the service's own identifier."""
    has_references = bool(library.references(paper.id)) or bool(
        await asyncio.to_thread(library.missing_references, paper.id)
    )
    lacks_references = source.has_references and not has_references
    lacks_number = type(source).citations is not Source.citations and not source.citations([paper])
    if not lacks_references and not lacks_number:
        return None
    names = list(paper.ids.items())
    requests = source.fetch_free(names) or source.fetch(names)
    pages = await run_concurrently(_entries(client, source, request) for request in requests[:1])
    found = (entry for entries in pages for entry in entries if is_about(entry, paper))
    return next(found, None)


def is_about(entry: Entry, paper: Paper) -> bool:
    """Whether an entry describes this very paper: they share an identifier or the title, and nothing speaks against
    it."""
    shared = not set(entry.paper.ids.items()).isdisjoint(paper.ids.items())
    return (shared or nearly_same_title(entry.paper.title, paper.title)) and are_same(entry.paper, paper)


async def _entries(client: SourceClient, source: Source, request: Request) -> list[Entry]:
    return list((await client.page(source, request)).entries)


def _topic(client: SourceClient, source: Source, paper: Paper, topic: str) -> str:
    """The topic where it is worth its price."""
    budget = client.budget(source)
    is_rich = budget is not None and (budget.remaining or 0.0) >= _TOPICAL_RESERVE
    return topic if is_rich and (paper.citation_count or 0) > _ONE_PAGE else ""
