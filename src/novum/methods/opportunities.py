"""The openings of a topic, as one run knows them: computed once, kept in its events, and never a reason to fail."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from pydantic import ValidationError

from novum.concurrency import SharedTask
from novum.core import Paper
from novum.core.opportunity import Opportunity, OpportunityList
from novum.core.record import Value
from novum.errors import LedgerError, NovumError
from novum.lab import Lab
from novum.ledger import Ledger
from novum.literature import Library
from novum.opportunities.building import BuildInProgress
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search import ensure_concept_map
from novum.opportunities.search import search_map as computed

MOST = 10
"""Openings of a topic that a run keeps."""
_SMALLEST = 200
"""Papers below which nobody would believe what is computed of them."""
_AUTOMATIC_UP_TO = 5_000
"""Papers up to which concepts are counted without being asked for: a few seconds."""
_POLL_SECONDS = 0.5
"""Seconds between looks at what another process is doing."""
_CACHED_TOPICS = 256
"""Topics whose openings are kept in memory: a run may have thousands."""
_EVENT = "openings"
"""The event that holds them."""
_FAILURES = (NovumError, OSError, ValueError, ArithmeticError, LookupError, ImportError, MemoryError, RuntimeError)
"""Whatever may go wrong with a computation that an idea can do without."""


class OpportunitySearch(Value):
    """What came of the search: openings, or why there are none."""

    openings: OpportunityList | None = None
    why: str = ""


@dataclass(frozen=True)
class _SearchKey:
    run_id: str
    topic: str
    before: dt.date | None

    @property
    def day(self) -> str:
        return self.before.isoformat() if self.before else ""


_searches: WeakKeyDictionary[Ledger, OrderedDict[_SearchKey, SharedTask[OpportunitySearch]]] = WeakKeyDictionary()
"""Those of this process, by the ledger of their runs: branches and turns that ask the same share one."""


class _SharedConceptMap:
    """One library's concepts while topics wait for their openings: counted or opened once for all of them. They are
    looked up by one topic at a time, as threads that compute hold up the loop in which models are asked."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.turn = asyncio.Lock()
        self.waiting = 0
        self._known: dict[bool, SharedTask[ConceptMap]] = {}

    async def known(self, lab: Lab, library: Library, anew: bool) -> ConceptMap:
        """The concepts as they are, or unless `anew` as they were when they were last counted."""
        at_it = self._known.get(anew)
        if at_it is None or not at_it.may_be_joined:
            at_it = self._known[anew] = SharedTask(_build_concept_map(lab, library, anew))
        return await at_it.result()


_concept_maps: WeakKeyDictionary[Library, _SharedConceptMap] = WeakKeyDictionary()
"""Of libraries that topics wait for; given up with the last of them, as the library may be written to."""


async def opportunities_of(lab: Lab, topic: str, before: dt.date | None, *, asked: bool = False) -> OpportunitySearch:
    """The openings of a topic in the lab's library, `MOST` at most. With a day, none that knows of it or of anything
    later. `asked`: somebody wants them, so that a large library is counted for them, however long it takes.

    Raises LedgerError alone.
    """
    key = _SearchKey(lab.run.id, topic, before)
    known = _searches.setdefault(lab.run.ledger, OrderedDict())
    if key not in known or not known[key].may_be_joined:
        known[key] = SharedTask(_restored_or_computed(lab, key, asked))
    known.move_to_end(key)
    while len(known) > _CACHED_TOPICS and next(iter(known.values())).done:
        known.popitem(last=False)
    return await known[key].result()


async def _restored_or_computed(lab: Lab, key: _SearchKey, asked: bool) -> OpportunitySearch:
    for event in lab.run.earlier(_EVENT):
        if (event.data.get("topic"), event.data.get("before")) == (key.topic, key.day):
            try:
                return OpportunitySearch.model_validate(event.data["found"])
            except (KeyError, ValidationError):  # of another Novum: computed anew
                continue
    try:
        found = await _computed_search(lab, key, asked)
    except LedgerError:
        raise
    except _FAILURES as mishap:
        found = OpportunitySearch(why=_failure_text(mishap))
    lab.run.emit(_EVENT, topic=key.topic, before=key.day, found=found.model_dump(mode="json"))
    return found


async def _computed_search(lab: Lab, key: _SearchKey, asked: bool) -> OpportunitySearch:
    library = lab.library.stored
    papers = library.size().papers
    if papers < _SMALLEST:
        return OpportunitySearch(
            why=f"What papers have not joined is computed from {_SMALLEST} papers on, and the library holds {papers:,}."
        )
    async with _shared_concept_map(library) as desk:
        found_map = await desk.known(lab, library, anew=asked or papers <= _AUTOMATIC_UP_TO)
        if key.before is not None and not _is_past(found_map.year, key.before):
            return OpportunitySearch(
                why=f"What is known of the library's concepts goes to the end of {found_map.year}, and nothing from "
                f"{key.day} on may be used."
            )
        async with desk.turn:
            return _visible_search(await computed(found_map, library, key.topic, OpportunityQuery(), MOST), key.before)


@asynccontextmanager
async def _shared_concept_map(library: Library) -> AsyncIterator[_SharedConceptMap]:
    desk = _concept_maps.get(library)
    if desk is None or desk.loop is not asyncio.get_running_loop():
        desk = _concept_maps[library] = _SharedConceptMap()
    desk.waiting += 1
    try:
        yield desk
    finally:
        desk.waiting -= 1
        if not desk.waiting and _concept_maps.get(library) is desk:
            del _concept_maps[library]


async def _build_concept_map(lab: Lab, library: Library, anew: bool) -> ConceptMap:
    """What another process is counting is waited for: it is not counted twice, and no idea goes without."""
    if not anew:
        return ConceptMap.open(library)
    while True:
        try:
            return await ensure_concept_map(library, lambda what, done: lab.run.say(f"concepts of the library: {what}"))
        except BuildInProgress:
            lab.run.say("concepts of the library: another process is counting them")
            await asyncio.sleep(_POLL_SECONDS)


def _visible_search(found: OpportunityList, before: dt.date | None) -> OpportunitySearch:
    """What may be known, with no more papers than the openings name."""
    if not found.openings or (before is not None and not _is_past(found.until, before)):
        why = " ".join(found.notes) or "Near this topic the library has no pair of concepts left to join."
        return OpportunitySearch(why=why)
    papers = _papers_named(found.papers, found.openings, before)
    return OpportunitySearch(openings=found.model_copy(update={"papers": papers}))


def _papers_named(
    papers: Iterable[Paper], openings: Iterable[Opportunity], before: dt.date | None
) -> tuple[Paper, ...]:
    ids = {name for each in openings for name in (*each.one.papers, *each.other.papers, *each.attempts)}
    return tuple(each for each in papers if each.id in ids and (before is None or each.is_before(before)))


def _is_past(year: int, before: dt.date) -> bool:
    """Whether the year was over when the day came."""
    return year < before.year


def _failure_text(mishap: BaseException) -> str:
    if isinstance(mishap, NovumError):
        return str(mishap)
    return f"Openings of the topic could not be computed ({type(mishap).__name__}: {str(mishap)[:200]})."
