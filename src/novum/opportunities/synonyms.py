"""Names of one thing: short forms by their initials, near-synonyms by their vectors and their company.

What is merged stands in a list that a user may edit; the list is what is believed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novum.core import Value
from novum.core.arrays import Ints, Vectors
from novum.literature.search.whitening import Whitening
from novum.opportunities.sparse import Table

_TOGETHER = 0.25
"""Share of the rarer one's papers in which a short form must stand beside the long one."""
_SAME_COMPANY = 0.6
"""Cosine of the company that two near-synonyms must keep."""
_BLOCK = 2000
KEPT_APART = "-"


class Synonym(Value):
    """`name` counts as `concept`, or as itself where that is `-`. `why`: in words."""

    name: str
    concept: str
    why: str


@dataclass(frozen=True, eq=False)
class NamedConcepts:
    """Concepts before near-synonyms are merged: `held` is papers × concepts, of the papers that may be known."""

    names: Sequence[str]
    held: Table

    @property
    def papers(self) -> Ints:
        """Papers that hold each, shape (n,)."""
        return np.asarray(self.held.sum(axis=0)).ravel().astype(np.int64)


def whitened(vectors: Vectors) -> Vectors:
    """Of names, made unit length by what these names themselves have in common: of a past, nothing else was known."""
    return Whitening.fit(vectors).apply(vectors)


def propose_synonyms(named: NamedConcepts, units: Vectors, alike: float) -> list[Synonym]:
    """What may be merged, the rarer name into the more frequent. `units`: whitened vectors of the names."""
    mapping = {each.name: each for each in (*_near(named, units, alike), *_short_forms(named))}
    return [mapping[name] for name in sorted(mapping)]


def _short_forms(named: NamedConcepts) -> list[Synonym]:
    by_initials = defaultdict(list)
    for number, name in enumerate(named.names):
        words = name.replace("-", " ").split()
        if len(words) > 1:
            by_initials["".join(word[0] for word in words)].append(number)
    columns, papers = named.held.tocsc(), named.papers
    results = []
    for short, name in enumerate(named.names):
        plain = name.replace("-", "")
        longer = by_initials.get(plain) or by_initials.get(plain.removesuffix("s"), [])
        shares = [(_overlap(columns, short, long) / max(min(papers[short], papers[long]), 1), -long) for long in longer]
        if shares and max(shares)[0] >= _TOGETHER:
            results.append(Synonym(name=name, concept=named.names[-max(shares)[1]], why="its initials, side by side"))
    return results


def _overlap(columns: Table, one: int, other: int) -> int:
    rows = [columns.indices[columns.indptr[each] : columns.indptr[each + 1]] for each in (one, other)]
    return len(np.intersect1d(*rows))


def _near(named: NamedConcepts, units: Vectors, alike: float) -> list[Synonym]:
    """Nearest names that have the same neighbours and share a word: by vectors alone, opposites would be merged."""
    result = _alike(named, units, alike)
    if not result:
        return []
    neighbourhood = _company(named.held, np.unique([(each.rarer, each.other) for each in result]))
    results = []
    for each in result:
        same = float(neighbourhood[each.rarer].multiply(neighbourhood[each.other]).sum())
        if same >= _SAME_COMPANY:
            why = f"similarity {each.cosine:.2f}, shared neighbours {same:.2f}"
            results.append(Synonym(name=named.names[each.rarer], concept=named.names[each.other], why=why))
    return results


class _Alike(NamedTuple):
    """Two names by number, the rarer first, and the cosine of their vectors."""

    rarer: int
    other: int
    cosine: float


def _alike(named: NamedConcepts, units: Vectors, alike: float) -> list[_Alike]:
    papers, results = named.papers, []
    for begin in range(0, len(units), _BLOCK):
        cosines = units[begin : begin + _BLOCK] @ units.T
        rows, others = np.nonzero(cosines >= alike)
        for row, other in zip((rows + begin).tolist(), others.tolist(), strict=True):
            rarer = (papers[row], -row) < (papers[other], -other)
            if rarer and _share_all_but_one(named.names[row], named.names[other]):
                results.append(_Alike(row, other, float(cosines[row - begin, other])))
    return results


def _share_all_but_one(one: str, other: str) -> bool:
    first, second = set(one.split()), set(other.split())
    return bool(first & second)


def _company(held: Table, some: Ints) -> dict[int, Table]:
    """For some concepts a row of unit length each: its neighbours, rare ones weighted more."""
    others = np.asarray(held.sum(axis=1), float).ravel() - 1
    weight = 1 / np.sqrt(np.maximum(held.T @ others, 1)).astype(np.float32)
    of_concept = held.T.tocsr()
    return {at: _direction(of_concept[at] @ held, at, weight) for at in some.tolist()}


def _direction(beside: Table, at: int, weight: NDArray[np.float32]) -> Table:
    scaled = beside.tocsr().astype(np.float32)
    scaled.data = np.where(scaled.indices == at, 0, scaled.data * weight[scaled.indices]).astype(np.float32)
    length = float(np.sqrt((scaled.data**2).sum()))
    return scaled / max(length, 1e-9)


def apply_decisions(found: Iterable[Synonym], edits: Sequence[Synonym]) -> list[Synonym]:
    """What the user says goes before what was found: of that nothing counts which would go round with it."""
    own = [each for each in edits if each.concept != KEPT_APART]
    goes = {each.name: each.concept for each in own}
    names = {each.name for each in edits}
    selected = []
    for each in found:
        if each.name not in names and each.name not in chain(each.concept, goes):
            goes[each.name] = each.concept
            selected.append(each)
    return [*selected, *own]


def chain(name: str, goes: Mapping[str, str]) -> list[str]:
    """A name, what it counts as, what that counts as, and so on; each once."""
    passed = {name: None}
    while (name := goes.get(name, name)) not in passed:
        passed[name] = None
    return list(passed)


def heads(names: Sequence[str], synonyms: Sequence[Synonym]) -> Ints:
    """For each name the place of the one that it counts as, the last of its chain that is there; itself where a list
    goes round."""
    place = {name: number for number, name in enumerate(names)}
    goes = {each.name: each.concept for each in synonyms}
    values = np.arange(len(names))
    for name in goes:
        passed = chain(name, goes)
        if name in place and passed[-1] not in goes:
            values[place[name]] = next(place[each] for each in reversed(passed) if each in place)
    return values


def idle(names: Sequence[str], edits: Iterable[Synonym]) -> tuple[Synonym, ...]:
    """Lines of a user that merge nothing, because one of the two is no name here."""
    there = set(names)
    return tuple(each for each in edits if each.concept != KEPT_APART and not {each.name, each.concept} <= there)
