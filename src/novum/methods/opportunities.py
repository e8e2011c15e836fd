"""The opportunities of a topic in one run: computed once, stored in its events, and never a reason to fail."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from pydantic import ValidationError

from novum.core import Paper
from novum.core.concurrency import SharedTask
from novum.core.opportunity import Opportunity, OpportunityList
from novum.core.record import Value
from novum.errors import LedgerError, NovumError
from novum.lab import Lab
from novum.ledger import Ledger
from novum.literature import Library, coverage_of
from novum.opportunities.building import BuildInProgress
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.folder import read_card, usable_map_folder
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search import ensure_concept_map, too_few_papers
from novum.opportunities.search import search_map as computed

MOST = 10
"""Most opportunities of a topic that a run stores."""
_SMALLEST = 200
"""Papers below which opportunities are not computed, because they would not be reliable."""
_AUTOMATIC_UP_TO = 5_000
"""Papers up to which the concept map is built again without a request: it takes a few seconds."""
_FIRST_MAP_UP_TO = 30_000
"""Papers up to which a library without a concept map gets one without a request: it takes half a minute, once."""
_POLL_SECONDS = 0.5
"""Seconds between checks whether another process has finished building."""
_CACHED_TOPICS = 256
"""Topics whose opportunities stay in memory; a run may have thousands of topics."""
_EVENT = "openings"
"""The event that stores them."""
_FAILURES = (NovumError, OSError, ValueError, ArithmeticError, LookupError, ImportError, MemoryError, RuntimeError)
"""Errors that do not stop a run: ideas can be generated without opportunities."""


class OpportunitySearch(Value):
    """The result of a search: opportunities, or the reason why there are none."""

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
"""Searches of this process, by the ledger of their runs: branches and rounds with the same topic share one."""


class _SharedConceptMap:
    """The concept map of a library, built or opened once for all topics that wait for it.

    One topic searches it at a time, because computing threads slow down the event loop that sends model requests.
    """

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.turn = asyncio.Lock()
        self.waiting = 0
        self._known: dict[bool, SharedTask[ConceptMap]] = {}

    async def known(self, lab: Lab, library: Library, anew: bool) -> ConceptMap:
        """The concept map of the present library if `anew`, else the one that was built last."""
        at_it = self._known.get(anew)
        if at_it is None or not at_it.may_be_joined:
            at_it = self._known[anew] = SharedTask(_build_concept_map(lab, library, anew))
        return await at_it.result()


_concept_maps: WeakKeyDictionary[Library, _SharedConceptMap] = WeakKeyDictionary()
"""By library; removed with its last waiting topic, because the library may change afterwards."""


async def opportunities_of(
    lab: Lab, topic: str, before: dt.date | None, *, requested: bool = False
) -> OpportunitySearch:
    """At most `MOST` opportunities of a topic in the lab's library.

    `before`: only opportunities computed from papers of earlier years. `requested`: the user requested them, so the
    concept map of a large library is built for them, however long it takes. Raises no error except LedgerError.
    """
    key = _SearchKey(lab.run.id, topic, before)
    known = _searches.setdefault(lab.run.ledger, OrderedDict())
    if key not in known or not known[key].may_be_joined:
        known[key] = SharedTask(_restored_or_computed(lab, key, requested))
    known.move_to_end(key)
    while len(known) > _CACHED_TOPICS and next(iter(known.values())).done:
        known.popitem(last=False)
    return await known[key].result()


async def _restored_or_computed(lab: Lab, key: _SearchKey, requested: bool) -> OpportunitySearch:
    for event in lab.run.earlier(_EVENT):
        if (event.data.get("topic"), event.data.get("before")) == (key.topic, key.day):
            try:
                return OpportunitySearch.model_validate(event.data["found"])
            except (KeyError, ValidationError):  # written by another version: computed again
                continue
    try:
        search = await _computed_search(lab, key, requested)
    except LedgerError:
        raise
    except _FAILURES as mishap:
        search = OpportunitySearch(why=_failure_text(mishap))
    lab.run.emit(_EVENT, topic=key.topic, before=key.day, found=search.model_dump(mode="json"))
    return search


async def _computed_search(lab: Lab, key: _SearchKey, requested: bool) -> OpportunitySearch:
    library = lab.library.stored
    papers = library.size().papers
    if papers < _SMALLEST:
        return OpportunitySearch(
            why=f"Opportunities need a library of at least {_SMALLEST} papers; this one has {papers:,}."
        )
    coverage = await coverage_of(library, key.topic, before=key.before)
    if why := too_few_papers(coverage):
        return OpportunitySearch(why=why)
    async with _shared_concept_map(library) as desk:
        found_map = await desk.known(lab, library, anew=requested or _is_built_unasked(library, papers))
        if key.before is not None and not _is_past(found_map.year, key.before):
            return OpportunitySearch(
                why=f"The concept map of the library covers papers until the end of {found_map.year}, and nothing from "
                f"{key.day} on may be used."
            )
        async with desk.turn:
            found = await computed(found_map, library, key.topic, OpportunityQuery(), MOST, coverage)
            return _visible_search(found, key.before)


def _is_built_unasked(library: Library, papers: int) -> bool:
    """Whether the concept map is built without a request: again for a small library, once for one of medium size."""
    return papers <= _AUTOMATIC_UP_TO or (papers <= _FIRST_MAP_UP_TO and read_card(usable_map_folder(library)) is None)


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
    """Build or open the concept map; if another process is building it, wait for that one."""
    if not anew:
        return ConceptMap.open(library)
    while True:
        try:
            return await ensure_concept_map(
                library, lambda what, done: lab.run.note(f"concepts of the library: {what}")
            )
        except BuildInProgress:
            lab.run.note("concepts of the library: another process is computing them")
            await asyncio.sleep(_POLL_SECONDS)


def _visible_search(opportunities: OpportunityList, before: dt.date | None) -> OpportunitySearch:
    """The opportunities that the run may know, with only the papers that they name."""
    if not opportunities.openings or (before is not None and not _is_past(opportunities.until, before)):
        why = (
            " ".join(opportunities.notes)
            or "Near this topic the library has no pair of concepts that could be combined."
        )
        return OpportunitySearch(why=why)
    papers = _papers_named(opportunities.papers, opportunities.openings, before)
    return OpportunitySearch(openings=opportunities.model_copy(update={"papers": papers}))


def _papers_named(
    papers: Iterable[Paper], openings: Iterable[Opportunity], before: dt.date | None
) -> tuple[Paper, ...]:
    ids = {name for each in openings for name in (*each.one.papers, *each.other.papers, *each.attempts)}
    return tuple(each for each in papers if each.id in ids and (before is None or each.is_before(before)))


def _is_past(year: int, before: dt.date) -> bool:
    """Whether the year had ended on that day."""
    return year < before.year


def _failure_text(mishap: BaseException) -> str:
    if isinstance(mishap, NovumError):
        return str(mishap)
    return f"Opportunities of the topic could not be computed ({type(mishap).__name__}: {str(mishap)[:200]})."
