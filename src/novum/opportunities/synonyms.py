"""Names of the same concept: abbreviations by their initials, near-synonyms by their vectors and neighbours.

Merged names are written to a list that a user may edit; the edits take precedence.
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
"""Share of the rarer name's papers in which an abbreviation must occur together with the long name."""
_SAME_NEIGHBOURS = 0.6
"""Cosine of the neighbours that two near-synonyms must have."""
_BLOCK = 2000
SEPARATE = "-"
"""In place of a concept: the name is a concept of its own."""


class Synonym(Value):
    """`name` counts as `concept`, or as itself where that is `SEPARATE`. `why`: the reason in words."""

    name: str
    concept: str
    why: str


@dataclass(frozen=True, eq=False)
class NamedConcepts:
    """Concepts before near-synonyms are merged. `held`: papers × concepts, 1 where a paper contains a concept, for
    papers up to the year."""

    names: Sequence[str]
    held: Table

    @property
    def papers(self) -> Ints:
        """The number of papers of each concept, shape (n,)."""
        return np.asarray(self.held.sum(axis=0)).ravel().astype(np.int64)


def whitened(vectors: Vectors) -> Vectors:
    """Vectors of names, whitened by these vectors alone, so that nothing of later years is used; rows of unit
    length."""
    return Whitening.fit(vectors).apply(vectors)


def propose_synonyms(named: NamedConcepts, units: Vectors, alike: float) -> list[Synonym]:
    """Names that may be merged, the rarer into the more frequent one, sorted by name. `units`: whitened vectors of the
    names; `alike`: the cosine from which they are compared."""
    proposed = {each.name: each for each in (*_near(named, units, alike), *_abbreviations(named))}
    return [proposed[name] for name in sorted(proposed)]


def _abbreviations(named: NamedConcepts) -> list[Synonym]:
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
    candidates = _alike(named, units, alike)
    if not candidates:
        return []
    neighbourhood = _neighbours(named.held, np.unique([(each.rarer, each.other) for each in candidates]))
    results = []
    for each in candidates:
        same = float(neighbourhood[each.rarer].multiply(neighbourhood[each.other]).sum())
        if same >= _SAME_NEIGHBOURS:
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
            if rarer and _share_a_word(named.names[row], named.names[other]):
                results.append(_Alike(row, other, float(cosines[row - begin, other])))
    return results


def _share_a_word(one: str, other: str) -> bool:
    return not set(one.split()).isdisjoint(other.split())


def _neighbours(held: Table, some: Ints) -> dict[int, Table]:
    """For some concepts a row of unit length: its joint papers with each concept, rare concepts weighted more."""
    others = np.asarray(held.sum(axis=1), float).ravel() - 1
    weight = 1 / np.sqrt(np.maximum(held.T @ others, 1)).astype(np.float32)
    of_concept = held.T.tocsr()
    return {at: _direction(of_concept[at] @ held, at, weight) for at in some.tolist()}


def _direction(beside: Table, at: int, weight: NDArray[np.float32]) -> Table:
    scaled = beside.tocsr().astype(np.float32)
    scaled.data = np.where(scaled.indices == at, 0, scaled.data * weight[scaled.indices]).astype(np.float32)
    length = float(np.sqrt((scaled.data**2).sum()))
    return scaled / max(length, 1e-9)


def apply_decisions(proposed: Iterable[Synonym], edits: Sequence[Synonym]) -> list[Synonym]:
    """The user's synonyms, and before them the proposed ones that neither contradict them nor close a cycle."""
    own = [each for each in edits if each.concept != SEPARATE]
    concept_of = {each.name: each.concept for each in own}
    decided = {each.name for each in edits}
    accepted = []
    for each in proposed:
        if each.name not in decided and each.name not in chain(each.concept, concept_of):
            concept_of[each.name] = each.concept
            accepted.append(each)
    return [*accepted, *own]


def chain(name: str, concept_of: Mapping[str, str]) -> list[str]:
    """A name, the concept that it counts as, the concept that this counts as, and so on, each once."""
    names = {name: None}
    while (name := concept_of.get(name, name)) not in names:
        names[name] = None
    return list(names)


def heads(names: Sequence[str], synonyms: Sequence[Synonym]) -> Ints:
    """For each name the index of the name that it counts as: the last one of its chain in `names`. A name of a cycle
    counts as itself."""
    place = {name: number for number, name in enumerate(names)}
    concept_of = {each.name: each.concept for each in synonyms}
    values = np.arange(len(names))
    for name in concept_of:
        linked = chain(name, concept_of)
        if name in place and linked[-1] not in concept_of:
            values[place[name]] = next(place[each] for each in reversed(linked) if each in place)
    return values


def idle(names: Sequence[str], edits: Iterable[Synonym]) -> tuple[Synonym, ...]:
    """The user's lines without effect, because one of the two names is unknown."""
    known = set(names)
    return tuple(each for each in edits if each.concept != SEPARATE and not {each.name, each.concept} <= known)
