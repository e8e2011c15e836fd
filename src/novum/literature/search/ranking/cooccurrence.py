"""Which entities papers mention together, and which entities co-occur with those of a few papers without being in them.

The entity-centric knowledge store of ResearchAgent (Baek et al. 2024), from the data of a library: an entity is a
field, or a word group of a title that occurs in other papers too; a paper has it if its title or abstract contains it.
The strength of a pair is its pointwise mutual information, discounted where few papers support it (Pantel & Lin 2002),
times the share of the given papers that have the given entity: a word that only one of them mentions counts little.
"""

from __future__ import annotations

import math
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.core import Paper, Value, normal_title
from novum.literature.search.ranking.growth import standing_alone
from novum.literature.search.ranking.keywords import keywords

_FEWEST_PAPERS = 2
"""Minimum number of papers of an entity: a word group of one paper links nothing."""
_FEWEST_TOGETHER = 2
"""Minimum number of papers of a pair: one may be chance."""
_MOST_THINGS, _MOST_IN_ONE = 100_000, 64
"""Maximum number of entities, the most frequent ones, and of entities of one paper, the rarest ones: memory is bounded
by the number of papers."""
_ASKED = 48
"""Maximum number of entities of the given papers that are looked up: those that most of these papers have, the rarer
first."""
_COMMON, _NEVER_COMMON = 100, 10
"""An entity of more than one paper in `_COMMON`, and of more than `_NEVER_COMMON` papers, is too common to be a
suggestion."""
_FAINT = 0.25
"""Minimum strength, as a share of the strongest: fewer results are better than weak ones."""
_BESIDE = 3
_STORES = 2

Numbers = NDArray[np.int64]


class CooccurringEntity(Value):
    """An entity that co-occurs with entities of the given papers."""

    name: str
    papers: int
    """Number of mined papers with it."""
    beside: tuple[str, ...]
    """Entities of the given papers with which it co-occurs most unusually often, strongest first."""
    example: str
    """Id of the paper in which it co-occurs with most entities of the given papers."""


@dataclass(frozen=True, eq=False)
class GroupedArrays:
    """Numbers by group: those of group i are `members[starts[i]:starts[i + 1]]`."""

    starts: Numbers
    members: Numbers

    @classmethod
    def of_lists(cls, lists: Iterable[Sequence[int]]) -> Self:
        sizes, members = [0], list[int]()
        for each in lists:
            sizes.append(len(each))
            members.extend(each)
        return cls(np.cumsum(np.array(sizes, np.int64)), np.array(members, np.int64))

    def of(self, group: int) -> Numbers:
        return self.members[self.starts[group] : self.starts[group + 1]]

    def of_all(self, groups: Iterable[int]) -> Numbers:
        """The numbers of several groups, each as often as it occurs there."""
        return np.concatenate([np.zeros(0, np.int64), *map(self.of, groups)])

    def inverted(self, groups: int) -> GroupedArrays:
        """The inverse: for each number below `groups` the groups with it."""
        owners = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        counts = np.bincount(self.members, minlength=groups)
        starts = np.concatenate([[0], np.cumsum(counts)])
        return GroupedArrays(starts, owners[np.argsort(self.members, kind="stable")])


@dataclass(frozen=True, eq=False)
class EntityStore:
    """Entities and the papers that mention them. `ids`: the mined papers; `names`: the entities, in order."""

    ids: Sequence[str]
    names: Sequence[str]
    by_paper: GroupedArrays
    by_thing: GroupedArrays

    @classmethod
    def mined(cls, papers: Sequence[Paper]) -> Self:
        """Mines `papers`: one pass over the titles for the entities, and one over all text for their papers."""
        titled = {name: name for paper in papers for name in _entity_names(paper)}
        found = [[titled[name] for name in keywords(paper) if name in titled] for paper in papers]
        papers_with = Counter(chain.from_iterable(found))
        names = _things(papers_with)
        number = {name: place for place, name in enumerate(names)}
        rarest_first = (sorted(held, key=lambda name: (papers_with[name], name)) for held in found)
        by_paper = GroupedArrays.of_lists(
            [number[name] for name in held if name in number][:_MOST_IN_ONE] for held in rarest_first
        )
        return cls([paper.id for paper in papers], names, by_paper, by_paper.inverted(len(names)))

    def companions(self, given: Sequence[Paper], k: int) -> list[CooccurringEntity]:
        """The `k` entities that co-occur most unusually often with those of `given` and are in none of these papers."""
        held = Counter(chain.from_iterable(map(keywords, given)))
        asked = self._query_entities(held)
        strength: dict[int, list[tuple[float, int]]] = defaultdict(list)
        texts = [f" {_form(f'{paper.title} {paper.gist}')} " for paper in given]
        inside = {place for place, name in enumerate(self.names) if any(f" {_form(name)} " in text for text in texts)}
        common = max(len(self.ids) / _COMMON, _NEVER_COMMON)
        for thing in asked:
            share = held[self.names[thing]] / len(given)
            for other, together in self._beside(thing):
                if other not in inside and len(self.by_thing.of(other)) <= common:
                    strength[other].append((share * together, thing))
        order = self._strongest({other: math.fsum(each for each, _ in found) for other, found in strength.items()})
        held_with = np.zeros(len(self.ids), np.int64)
        for thing in asked:
            held_with[self.by_thing.of(thing)] += held[self.names[thing]]
        return [self._companion(other, strength[other], held_with) for other in islice(self._unlike(order), k)]

    def _strongest(self, total: Mapping[int, float]) -> list[int]:
        """The entities that are not much weaker than the strongest one, strongest first."""
        least = _FAINT * max(total.values(), default=0.0)
        strong = (other for other, each in total.items() if each >= least)
        return sorted(strong, key=lambda other: (-total[other], self.names[other]))

    def _query_entities(self, held: Mapping[str, int]) -> list[int]:
        """The entities of the given papers to look up. `held`: the number of these papers with each."""
        counts = np.diff(self.by_thing.starts)
        known = [place for place, name in enumerate(self.names) if name in held]
        return sorted(known, key=lambda place: (-held[self.names[place]], counts[place], place))[:_ASKED]

    def _beside(self, thing: int) -> Iterator[tuple[int, float]]:
        """Entities that co-occur with this one more often than by chance, and how much more (discounted, in nats).

        An entity that shares a word with it is a part or a kind of it, and is left out.
        """
        rows, counts = self.by_thing.of(thing), np.diff(self.by_thing.starts)
        together = np.bincount(self.by_paper.of_all(rows), minlength=len(self.names))
        words = _words(self.names[thing])
        for other in map(int, np.flatnonzero(together >= _FEWEST_TOGETHER)):
            joint, less = float(together[other]), float(min(len(rows), counts[other]))
            unusual = math.log(joint * len(self.ids) / (len(rows) * counts[other]))
            if unusual > 0 and words.isdisjoint(_words(self.names[other])):
                yield other, unusual * joint / (joint + 1) * less / (less + 1)

    def _unlike(self, order: Sequence[int]) -> Iterator[int]:
        """The entities in this order, without those whose words include, or are among, those of an earlier one."""
        chosen: list[frozenset[str]] = []
        for other in order:
            words = _words(self.names[other])
            if not any(words <= before or before <= words for before in chosen):
                chosen.append(words)
                yield other

    def _companion(self, other: int, strength: Sequence[tuple[float, int]], held_with: Numbers) -> CooccurringEntity:
        rows = self.by_thing.of(other)
        beside = [self.names[thing] for _, thing in sorted(strength, key=lambda each: (-each[0], each[1]))]
        example = self.ids[int(rows[np.argmax(held_with[rows])])]
        return CooccurringEntity(
            name=self.names[other], papers=len(rows), beside=tuple(beside[:_BESIDE]), example=example
        )


class EntityMemory:
    """A cache of the last stores, until the library changes. It may be used by several threads."""

    def __init__(self) -> None:
        self._stores: dict[tuple[int, Hashable, int], EntityStore] = {}
        self._mining = threading.Lock()

    def store(self, asked: tuple[int, Hashable, int], mine: Callable[[], EntityStore]) -> EntityStore:
        """The store for `asked`: number of the last change, filters, maximum number of papers. Other threads wait while
        it is mined."""
        with self._mining:
            if asked not in self._stores:
                recent = [each for each in self._stores.items() if each[0][0] == asked[0]][1 - _STORES :]
                self._stores = dict([*recent, (asked, mine())])
            return self._stores[asked]


def _things(papers_with: Mapping[str, int]) -> list[str]:
    """Entities of several papers that are not mostly a part of longer ones; the most frequent ones, sorted."""
    alone = standing_alone(papers_with, _FEWEST_PAPERS)
    return sorted(sorted(alone, key=lambda name: (-papers_with[name], name))[:_MOST_THINGS])


def _entity_names(paper: Paper) -> set[str]:
    """Its fields, and groups of two or three words of its title that are not part of a longer group."""
    found = keywords(paper, abstract=False)
    continued = {name.rpartition(" ")[0] for name in found}
    fields = {" ".join(field.lower().split()) for field in paper.fields}
    return {name for name in found if name in fields or (" " in name and _last_two(name) not in continued)}


def _last_two(name: str) -> str:
    return " ".join(name.split()[-2:])


def _words(name: str) -> frozenset[str]:
    return frozenset(_form(name).split())


def _form(text: str) -> str:
    """Words alone, singular and plural alike, near enough."""
    words = normal_title(text).split()
    return " ".join(word[:-1] if word.endswith("s") and len(word) > 3 and word[-2] != "s" else word for word in words)
