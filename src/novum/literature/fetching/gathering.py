"""Adding papers from services to a library: from several sources in parallel, then along citations."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from novum.core import Paper, Value
from novum.core.concurrency import run_concurrently
from novum.errors import BadInput, NovumError, SourceError
from novum.literature.entry import Entry, ImportReport, Reject
from novum.literature.fetching.citation_neighbours import (
    CitationNeighbourhood,
    Name,
    NeighbourCandidate,
    all_names,
    are_same,
    complete_entry,
    merge_entries,
    names,
)
from novum.literature.fetching.saved_searches import save_search
from novum.literature.importing.rejects import FOLDER, RejectsFile
from novum.literature.library import Library
from novum.literature.services.client import SourceClient
from novum.literature.sources.source import Page, Request, Search, Source

MOST_STEPS = 2
_ENOUGH = 500
"""Maximum number of entries for one request about citations, unless the limit of the search needs more."""
_FAILURES = 5
"""Failed requests about citations in a row after which a service gets no more of them."""

GatheringProgress = Callable[[str, int, int | None], None]
"""Is called with the source, the number of papers so far, and the total if it is known."""


class GatheringResult(Value):
    """The result of `gather`."""

    reports: tuple[ImportReport, ...] = ()
    """One for each source, in order."""
    aside: tuple[str, ...] = ()
    """One line for each source that failed before the end; the papers that it had returned are in the library."""
    failed: tuple[str, ...] = ()
    """The names of these sources."""
    rejects_file: Path | None = None
    """The list of everything that was not added."""

    @property
    def total(self) -> ImportReport:
        """The sum of all reports."""
        return sum(self.reports, ImportReport()).model_copy(update={"source": ""})


def no_progress(_source: str, _papers: int, _total: int | None) -> None:
    """For callers that show no progress."""


async def gather(
    library: Library,
    client: SourceClient,
    chosen: Sequence[Source],
    search: Search,
    *,
    steps: int = 0,
    age: float | None = None,
    remember: bool = True,
    progress: GatheringProgress = no_progress,
) -> GatheringResult:
    """Adds what the chosen sources find, at most `search.limit` papers from each, page by page.

    Then it follows citations in both directions for `steps` steps (0 to 2): each step adds at most `search.limit`
    papers, those with the most connections to the papers of the step before. When it is interrupted, it can be called
    again: responses come from the client's cache if they are not older than `age` seconds (None: the client's own
    limit; 0: never). `remember`: save the search in the library for `update_library`, with the day of the first time,
    since the best matches of a later time need not include all that is new.

    Raises SourceError (or BadInput) when every source failed and nothing was returned, LibraryError.
    """
    if not chosen or not 0 <= steps <= MOST_STEPS or search.limit < 1:
        raise BadInput(f"Choose at least one source, 0 to {MOST_STEPS} steps along citations and a limit of 1 or more.")
    started = dt.datetime.now(dt.UTC).date()
    rejects = RejectsFile(library.folder / FOLDER, "sources")
    work = _Gatherer(library, client, chosen, search, age, progress, rejects, steps > 0)
    try:
        found = await work.search()
        work.raise_if_nothing_came()
        for _ in range(steps if found else 0):
            found = await work.step(found)
    finally:
        rejects.close()
    if remember:
        asked = {source.name: started for source in chosen if source.name not in work.aside}
        await asyncio.to_thread(save_search, library, search, steps, asked, only_first=True)
    return work.gathering()


async def follow_citations(
    library: Library,
    client: SourceClient,
    chosen: Sequence[Source],
    papers: Sequence[Paper],
    *,
    steps: int = 1,
    limit: int = 200,
    age: float | None = None,
    progress: GatheringProgress = no_progress,
) -> GatheringResult:
    """Follows citations from papers that are in the library, as `gather` does after a search: their references are
    completed, and each of `steps` steps (1 to 2) adds at most `limit` papers, those with the most connections.

    Raises SourceError (or BadInput) when every source failed and nothing was returned, LibraryError.
    """
    if not chosen or not 1 <= steps <= MOST_STEPS or limit < 1:
        raise BadInput(f"Choose at least one source, 1 to {MOST_STEPS} steps along citations and a limit of 1 or more.")
    rejects = RejectsFile(library.folder / FOLDER, "sources")
    work = _Gatherer(library, client, chosen, Search(text="", limit=limit), age, progress, rejects, follows=True)
    try:
        found = work.around(papers)
        for _ in range(steps if found else 0):
            found = await work.step(found)
        work.raise_if_nothing_came()
    finally:
        rejects.close()
    return work.gathering()


@dataclass(eq=False)
class _Gatherer:
    """The state of one call of `gather` or `follow_citations`."""

    library: Library
    client: SourceClient
    chosen: Sequence[Source]
    query: Search
    age: float | None
    progress: GatheringProgress
    rejects: RejectsFile
    follows: bool
    """Whether steps along citations follow the search."""
    aside: dict[str, NovumError] = field(default_factory=dict)
    """The errors of sources that are not used any more, by name."""

    def __post_init__(self) -> None:
        self._writing = asyncio.Lock()
        self._reports = {source.name: ImportReport(source=source.title) for source in self.chosen}
        self._so_far = dict.fromkeys(self._reports, 0)
        self._waiting = 0
        self._failures = dict.fromkeys(self._reports, 0)
        self._met: set[Name] = set()

    def gathering(self) -> GatheringResult:
        return GatheringResult(
            reports=tuple(one.model_copy(update={"waiting": self._waiting}) for one in self._reports.values()),
            aside=tuple(map(str, self._errors())),
            failed=tuple(name for name in self._reports if name in self.aside),
            rejects_file=self.rejects.written,
        )

    def raise_if_nothing_came(self) -> None:
        if len(self.aside) == len(self._reports) and not any(report.read for report in self._reports.values()):
            errors = self._errors()
            raise errors[0] if len(errors) == 1 else SourceError(" ".join(map(str, errors)))

    def _errors(self) -> list[NovumError]:
        return [self.aside[name] for name in self._reports if name in self.aside]

    async def search(self) -> list[Entry]:
        """What the sources find, each paper once; empty when no step follows, since it may not fit into memory."""
        found: list[list[Entry]] = [[] for _ in self.chosen]
        await run_concurrently(
            self._try(source, partial(self._find, source, some))
            for source, some in zip(self.chosen, found, strict=True)
        )
        return self._new(entry for some in found for entry in some)

    def around(self, papers: Sequence[Paper]) -> list[Entry]:
        """Papers of the library as the centre of the first step. Their references are completed by the sources."""
        return self._new(Entry(paper.but(references=())) for paper in papers)

    async def step(self, centre: list[Entry]) -> list[Entry]:
        """Adds the best neighbours of `centre`, and returns them."""
        for source in self._usable():
            if source.has_references:
                await self._try(source, partial(self._complete_references, source, centre))
        near = CitationNeighbourhood(centre, self._met)
        await run_concurrently(
            self._try(source, partial(self._find_neighbours, source, centre, near)) for source in self._usable()
        )
        best = near.best(self.query.limit)
        for source in self.chosen:
            await self._take(source, [one.entry for one in best if one.entry and one.source == source.name])
        for source in self._usable():
            await self._try(source, partial(self._fill, source, [one for one in best if not one.entry]))
        return self._new(one.entry for one in best if one.entry)

    async def _try(self, source: Source, work: Callable[[], Awaitable[None]]) -> None:
        """Does the work; when it fails, the source is not used any more."""
        try:
            await work()
        except (SourceError, BadInput) as error:
            self.aside[source.name] = error

    def _usable(self) -> list[Source]:
        return [source for source in self.chosen if source.name not in self.aside]

    def _new(self, entries: Iterable[Entry]) -> list[Entry]:
        new = merge_entries(entries, self._met)
        self._met |= all_names(new)
        return new

    async def _find(self, source: Source, found: list[Entry]) -> None:
        """Adds what a source finds to the library and to `found`, page by page."""
        left = self.query.limit
        async for page in self.client.pages(source, source.search(self.query), age=self.age):
            entries, rejects = self._in_time(source, page.entries[:left])
            await self._take(source, entries, (*page.rejects, *rejects))
            found += entries if self.follows else ()
            left -= len(page.entries)
            self._tell(source, len(entries), page.total)
            if left <= 0:
                return

    async def _complete_references(self, source: Source, centre: list[Entry]) -> None:
        """Completes the papers of the centre that have no references yet, from this source."""
        places = {
            name: place for place, one in enumerate(centre) if not one.references for name in one.paper.ids.items()
        }

        async def read(page: Page) -> None:
            found = ((places[name], one) for one in page.entries for name in one.paper.ids.items() if name in places)
            known = {place: one for place, one in found if are_same(centre[place].paper, one.paper)}
            await self._take(source, list(known.values()), page.rejects, again=True)
            for place, one in known.items():
                centre[place] = complete_entry(centre[place], one)

        for request in source.fetch(list(places)):
            await self._read(source, request, read)

    async def _find_neighbours(self, source: Source, centre: Sequence[Entry], near: CitationNeighbourhood) -> None:
        """Gives `near` the citations that this source knows. What it adds to the centre is stored at once."""
        without = [entry.paper for entry in centre if not entry.references]
        requests = [*source.references(without), *source.citations([entry.paper for entry in centre])]

        async def read(page: Page) -> None:
            central = [entry for entry in page.entries if near.is_central(entry)]
            others, _ = self._in_time(source, [entry for entry in page.entries if not near.is_central(entry)])
            await self._take(source, central, page.rejects, again=True)
            for entry in (*others, *central):
                near.add(entry, source.name)
            self._tell(source, 0, None)

        for request in requests:
            await self._read(source, request, read, max(_ENOUGH, self.query.limit // len(requests)))

    async def _fill(self, source: Source, missing: Sequence[NeighbourCandidate]) -> None:
        """Fetches the descriptions of candidates that the source knows by one of their names, and adds them."""
        wanted = {name: candidate for candidate in missing for name in candidate.identifiers}

        async def read(page: Page) -> None:
            entries, rejects = self._in_time(source, page.entries)
            await self._take(source, entries, (*page.rejects, *rejects))
            self._tell(source, len(entries), None)
            for entry in entries:
                for name in names(entry):
                    if name in wanted:
                        wanted[name].entry = entry

        for request in source.fetch(list(wanted)):
            await self._read(source, request, read)

    async def _read(
        self, source: Source, request: Request, read: Callable[[Page], Awaitable[None]], most: int | None = None
    ) -> None:
        """Reads the pages of one request about citations, up to `most` entries. A request that fails is listed among
        the rejects. Raises SourceError when the service is disabled or fails repeatedly."""
        seen = 0
        try:
            async for page in self.client.pages(source, request, age=self.age):
                await read(page)
                seen += len(page.entries)
                if most is not None and seen >= most:
                    break
            self._failures[source.name] = 0
        except SourceError as error:
            self._failures[source.name] += 1
            if self.client.is_disabled(source) or self._failures[source.name] >= _FAILURES:
                raise
            await self._take(source, (), [Reject(file=source.title, line=0, reason=str(error))])

    def _in_time(self, source: Source, entries: Sequence[Entry]) -> tuple[list[Entry], list[Reject]]:
        """The entries that were certainly public before `search.before`, and rejects for the others."""
        before = self.query.before
        if before is None:
            return list(entries), []
        late = [entry for entry in entries if not entry.paper.is_before(before)]
        reason = f"not certainly public before {before}: "
        rejects = [Reject(file=source.title, line=one.line, reason=reason + repr(one.paper.title[:80])) for one in late]
        return [entry for entry in entries if entry.paper.is_before(before)], rejects

    async def _take(
        self, source: Source, entries: Sequence[Entry], rejects: Sequence[Reject] = (), *, again: bool = False
    ) -> None:
        """Adds entries to the library, one writer at a time, outside the event loop. `again`: papers that were counted
        before, now with more references."""
        report = ImportReport.of_rejects(source.title, rejects)
        async with self._writing:
            self._list(report)
            if entries:
                report += await asyncio.to_thread(self.library.add, entries, source.title, self._list)
                self._waiting = report.waiting
        self._reports[source.name] += report.model_copy(update={"unchanged": 0}) if again else report

    def _list(self, report: ImportReport) -> None:
        for reject in report.rejects:
            self.rejects.put(reject)

    def _tell(self, source: Source, papers: int, total: int | None) -> None:
        self._so_far[source.name] += papers
        self.progress(source.title, self._so_far[source.name], total and min(total, self.query.limit))
