"""Fetching papers during a run: what services find for a query, and the citations of single papers.

Services are asked at once. None holds up the others: a query waits a limited time, and what comes later is added to the
library when it comes, for later queries.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import math
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from novum.core import Paper, Value
from novum.core.concurrency import SharedTask
from novum.errors import BadInput, SourceError, SourceUnreachable
from novum.literature.entry import Entry
from novum.literature.fetching.completing import complete_abstracts
from novum.literature.fetching.expansion import citation_neighbours, expanding_order, is_about
from novum.literature.library import Library
from novum.literature.services.client import SourceClient
from novum.literature.sources.source import Search, Source

PAPERS = 50
"""Maximum number of papers of each source for one query."""
PATIENCE = 12.0
"""Seconds that a query waits for services at most."""
_GRACE = 2.0
"""Seconds that a query waits for the other services when one of them has found papers."""
_WAITING = 20.0
"""Seconds that a run waits for services in all, however many queries it sends at once."""
_BRIEFLY = 1.5
"""Seconds that each search waits after that: the library has papers on the topic by then, and later responses serve
later queries."""
_LONGEST_QUEUE = 4.0
"""Seconds. A service whose next request can only start later is not asked for this query."""
_ENOUGH = 0.8
"""Share of the wanted papers from which no further page is requested."""
_RESERVE = 0.004
"""US dollars of a service's daily budget that searches leave for lists of citations, which cost a tenth of them."""
_LEAST_SHARE = 0.2
"""Share of the papers on a topic that must be from the fields that a service covers, for it to be asked."""
_JUDGED_BY = 10
"""Papers with fields from which that share is computed."""
_CLASSIFYING = frozenset({"openalex", "semantic-scholar"})
"""The services that file each paper under broad fields of science."""
_EMPTY_QUERIES = 2
"""Queries without any result after which a service that never had one is not asked any more."""


class LiveSearchResult(Value):
    """What the services returned for one query, or for the citations of one paper."""

    query: str
    added: Mapping[str, int] = {}
    """Number of new papers by title of the source."""
    aside: tuple[str, ...] = ()
    """One line for each source that failed."""
    citations_of: str = ""
    """Id of the paper whose citations were fetched; empty for a search."""
    seconds: float = 0.0
    """How long the run waited for it."""


class PapersOnDemand(Protocol):
    """What fetches papers for a run: `LiveSources`, or a function for searches in tests and other programs."""

    async def __call__(self, query: str, before: dt.date | None) -> None:
        """Adds papers for a query, public before the given day. Raises SourceError when all services fail."""

    async def expand(self, paper: Paper, topic: str, before: dt.date | None) -> None:
        """Adds the references of a paper and the papers that cite it. Raises SourceError when all services fail."""

    async def complete(self, papers: Sequence[Paper]) -> bool:
        """Adds missing abstracts of these papers to the library. Returns whether some were found in time."""


class LiveSources:
    """The services of a run. Each query is sent once, and the citations of each paper are requested once.

    A service that fails is named once in the notes; the client decides when it may be asked again. SourceError is
    raised for the first query for which all services fail, so that the user sees it.
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
        self._gathered = list(earlier)
        self._shared: dict[tuple[str, str, dt.date | None], SharedTask[None]] = {}
        self._background: set[asyncio.Task[_Response]] = set()
        self._writing = asyncio.Lock()
        self._fields: Counter[str] = Counter()
        self._with_fields = 0
        self._empty: Counter[str] = Counter()
        self._fruitful: set[str] = set()
        self._has_searched = self._has_failed = False
        told = tuple(line for one in self._gathered for line in one.aside)
        self._reported = {source.title for source in chosen if any(line.startswith(source.title) for line in told)}
        self._completed: set[str] = set()
        self._stopwatch = _Stopwatch()

    @property
    def sources(self) -> Sequence[Source]:
        """The services that are asked."""
        return tuple(self._chosen)

    @property
    def client(self) -> SourceClient:
        """The client that sends the requests."""
        return self._client

    @property
    def notes(self) -> list[str]:
        """Notes for the report."""
        added: Counter[str] = Counter()
        for one in self._gathered:
            added.update(one.added)
        counts = ", ".join(f"{papers:,} from {title}" for title, papers in added.items() if papers)
        first = [f"New papers were added to the library for this run: {counts}."] if counts else []
        return first + list(dict.fromkeys(line for one in self._gathered for line in one.aside))

    @property
    def seconds(self) -> float:
        """How long queries waited for services, added up."""
        return sum(one.seconds for one in self._gathered)

    async def __call__(self, query: str, before: dt.date | None) -> None:
        """Adds what the services find. Raises SourceError when all of them failed for the first time, LibraryError."""
        await self._once(("search", query, before), lambda: self._search(query, before))

    async def expand(self, paper: Paper, topic: str, before: dt.date | None) -> None:
        """Adds the references of a paper and papers that cite it, from the first service that has them.

        Raises SourceError when all of them failed for the first time, LibraryError.
        """
        await self._once(("citations", paper.id, before), lambda: self._expand(paper, topic, before))

    async def complete(self, papers: Sequence[Paper]) -> bool:
        """Adds missing abstracts of these papers to the library, each requested once. Returns whether some were found
        in time."""
        new = [paper for paper in papers if not paper.abstract and paper.id not in self._completed]
        self._completed |= {paper.id for paper in new}
        if not new:
            return False
        with self._stopwatch:
            task = self._in_background(self._find_abstracts(new))
            await asyncio.wait({task}, timeout=_GRACE)
        return task.done() and task.result().found > 0

    async def close(self) -> None:
        """Ends requests whose responses nobody waits for any more."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    async def _once(self, key: tuple[str, str, dt.date | None], work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        known = self._shared.get(key)
        if known is None or not (known.done or known.may_be_joined):
            known = self._shared[key] = SharedTask(work())
        elif known.done:
            return
        await known.result()

    # Searches

    async def _search(self, query: str, before: dt.date | None) -> None:
        with self._stopwatch:
            await self._ask_all(Search(text=query, before=before, limit=PAPERS))

    async def _ask_all(self, search: Search) -> None:
        began, patience = _now(), PATIENCE if self._stopwatch.seconds < _WAITING else _BRIEFLY
        usable = [source for source in self._chosen if self._is_of_use(source) and not self._is_busy(source)]
        general = [source for source in usable if not source.covers]
        special = [source for source in usable if source.covers]
        if self._has_searched or not general:  # the fields of the topic are known, or nobody can tell them
            responses = await self._ask([*general, *filter(self._fits, special)], search, patience)
        else:
            responses = await self._ask(general, search, patience)
            left = patience - (_now() - began)
            if left > 0 and not all(isinstance(response.error, SourceUnreachable) for response in responses):
                responses += await self._ask(list(filter(self._fits, special)), search, left)
        self._has_searched = True
        self._note(search.text, responses, _now() - began)

    async def _ask(self, sources: Sequence[Source], search: Search, seconds: float) -> list[_Response]:
        return await self._wait([self._in_background(self._find(source, search)) for source in sources], seconds)

    async def _find(self, source: Source, search: Search) -> _Response:
        """Adds what one service finds, page by page until there are enough."""
        response = _Response(source.title)
        try:
            async for page in self._client.pages(source, source.search(search), reserve=_RESERVE):
                response.found += len(page.entries)
                self._count_fields(source, page.entries)
                await self._add(source, page.entries, search.before, response)
                if response.found + len(page.rejects) >= _ENOUGH * search.limit:
                    break
            self._empty[source.name] += not response.found
            self._fruitful |= {source.name} if response.found else set()
        except (SourceError, BadInput) as error:
            response.error = error
        return response

    async def _wait(self, tasks: Sequence[asyncio.Task[_Response]], seconds: float) -> list[_Response]:
        """The responses that came in time, in the order of the tasks: within so many seconds, and soon after the first
        that found papers."""
        pending, end = set(tasks), _now() + seconds
        while pending and (left := end - _now()) > 0:
            done, pending = await asyncio.wait(pending, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if any(task.result().found for task in done):
                end = min(end, _now() + _GRACE)
        for task in pending:
            task.add_done_callback(self._note_late)
        return [task.result() for task in tasks if task not in pending]

    def _is_busy(self, source: Source) -> bool:
        """Whether a request would wait too long for its turn. A service that is set aside answers at once, with the
        reason."""
        delay = self._client.delay(source)
        return _LONGEST_QUEUE < delay < math.inf and not self._client.is_disabled(source)

    # Citations

    async def _expand(self, paper: Paper, topic: str, before: dt.date | None) -> None:
        with self._stopwatch:
            await self._ask_for_citations(paper, topic, before)

    async def _ask_for_citations(self, paper: Paper, topic: str, before: dt.date | None) -> None:
        patience = PATIENCE if self._stopwatch.seconds < _WAITING else _GRACE
        began, responses, left = _now(), list[_Response](), patience
        for source in expanding_order(self._chosen, self._client):
            arrived = await self._wait([self._in_background(self._cite(source, paper, topic, before))], left)
            responses += arrived
            left = patience - (_now() - began)
            if left <= 0 or any(response.found for response in arrived):
                break
        self._note(paper.title, responses, _now() - began, paper.id)

    async def _cite(self, source: Source, paper: Paper, topic: str, before: dt.date | None) -> _Response:
        response = _Response(source.title)
        try:
            async for entries in citation_neighbours(self._library, self._client, source, paper, topic):
                response.found += sum(not is_about(entry, paper) for entry in entries)
                await self._add(source, entries, before, response, paper)
        except (SourceError, BadInput) as error:
            response.error = error
        return response

    async def _find_abstracts(self, papers: Sequence[Paper]) -> _Response:
        sources = expanding_order(self._chosen, self._client)
        found = await complete_abstracts(self._library, self._client, papers, sources, reserve=_RESERVE / 2)
        return _Response("", found=found)

    # Fields

    def _count_fields(self, source: Source, entries: Sequence[Entry]) -> None:
        """Counts the fields of what was found."""
        if source.name not in _CLASSIFYING or self._with_fields > PAPERS:
            return
        for entry in entries:
            self._with_fields += bool(entry.paper.fields)
            self._fields.update({name.casefold() for name in entry.paper.fields[:2]})

    def _fits(self, source: Source) -> bool:
        """Whether the papers found are from the fields that a service for some fields covers; true as long as that is
        not known."""
        if self._with_fields < _JUDGED_BY:
            return True
        inside = max((self._fields[name] for name in source.covers), default=0)
        return inside >= _LEAST_SHARE * self._with_fields

    def _is_of_use(self, source: Source) -> bool:
        """False for a service that has found nothing for several queries."""
        return source.name in self._fruitful or self._empty[source.name] < _EMPTY_QUERIES

    # What came

    def _in_background(self, work: Coroutine[Any, Any, _Response]) -> asyncio.Task[_Response]:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    async def _add(
        self,
        source: Source,
        entries: Sequence[Entry],
        before: dt.date | None,
        response: _Response,
        centre: Paper | None = None,
    ) -> None:
        """Adds the entries that may be known to the library. `centre`: a paper that is completed whatever its day."""
        of_time = [
            entry for entry in entries
            if before is None or entry.paper.is_before(before) or (centre and is_about(entry, centre))
        ]  # fmt: skip
        if of_time:
            async with self._writing:
                report = await asyncio.to_thread(self._library.add, of_time, source.title)
            response.added += report.added

    def _summary(self, responses: Sequence[_Response]) -> dict[str, Any]:
        """What was added, and what failed: one line for each service in a run."""
        failed = {response.title: str(response.error) for response in responses if response.error}
        new = {title: line for title, line in failed.items() if title not in self._reported}
        self._reported |= new.keys()
        added = {response.title: response.added for response in responses if response.added}
        return {"added": added, "aside": tuple(new.values())}

    def _note_late(self, task: asyncio.Task[_Response]) -> None:
        if not task.cancelled() and task.exception() is None and (task.result().added or task.result().error):
            self._record(LiveSearchResult(query="", **self._summary([task.result()])))

    def _note(self, query: str, responses: Sequence[_Response], seconds: float, citations_of: str = "") -> None:
        """Records what came. Raises SourceError where everything failed for the first time."""
        summary = self._summary(responses)
        result = LiveSearchResult(query=query, citations_of=citations_of, seconds=round(seconds, 2), **summary)
        self._record(result)
        failed = responses and all(response.error for response in responses)
        if failed and not self._has_failed and any(isinstance(response.error, SourceError) for response in responses):
            self._has_failed = True
            raise _common_error(responses)

    def _record(self, result: LiveSearchResult) -> None:
        self._gathered.append(result)
        self._progress(result)


class _Stopwatch:
    """The time during which somebody waits, however many wait at once. A context manager around each wait."""

    def __init__(self) -> None:
        self._waiting, self._since, self._before = 0, 0.0, 0.0

    @property
    def seconds(self) -> float:
        return self._before + (_now() - self._since if self._waiting else 0.0)

    def __enter__(self) -> None:
        self._since = self._since if self._waiting else _now()
        self._waiting += 1

    def __exit__(self, *_: object) -> None:
        self._waiting -= 1
        if not self._waiting:
            self._before += _now() - self._since


@dataclass
class _Response:
    """What one service returned for one query."""

    title: str
    found: int = 0
    added: int = 0
    error: SourceError | BadInput | None = field(default=None)


def _common_error(responses: Sequence[_Response]) -> SourceError:
    """One error for services that all failed."""
    if all(isinstance(response.error, SourceUnreachable) for response in responses):
        titles = [response.title for response in responses]
        named = f"{', '.join(titles[:-1])} and {titles[-1]}" if len(titles) > 1 else titles[0]
        return SourceUnreachable(f"{named} cannot be reached: check the network and proxy.")
    return SourceError(" ".join(dict.fromkeys(str(response.error) for response in responses)))


def _now() -> float:
    return asyncio.get_running_loop().time()
