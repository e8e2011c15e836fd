"""Papers on a topic from live sources, for what needs papers and no run."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from novum.errors import SourceError
from novum.lab import Workplace, open_source, source_client
from novum.literature.fetching.live import PATIENCE, LiveSources
from novum.opportunities.search.find import FetchPapers


@asynccontextmanager
async def live_papers(place: Workplace, say: Callable[[str], None]) -> AsyncIterator[FetchPapers | None]:
    """A function that adds papers from the live sources of the settings; None where there are none. `say` receives a
    line with the services that are asked, and lines with what they had; those that fail are named, and raise
    nothing."""
    chosen = [open_source(place.settings, name) for name in place.settings.live_sources()]
    if not chosen:
        yield None
        return
    titles = ", ".join(each.title for each in chosen)
    async with source_client(place.settings, patience=PATIENCE) as client:
        live = LiveSources(place.library, client, chosen)

        async def fetch(topic: str, before: dt.date | None) -> None:
            say(f"The library has few papers on the topic. These services are asked for it: {titles}.")
            try:
                await live(topic, before)
            except SourceError as error:
                say(str(error))
            for note in live.notes:
                say(note)

        try:
            yield fetch
        finally:
            await live.close()
