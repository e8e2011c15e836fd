"""Fetching what is new since the searches that filled a library were last made."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Sequence

from novum.errors import BadInput, SourceError
from novum.literature.library import Library
from novum.literature.sources.client import SourceClient
from novum.literature.sources.gathering import GatheringProgress, GatheringResult, gather, no_progress
from novum.literature.sources.saved_searches import SavedSearch, save_search, saved_searches
from novum.literature.sources.source import Source, sources

OVERLAP = dt.timedelta(days=14)
"""Services learn of papers days or weeks after they became public."""
JUST_NOW = 3600.0
"""Seconds."""


class SearchUpdate(GatheringResult):
    """What came of one remembered search."""

    remembered: SavedSearch
    since: dt.date
    """The day from which on it was asked for."""


def source_by_name(name: str) -> Source:
    """A source at its usual address. Raises BadInput for a name that there is not."""
    return sources.get(name)()


async def update_library(
    library: Library,
    client: SourceClient,
    *,
    only: Sequence[SavedSearch] | None = None,
    source: Callable[[str], Source] = source_by_name,
    progress: GatheringProgress = no_progress,
) -> list[SearchUpdate]:
    """Ask the remembered searches (`only` these, when given) anew for papers that became public since the sources were
    last asked, less some days that overlap, and follow citations as far as then. What the cache has is not used, but
    for answers of the last hour: an update that was cut off goes on from there.

    A source that fails is set aside and named in its update; it is asked again from its old day on next time. Raises
    SourceError when all failed, LibraryError, and BadInput when nothing is remembered.
    """
    remembered = list(only) if only is not None else await asyncio.to_thread(saved_searches, library)
    if not remembered:
        raise BadInput("The library remembers no search: bring papers in from a source first.")
    updates = [done for one in remembered if (done := await _renewed(library, client, one, source, progress))]
    if updates and not any(one.reports for one in updates):
        raise SourceError(" ".join(dict.fromkeys(line for one in updates for line in one.aside)))
    return updates


async def _renewed(
    library: Library,
    client: SourceClient,
    one: SavedSearch,
    source: Callable[[str], Source],
    progress: GatheringProgress,
) -> SearchUpdate | None:
    """The update of one search, without reports when all its sources failed; None where nothing can be new."""
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
