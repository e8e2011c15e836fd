"""Fetching papers during a run: what services find for a query is added to the library before it is searched."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence

from novum.core import Value
from novum.errors import BadInput, SourceError
from novum.literature.library import Library
from novum.literature.sources.client import SourceClient
from novum.literature.sources.gathering import gather
from novum.literature.sources.source import Search, Source

PAPERS = 50
"""Maximum number of papers of each source for one query."""


class LiveSearchResult(Value):
    """What the services returned for one query."""

    query: str
    added: Mapping[str, int] = {}
    """Number of new papers by title of the source."""
    aside: tuple[str, ...] = ()
    """One line for each source that failed."""


class LiveSources:
    """The services of a run. Call it with a query and the day before which papers must have been public; each query is
    sent once.

    A source that fails is not used any more; when none is left, SourceError is raised once.
    """

    def __init__(
        self,
        library: Library,
        client: SourceClient,
        chosen: Sequence[Source],
        *,
        earlier: Iterable[LiveSearchResult] = (),
        progress: Callable[[LiveSearchResult], None] = lambda _: None,
    ) -> None:
        """`earlier`: the results of this run before it was resumed. `progress` is called with each result."""
        self._library = library
        self._client = client
        self._chosen = list(chosen)
        self._progress = progress
        self._asked: set[tuple[str, dt.date | None]] = set()
        self._gathered = list(earlier)
        self._busy = asyncio.Lock()

    @property
    def notes(self) -> list[str]:
        """Notes for the report."""
        added: dict[str, int] = {}
        for title, papers in (each for one in self._gathered for each in one.added.items()):
            added[title] = added.get(title, 0) + papers
        counts = ", ".join(f"{papers:,} from {title}" for title, papers in added.items() if papers)
        first = [f"New papers were added to the library for this run: {counts}."] if counts else []
        return first + list(dict.fromkeys(line for one in self._gathered for line in one.aside))

    async def __call__(self, query: str, before: dt.date | None) -> None:
        """Adds what the services find. Raises SourceError when the last usable service failed, LibraryError."""
        async with self._busy:
            if self._chosen and (query, before) not in self._asked:
                self._asked.add((query, before))
                await self._fetch(Search(text=query, before=before, limit=PAPERS))

    async def _fetch(self, search: Search) -> None:
        try:
            done = await gather(self._library, self._client, self._chosen, search, remember=False)
        except BadInput as error:  # services that cannot be asked this; another query they may understand
            self._note(LiveSearchResult(query=search.text, aside=(str(error),)))
            return
        except SourceError as error:
            self._chosen = []
            self._note(LiveSearchResult(query=search.text, aside=(str(error),)))
            raise
        self._chosen = [source for source in self._chosen if source.name not in done.failed]
        added = {report.source: report.added for report in done.reports if report.added}
        self._note(LiveSearchResult(query=search.text, added=added, aside=done.aside))

    def _note(self, gathered: LiveSearchResult) -> None:
        self._gathered.append(gathered)
        self._progress(gathered)
