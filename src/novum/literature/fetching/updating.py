"""Repeating the saved searches of a library for papers that became public since the last time."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Sequence

from novum.errors import BadInput, SourceError
from novum.literature.fetching.gathering import GatheringProgress, GatheringResult, gather, no_progress
from novum.literature.fetching.saved_searches import SavedSearch, save_search, saved_searches
from novum.literature.library import Library
from novum.literature.services.client import SourceClient
from novum.literature.sources.source import Source, sources

OVERLAP = dt.timedelta(days=14)
"""Services learn of papers days or weeks after they became public."""
JUST_NOW = 3600.0
"""Seconds."""


class SearchUpdate(GatheringResult):
    """The result of one saved search."""

    remembered: SavedSearch
    since: dt.date
    """The first day of publication that was searched for."""


def source_by_name(name: str) -> Source:
    """A source at its usual address. Raises BadInput for an unknown name."""
    return sources.get(name)()


async def update_library(
    library: Library,
    client: SourceClient,
    *,
    only: Sequence[SavedSearch] | None = None,
    source: Callable[[str], Source] = source_by_name,
    progress: GatheringProgress = no_progress,
) -> list[SearchUpdate]:
    """Repeats the saved searches (or `only` these) for papers that became public since the last time, minus `OVERLAP`,
    with the same number of steps along citations. Stored responses are used only if they are less than an hour old, so
    that an interrupted update continues.

    A source that fails is named in the result, and next time it is searched from its old day on. Raises SourceError
    when all sources fail, LibraryError, and BadInput when no search is saved.
    """
    remembered = list(only) if only is not None else await asyncio.to_thread(saved_searches, library)
    if not remembered:
        raise BadInput("The library has no saved search: add papers from a source first.")
    updates = [done for one in remembered if (done := await _repeat(library, client, one, source, progress))]
    if updates and not any(one.reports for one in updates):
        raise SourceError(" ".join(dict.fromkeys(line for one in updates for line in one.aside)))
    return updates


async def _repeat(
    library: Library,
    client: SourceClient,
    one: SavedSearch,
    source: Callable[[str], Source],
    progress: GatheringProgress,
) -> SearchUpdate | None:
    """The update of one search, without reports when all its sources failed; None when nothing can be new."""
    if not one.asked or (one.search.before and one.search.before <= min(one.asked.values())):
        return None
    since = max(min(one.asked.values()) - OVERLAP, one.search.since or dt.date.min)
    today = dt.datetime.now(dt.UTC).date()
    newer = one.search.model_copy(update={"since": since})
    try:
        chosen = [source(name) for name in one.asked]
        done = await gather(
            library, client, chosen, newer, steps=one.steps, age=JUST_NOW, remember=False, progress=progress
        )
    except (SourceError, BadInput) as error:
        return SearchUpdate(aside=(str(error),), failed=tuple(one.asked), remembered=one, since=since)
    asked = {each.name: today for each in chosen if each.name not in done.failed}
    await asyncio.to_thread(save_search, library, one.search, one.steps, asked)
    return SearchUpdate(**dict(done), remembered=one, since=since)
