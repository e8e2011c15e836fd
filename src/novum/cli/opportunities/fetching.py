"""Papers on a topic from live sources, where the library has too few for opportunities."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from novum.cli.shell.terminal import print_message
from novum.errors import SourceError
from novum.lab import Workplace, open_source, source_client
from novum.literature.sources.live import LiveSources
from novum.opportunities.search.find import FetchPapers


@asynccontextmanager
async def live_papers(place: Workplace) -> AsyncIterator[FetchPapers | None]:
    """A function that adds papers from the sources of the settings, and says which services are asked; None where the
    settings name none. Services that fail are named; the search then goes on with the library alone."""
    chosen = [open_source(place.settings, name) for name in place.settings.values.sources]
    if not chosen:
        yield None
        return
    titles = ", ".join(each.title for each in chosen)
    async with source_client(place.settings) as client:
        live = LiveSources(place.library, client, chosen)

        async def fetch(topic: str, before: dt.date | None) -> None:
            print_message(f"The library has few papers on the topic. These services are asked for it: {titles}.")
            try:
                await live(topic, before)
            except SourceError as error:
                print_message(str(error))
            for note in live.notes:
                print_message(note)

        yield fetch
