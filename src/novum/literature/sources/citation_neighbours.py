"""Which papers lie next to those that were found, most often connected first. Pure; one step of following citations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from novum.core import Paper, normal_title
from novum.literature.entry import REGISTRIES, Entry, Reference
from novum.literature.identity import same_by_identifier, same_by_title
from novum.literature.merging import merge

Name = tuple[str, str]
"""(scheme, value)."""
_WORDS_OF_A_TITLE = 4
_MOST_CANDIDATES = 500_000
"""Names held in memory, some 300 MB: those of 5,000 papers, what they cite and what cites them take half of it. Once
there are so many, further ones are passed over while these are still counted."""
_MOST_DESCRIBED = 30_000
"""Descriptions held in memory, some 200 MB; candidates beyond are known by their names, and asked for if they win."""


@dataclass(eq=False, slots=True)
class Candidate:
    """A paper that cites, or is cited by, some in the centre. `entry` is None while only its names are known."""

    names: set[Name] = field(default_factory=set)
    connected: set[int] = field(default_factory=set)
    entry: Entry | None = None
    source: str = ""
    """Who described it."""

    def rank(self) -> tuple[int, int, Name]:
        """The smaller, the better."""
        cited = self.entry.paper.citation_count if self.entry else None
        return -len(self.connected), -(cited or 0), min(self.names)

    @property
    def registered(self) -> list[Name]:
        """The names by which a service can be asked for it."""
        return sorted(name for name in self.names if name[0] in REGISTRIES)


class Neighbourhood:
    """Of the papers in the centre, without those that were `met` before."""

    def __init__(self, centre: Sequence[Entry], met: set[Name]) -> None:
        self._place = {name: place for place, entry in enumerate(centre) for name in names(entry)}
        self._centre = list(centre)
        self._met = met
        self._candidates: dict[Name, Candidate] = {}
        self._described = 0
        for entry in centre:
            self.see(entry, "")

    def is_central(self, entry: Entry) -> bool:
        """Whether it describes one of the papers in the centre."""
        return self._place_of(entry) is not None

    def see(self, entry: Entry, source: str) -> None:
        """Note a paper and what it cites."""
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
            candidate.connected.update(self._place[name] for name in cited if name in self._place)

    def best(self, most: int) -> list[Candidate]:
        """At most `most` that are described or can be asked for: the most connected first, then the most cited, so far
        as is known; the order in which they were seen does not matter."""
        unique = dict.fromkeys(self._candidates.values())
        usable = (
            one for one in unique if one.connected and (one.entry or one.registered) and not one.names & self._met
        )
        return sorted(usable, key=Candidate.rank)[:most]

    def _place_of(self, entry: Entry) -> int | None:
        places = (self._place[name] for name in names(entry) if name in self._place)
        return next((place for place in places if are_one(self._centre[place].paper, entry.paper)), None)

    def _candidate(self, called: Sequence[Name]) -> Candidate | None:
        """The one of these names; two that turn out to be one become one. None when memory is full."""
        known = list(dict.fromkeys(self._candidates[name] for name in called if name in self._candidates))
        if not known and len(self._candidates) >= _MOST_CANDIDATES:
            return None
        first = known[0] if known else Candidate()
        for other in known[1:]:
            first.connected |= other.connected
            first.entry, first.source = first.entry or other.entry, first.source or other.source
            called = [*called, *other.names]
        first.names.update(called)
        self._candidates.update(dict.fromkeys(called, first))
        return first


def names(entry: Entry) -> list[Name]:
    """Everything by which others may mean this paper, its title included unless it is one that many may have."""
    title = normal_title(entry.paper.title)
    by_title = [("title", title)] if len(title.split()) >= _WORDS_OF_A_TITLE else []
    by_key = [("key", entry.key)] if entry.key else []
    return [("paper", entry.paper.id), *entry.paper.ids.items(), *by_key, *by_title]


def united(entries: Iterable[Entry], met: set[Name]) -> list[Entry]:
    """Each paper once, with what all its descriptions know, without those that were `met` before."""
    places: dict[Name, int] = {}
    together: list[Entry] = []
    for entry in entries:
        called = names(entry)
        if not met.isdisjoint(called):
            continue
        known = (places[name] for name in called if name in places)
        place = next((place for place in known if are_one(together[place].paper, entry.paper)), len(together))
        if place == len(together):
            together.append(entry)
        else:
            together[place] = completed(together[place], entry)
        places.update(dict.fromkeys(called, place))
    return together


def are_one(one: Paper, other: Paper) -> bool:
    """Of two papers that share a name: are they one? As the library decides it; many surveys have the same title."""
    share_an_identifier = not set(one.ids.items()).isdisjoint(other.ids.items())
    return same_by_identifier(one, other) if share_an_identifier else same_by_title(one, other)


def completed(entry: Entry, other: Entry) -> Entry:
    """With what another description of the same paper knows more."""
    references = tuple(dict.fromkeys((*entry.references, *other.references)))
    return Entry(paper=merge(entry.paper, other.paper), key=entry.key, references=references, line=entry.line)


def all_names(entries: Iterable[Entry]) -> set[Name]:
    """Of several papers."""
    return {name for entry in entries for name in names(entry)}


def _name(reference: Reference) -> Name:
    title = reference.scheme == "title"
    return reference.scheme, normal_title(reference.value) if title else reference.value
