"""Abstracts for the papers of the starter library, which is shipped without them: fetched by identifier, once, into the
user's own library alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import orjson

from novum.core import Paper
from novum.errors import SourceError
from novum.literature.fetching.completing import completed_entries
from novum.literature.library import Library
from novum.literature.services.client import SourceClient
from novum.literature.sources.source import Source
from novum.literature.starter import starter_entries

NOTE = "starter abstracts"
"""Name of the library's note: a JSON list of the services that were asked for everything."""
SERVICES = ("semantic-scholar", "arxiv", "europe-pmc", "openalex")
"""Those that give abstracts by identifier in large batches, in the order in which they are asked: each for what the
ones before it did not have, and last the one whose answers have a price."""
_WITH_KEY = frozenset({"semantic-scholar"})
"""Those that refuse large batches without a key."""
_RESERVE = 0.005
"""US dollars that must be left of a service's daily budget, for searches of the user."""


async def complete_starter(library: Library, client: SourceClient, sources: Sequence[Source]) -> int:
    """Adds abstracts to those starter papers in the library that have none, and what else the same answers say of them:
    identifiers and references. Returns how many got one.

    `sources`: services that may be asked; those that are not in `SERVICES` are left out, and Semantic Scholar without a
    key. Every answer is added as it comes, so that the call can be cancelled and made again: it asks only for what is
    missing. A service that answered everything is noted in the library and not asked again; one that failed, or whose
    budget is spent, is asked the next time. Raises LibraryError, and nothing for services: without their abstracts the
    library works as before.
    """
    done = await asyncio.to_thread(_noted, library)
    able = (one for one in sources if one.name in SERVICES and (one.name not in _WITH_KEY or client.has_key(one)))
    chosen = sorted((one for one in able if one.name not in done), key=lambda one: SERVICES.index(one.name))
    if not chosen:
        return 0
    missing = await asyncio.to_thread(_without_abstract, library)
    papers = len(missing)
    for source in chosen:
        if await _ask(library, client, source, missing):
            done.append(source.name)
            await asyncio.to_thread(library.set_note, NOTE, orjson.dumps(done).decode())
    return papers - len(missing)


async def _ask(library: Library, client: SourceClient, source: Source, missing: dict[str, Paper]) -> bool:
    """Takes the papers that got an abstract out of `missing`. Returns whether the service answered every request."""
    by_name = {name: paper for paper in missing.values() for name in paper.ids.items()}
    for request in source.fetch(list(by_name)):
        try:
            page = await client.page(source, request, reserve=_RESERVE)
        except SourceError:
            return False
        completed = completed_entries(by_name, page.entries)
        await asyncio.to_thread(library.add, list(completed.values()), source.title)
        for paper_id in completed:
            missing.pop(paper_id, None)
    return True


def _without_abstract(library: Library) -> dict[str, Paper]:
    """The starter papers in the library without an abstract, by id, as the library has them."""
    papers = library.get_many([entry.paper.id for entry in starter_entries()])
    return {paper.id: paper for paper in papers if not paper.abstract and paper.ids.items()}


def _noted(library: Library) -> list[str]:
    try:
        noted = orjson.loads(library.get_note(NOTE) or "[]")
    except orjson.JSONDecodeError:
        return []
    return [name for name in noted if isinstance(name, str)] if isinstance(noted, list) else []
