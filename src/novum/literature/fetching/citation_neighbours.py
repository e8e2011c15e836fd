"""One step along citations: the papers that are most often connected with those of the step before. No I/O."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from novum.core import Paper, normal_title
from novum.literature.entry import REGISTRIES, Entry, Reference
from novum.literature.identity import same_by_identifier, same_by_title
from novum.literature.merging import merge

Name = tuple[str, str]
"""(scheme, value)."""
_WORDS_OF_A_TITLE = 4
_MOST_CANDIDATES = 500_000
"""Maximum number of names in memory, about 300 MB: 5,000 papers with their citing and cited papers need half of it.
Beyond it, new names are ignored."""
_MOST_DESCRIBED = 30_000
"""Maximum number of descriptions in memory, about 200 MB; further candidates are known by name, and fetched if
chosen."""


@dataclass(eq=False, slots=True)
class NeighbourCandidate:
    """A paper that cites papers in the centre or is cited by them. `entry` is None while only its names are known."""

    names: set[Name] = field(default_factory=set)
    connected: set[int] = field(default_factory=set)
    entry: Entry | None = None
    source: str = ""
    """The source of the description."""

    def rank(self) -> tuple[int, int, Name]:
        """Sort key, best first."""
        cited = self.entry.paper.citation_count if self.entry else None
        return -len(self.connected), -(cited or 0), min(self.names)

    @property
    def identifiers(self) -> list[Name]:
        """The identifiers by which a service can return it."""
        return sorted(name for name in self.names if name[0] in REGISTRIES)


class CitationNeighbourhood:
    """The papers next to those in the centre, without those in `met`."""

    def __init__(self, centre: Sequence[Entry], met: set[Name]) -> None:
        self._place = {name: place for place, entry in enumerate(centre) for name in names(entry)}
        self._centre = list(centre)
        self._met = met
        self._candidates: dict[Name, NeighbourCandidate] = {}
        self._described = 0
        for entry in centre:
            self.add(entry, "")

    def is_central(self, entry: Entry) -> bool:
        """Whether the entry describes a paper in the centre."""
        return self._place_of(entry) is not None

    def add(self, entry: Entry, source: str) -> None:
        """Adds a paper and its references."""
        mine = self._place_of(entry)
        cited = [_name(reference) for reference in entry.references]
        if mine is not None:
            for name in cited:
                if name not in self._place and (candidate := self._candidate([name])):
                    candidate.connected.add(mine)
        elif candidate := self._candidate(names(entry)):
            if candidate.entry is None and self._described < _MOST_DESCRIBED:
                candidate.entry, candidate.source = entry, source
                self._described += 1
            elif candidate.entry is not None:
                candidate.entry = _with_references(candidate.entry, entry.references)
            candidate.connected.update(self._place[name] for name in cited if name in self._place)

    def best(self, most: int) -> list[NeighbourCandidate]:
        """At most `most` candidates that are described or can be fetched: those with the most connections first, then
        by known citation count. The order in which they were added does not matter."""
        unique = dict.fromkeys(self._candidates.values())
        usable = (
            one for one in unique if one.connected and (one.entry or one.identifiers) and not one.names & self._met
        )
        return sorted(usable, key=NeighbourCandidate.rank)[:most]

    def _place_of(self, entry: Entry) -> int | None:
        places = (self._place[name] for name in names(entry) if name in self._place)
        return next((place for place in places if are_same(self._centre[place].paper, entry.paper)), None)

    def _candidate(self, called: Sequence[Name]) -> NeighbourCandidate | None:
        """The candidate with these names; candidates that share a name are merged. None when memory is full."""
        known = list(dict.fromkeys(self._candidates[name] for name in called if name in self._candidates))
        if not known and len(self._candidates) >= _MOST_CANDIDATES:
            return None
        first = known[0] if known else NeighbourCandidate()
        for other in known[1:]:
            first.connected |= other.connected
            first.entry, first.source = first.entry or other.entry, first.source or other.source
            called = [*called, *other.names]
        first.names.update(called)
        self._candidates.update(dict.fromkeys(called, first))
        return first


def names(entry: Entry) -> list[Name]:
    """All names by which references may mean this paper, with its title unless that is too short to be unique."""
    title = normal_title(entry.paper.title)
    by_title = [("title", title)] if len(title.split()) >= _WORDS_OF_A_TITLE else []
    by_key = [("key", entry.key)] if entry.key else []
    return [("paper", entry.paper.id), *entry.paper.ids.items(), *by_key, *by_title]


def merge_entries(entries: Iterable[Entry], met: set[Name]) -> list[Entry]:
    """Each paper once, merged from all its descriptions, without those in `met`."""
    places: dict[Name, int] = {}
    merged: list[Entry] = []
    for entry in entries:
        called = names(entry)
        if not met.isdisjoint(called):
            continue
        known = (places[name] for name in called if name in places)
        place = next((place for place in known if are_same(merged[place].paper, entry.paper)), len(merged))
        if place == len(merged):
            merged.append(entry)
        else:
            merged[place] = complete_entry(merged[place], entry)
        places.update(dict.fromkeys(called, place))
    return merged


def are_same(one: Paper, other: Paper) -> bool:
    """Whether two papers that share a name are the same, by the rules of the library: many surveys share a title."""
    share_an_identifier = not set(one.ids.items()).isdisjoint(other.ids.items())
    return same_by_identifier(one, other) if share_an_identifier else same_by_title(one, other)


def complete_entry(entry: Entry, other: Entry) -> Entry:
    """The entry completed from another description of the same paper."""
    references = tuple(dict.fromkeys((*entry.references, *other.references)))
    return Entry(paper=merge(entry.paper, other.paper), key=entry.key, references=references, line=entry.line)


def _with_references(entry: Entry, more: tuple[Reference, ...]) -> Entry:
    """The entry with more references: some services name one of them each time."""
    new = [reference for reference in dict.fromkeys(more) if reference not in entry.references]
    return replace(entry, references=(*entry.references, *new)) if new else entry


def all_names(entries: Iterable[Entry]) -> set[Name]:
    """The names of several papers."""
    return {name for entry in entries for name in names(entry)}


def _name(reference: Reference) -> Name:
    title = reference.scheme == "title"
    return reference.scheme, normal_title(reference.value) if title else reference.value
