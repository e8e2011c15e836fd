"""The openings of a topic, as one run knows them: computed once, kept in its events, and never a reason to fail."""

from __future__ import annotations

import datetime as dt
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from pydantic import ValidationError

from novum.core import Paper
from novum.core.opening import Opening, Openings
from novum.core.record import Value
from novum.errors import LedgerError, NovumError
from novum.lab import Lab
from novum.ledger import Ledger
from novum.literature import Library
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.openings import ensured
from novum.opportunities.openings import openings_of as computed
from novum.opportunities.wishes import Wishes
from novum.reading.live_library import LiveLibrary
from novum.transport import Shared

MOST = 10
"""Openings of a topic that a run keeps."""
_SMALLEST = 200
"""Papers below which nobody would believe what is computed of them."""
_AT_ONCE = 5_000
"""Papers up to which concepts are counted without being asked for: a few seconds."""
_REMEMBERED = 256
"""Topics whose openings are kept in memory: a run may have thousands."""
_KEPT = "openings"
"""The event that holds them."""
_MISHAPS = (NovumError, OSError, ValueError, ArithmeticError, LookupError, ImportError, MemoryError, RuntimeError)
"""Whatever may go wrong with a computation that an idea can do without."""


class FoundOpenings(Value):
    """What came of the search: openings, or why there are none."""

    openings: Openings | None = None
    why: str = ""


@dataclass(frozen=True)
class _Asked:
    run_id: str
    topic: str
    before: dt.date | None

    @property
    def day(self) -> str:
        return self.before.isoformat() if self.before else ""


_searches: WeakKeyDictionary[Ledger, OrderedDict[_Asked, Shared[FoundOpenings]]] = WeakKeyDictionary()
"""Those of this process, by the ledger of their runs: branches and turns that ask the same share one."""
_maps: WeakKeyDictionary[Library, Shared[ConceptMap]] = WeakKeyDictionary()
"""Libraries whose concepts are being counted: many topics of one library wait for the same count."""


async def openings_of(lab: Lab, topic: str, before: dt.date | None, *, asked: bool = False) -> FoundOpenings:
    """The openings of a topic in the lab's library, `MOST` at most. With a day, none that knows of it or of anything
    later. `asked`: somebody wants them, so that a large library is counted for them, however long it takes.

    Raises LedgerError alone.
    """
    key = _Asked(lab.run.id, topic, before)
    known = _searches.setdefault(lab.run.ledger, OrderedDict())
    if key not in known or not known[key].may_be_joined:
        known[key] = Shared(_found(lab, key, asked))
    known.move_to_end(key)
    while len(known) > _REMEMBERED and next(iter(known.values())).done:
        known.popitem(last=False)
    return await known[key].result()


async def _found(lab: Lab, key: _Asked, asked: bool) -> FoundOpenings:
    for event in lab.run.earlier(_KEPT):
        if (event.data.get("topic"), event.data.get("before")) == (key.topic, key.day):
            try:
                return FoundOpenings.model_validate(event.data["found"])
            except (KeyError, ValidationError):  # of another Novum: computed anew
                continue
    try:
        found = await _computed(lab, key, asked)
    except LedgerError:
        raise
    except _MISHAPS as mishap:
        found = FoundOpenings(why=_sentence(mishap))
    lab.run.emit(_KEPT, topic=key.topic, before=key.day, found=found.model_dump(mode="json"))
    return found


async def _computed(lab: Lab, key: _Asked, asked: bool) -> FoundOpenings:
    library = lab.library.itself if isinstance(lab.library, LiveLibrary) else lab.library
    papers = library.size().papers
    if papers < _SMALLEST:
        return FoundOpenings(
            why=f"What papers have not joined is computed from {_SMALLEST} papers on, and the library holds {papers:,}."
        )
    if asked or papers <= _AT_ONCE:
        found_map = await _counted(lab, library)
    else:
        found_map = ConceptMap.open(library)
    if key.before is not None and not _is_past(found_map.year, key.before):
        return FoundOpenings(
            why=f"What is known of the library's concepts goes to the end of {found_map.year}, and nothing from "
            f"{key.day} on may be used."
        )
    return _within(await computed(found_map, library, key.topic, Wishes(), MOST), key.before)


async def _counted(lab: Lab, library: Library) -> ConceptMap:
    """The library's concepts as they are now; who comes while they are being counted waits for that count."""
    at_it = _maps.get(library)
    if at_it is None or not at_it.may_be_joined:
        told = ensured(library, lambda what, done: lab.run.say(f"concepts of the library: {what}"))
        at_it = _maps[library] = Shared(told)
    try:
        return await at_it.result()
    finally:
        if at_it.done and _maps.get(library) is at_it:  # the library may be written to before the next one asks
            del _maps[library]


def _within(found: Openings, before: dt.date | None) -> FoundOpenings:
    """What may be known, with no more papers than the openings name."""
    if not found.openings or (before is not None and not _is_past(found.until, before)):
        why = " ".join(found.notes) or "Near this topic the library has no pair of concepts left to join."
        return FoundOpenings(why=why)
    papers = _named(found.papers, found.openings, before)
    return FoundOpenings(openings=found.model_copy(update={"papers": papers}))


def _named(papers: Iterable[Paper], openings: Iterable[Opening], before: dt.date | None) -> tuple[Paper, ...]:
    ids = {name for each in openings for name in (*each.one.papers, *each.other.papers, *each.attempts)}
    return tuple(each for each in papers if each.id in ids and (before is None or each.is_before(before)))


def _is_past(year: int, before: dt.date) -> bool:
    """Whether the year was over when the day came."""
    return year < before.year


def _sentence(mishap: BaseException) -> str:
    if isinstance(mishap, NovumError):
        return str(mishap)
    return f"Openings of the topic could not be computed ({type(mishap).__name__}: {str(mishap)[:200]})."
