"""Bringing papers from services into a library: several sources side by side, then along citations."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Concatenate, ParamSpec

from novum.concurrency import run_concurrently
from novum.core import Value
from novum.errors import BadInput, NovumError, SourceError
from novum.literature.entry import Entry, ImportReport, Reject
from novum.literature.importing.rejects import FOLDER, RejectsFile
from novum.literature.library import Library
from novum.literature.sources.citation_neighbours import (
    Candidate,
    Name,
    Neighbourhood,
    all_names,
    are_one,
    completed,
    names,
    united,
)
from novum.literature.sources.client import SourceClient
from novum.literature.sources.saved_searches import save_search
from novum.literature.sources.source import Page, Request, Search, Source

MOST_STEPS = 2
_ENOUGH = 500
"""Entries that are looked at for one question about citations, if the search wants no more of each."""
_FAILURES = 5
"""Questions about citations in a row that a service fails to answer before it is asked no more."""

What = ParamSpec("What")
GatheringProgress = Callable[[str, int, int | None], None]
"""Hears (source, papers so far, how many there will be if known)."""


class GatheringResult(Value):
    """What came of it."""

    reports: tuple[ImportReport, ...] = ()
    """One per source, in the order in which they were chosen."""
    aside: tuple[str, ...] = ()
    """One line for each source that could not go on to the end; what it had brought is kept."""
    failed: tuple[str, ...] = ()
    """Their names."""
    rejects_file: Path | None = None
    """Where everything that was not taken in has its line."""

    @property
    def total(self) -> ImportReport:
        """All reports together."""
        return sum(self.reports, ImportReport()).model_copy(update={"source": ""})


def no_progress(_source: str, _papers: int, _total: int | None) -> None:
    """For those who do not want to know."""


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
    """Add what the chosen sources find, at most `search.limit` papers each, page by page; then `steps` times (up to 2)
    what the papers of the step before cite and are cited by, most often connected first, at most `search.limit` papers
    a step.

    Killed at any time, it can simply be run again: what was answered comes from the client's cache, if it is no older
    than `age` seconds (None: as the client has it; 0: nothing comes from there). `remember`: note the search in the
    library, for `update`, with the day of its first time: the best matches of a later time are not all that is new.
    Raises SourceError (BadInput) when every source failed and nothing came, LibraryError.
    """
    if not chosen or not 0 <= steps <= MOST_STEPS or search.limit < 1:
        raise BadInput(f"Choose at least one source, 0 to {MOST_STEPS} steps along citations and a limit of 1 or more.")
    started = dt.datetime.now(dt.UTC).date()
    rejects = RejectsFile(library.folder / FOLDER, "sources")
    work = _Gatherer(library, client, chosen, search, age, progress, rejects, follows=steps > 0)
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


class _Gatherer:
    """The state of one gathering."""

    def __init__(
        self,
        library: Library,
        client: SourceClient,
        chosen: Sequence[Source],
        search: Search,
        age: float | None,
        progress: GatheringProgress,
        rejects: RejectsFile,
        *,
        follows: bool,
    ) -> None:
        self._library = library
        self._client = client
        self._chosen = chosen
        self._search = search
        self._age = age
        self._follows = follows
        self._progress = progress
        self._rejects = rejects
        self._writing = asyncio.Lock()
        self._reports = {source.name: ImportReport(source=source.title) for source in chosen}
        self._so_far = dict.fromkeys(self._reports, 0)
        self._waiting = 0
        self._failures = dict.fromkeys(self._reports, 0)
        self._met: set[Name] = set()
        self.aside: dict[str, NovumError] = {}

    def gathering(self) -> GatheringResult:
        return GatheringResult(
            reports=tuple(one.model_copy(update={"waiting": self._waiting}) for one in self._reports.values()),
            aside=tuple(map(str, self._errors())),
            failed=tuple(name for name in self._reports if name in self.aside),
            rejects_file=self._rejects.written,
        )

    def raise_if_nothing_came(self) -> None:
        if len(self.aside) == len(self._reports) and not any(report.read for report in self._reports.values()):
            errors = self._errors()
            raise errors[0] if len(errors) == 1 else SourceError(" ".join(map(str, errors)))

    def _errors(self) -> list[NovumError]:
        return [self.aside[name] for name in self._reports if name in self.aside]

    async def search(self) -> list[Entry]:
        """What the sources find, each paper once; nothing when no step follows, as it may be more than memory holds."""
        found: list[list[Entry]] = [[] for _ in self._chosen]
        await run_concurrently(
            self._willing(source, self._find, some) for source, some in zip(self._chosen, found, strict=True)
        )
        return self._met_now(entry for some in found for entry in some)

    async def step(self, centre: list[Entry]) -> list[Entry]:
        """The best neighbours of `centre`, taken in."""
        for source in self._going():
            if source.has_references:
                await self._willing(source, self._introduce, centre)
        near = Neighbourhood(centre, self._met)
        await run_concurrently(self._willing(source, self._look_around, centre, near) for source in self._going())
        best = near.best(self._search.limit)
        for source in self._chosen:
            await self._take(source, [one.entry for one in best if one.entry and one.source == source.name])
        for source in self._going():
            await self._willing(source, self._fill, [one for one in best if not one.entry])
        return self._met_now(one.entry for one in best if one.entry)

    async def _willing(
        self,
        source: Source,
        work: Callable[Concatenate[Source, What], Awaitable[None]],
        *what: What.args,
        **more: What.kwargs,
    ) -> None:
        """Do the work, or set the source aside."""
        try:
            await work(source, *what, **more)
        except (SourceError, BadInput) as error:
            self.aside[source.name] = error

    def _going(self) -> list[Source]:
        return [source for source in self._chosen if source.name not in self.aside]

    def _met_now(self, entries: Iterable[Entry]) -> list[Entry]:
        new = united(entries, self._met)
        self._met |= all_names(new)
        return new

    async def _find(self, source: Source, found: list[Entry]) -> None:
        """Put what a source finds into the library and into `found`, a page at a time."""
        left = self._search.limit
        async for page in self._client.pages(source, source.search(self._search), age=self._age):
            entries, rejects = self._in_time(source, page.entries[:left])
            await self._take(source, entries, (*page.rejects, *rejects))
            found += entries if self._follows else ()
            left -= len(page.entries)
            self._tell(source, len(entries), page.total)
            if left <= 0:
                return

    async def _introduce(self, source: Source, centre: list[Entry]) -> None:
        """Complete those of the centre whose references nobody has told yet, by what this source calls them."""
        places = {
            name: place for place, one in enumerate(centre) if not one.references for name in one.paper.ids.items()
        }

        async def read(page: Page) -> None:
            found = ((places[name], one) for one in page.entries for name in one.paper.ids.items() if name in places)
            known = {place: one for place, one in found if are_one(centre[place].paper, one.paper)}
            await self._take(source, list(known.values()), page.rejects, again=True)
            for place, one in known.items():
                centre[place] = completed(centre[place], one)

        for request in source.fetch(list(places)):
            await self._read(source, request, read)

    async def _look_around(self, source: Source, centre: Sequence[Entry], near: Neighbourhood) -> None:
        """Show `near` what this source knows of citations; what it adds to the centre is taken in at once."""
        without = [entry.paper for entry in centre if not entry.references]
        requests = [*source.references(without), *source.citations([entry.paper for entry in centre])]

        async def read(page: Page) -> None:
            central = [entry for entry in page.entries if near.is_central(entry)]
            others, _ = self._in_time(source, [entry for entry in page.entries if not near.is_central(entry)])
            await self._take(source, central, page.rejects, again=True)
            for entry in (*others, *central):
                near.see(entry, source.name)
            self._tell(source, 0, None)

        for request in requests:
            await self._read(source, request, read, max(_ENOUGH, self._search.limit // len(requests)))

    async def _fill(self, source: Source, missing: Sequence[Candidate]) -> None:
        """Have those described that the source knows by one of their names, and take them in."""
        wanted = {name: candidate for candidate in missing for name in candidate.registered}

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
        """The pages of one question about citations, up to `most` entries. One that the service cannot answer is
        listed, and costs no other. Raises SourceError when it is set aside, or fails again and again."""
        seen = 0
        try:
            async for page in self._client.pages(source, request, age=self._age):
                await read(page)
                seen += len(page.entries)
                if most is not None and seen >= most:
                    break
            self._failures[source.name] = 0
        except SourceError as error:
            self._failures[source.name] += 1
            if self._client.is_disabled(source) or self._failures[source.name] >= _FAILURES:
                raise
            await self._take(source, (), [Reject(file=source.title, line=0, reason=str(error))])

    def _in_time(self, source: Source, entries: Sequence[Entry]) -> tuple[list[Entry], list[Reject]]:
        """Those certainly public before the day that is asked for, if any is."""
        before = self._search.before
        if before is None:
            return list(entries), []
        late = [entry for entry in entries if not entry.paper.is_before(before)]
        reason = f"not certainly public before {before}: "
        rejects = [Reject(file=source.title, line=one.line, reason=reason + repr(one.paper.title[:80])) for one in late]
        return [entry for entry in entries if entry.paper.is_before(before)], rejects

    async def _take(
        self, source: Source, entries: Sequence[Entry], rejects: Sequence[Reject] = (), *, again: bool = False
    ) -> None:
        """Into the library, one writer at a time, outside the event loop. `again`: papers that were counted before,
        now with more references."""
        report = ImportReport.of_rejects(source.title, rejects)
        async with self._writing:
            self._list(report)
            if entries:
                report += await asyncio.to_thread(self._library.add, entries, source.title, self._list)
                self._waiting = report.waiting
        self._reports[source.name] += report.model_copy(update={"unchanged": 0}) if again else report

    def _list(self, report: ImportReport) -> None:
        for reject in report.rejects:
            self._rejects.put(reject)

    def _tell(self, source: Source, papers: int, total: int | None) -> None:
        self._so_far[source.name] += papers
        self._progress(source.title, self._so_far[source.name], total and min(total, self._search.limit))
