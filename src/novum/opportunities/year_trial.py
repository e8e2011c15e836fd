"""The forecast from one past year with the actual links, and the fields of its concepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from novum.core.arrays import Bools, Floats, Ints
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.snapshot import Snapshot

_MOST_FIELDS = 12
_A_FIELD = 0.02
"""Share of the papers that a label must have to be a field and not a keyword."""
_MAINLY = 0.3
"""Share of the papers of a concept that must be in a field for the concept to belong to it."""


@dataclass(frozen=True, eq=False)
class ConceptFields:
    """The large fields, and the field of each concept as an index of `names`, or -1, shape (concepts,)."""

    names: tuple[str, ...]
    field: Ints

    @classmethod
    def of(cls, graph: DatedConceptGraph, papers: int, names: Sequence[str]) -> Self:
        """By the first `papers` papers. `names`: all labels of papers by number."""
        columns, rows = graph.dated.filed()
        known = np.asarray(rows) < papers
        totals = np.bincount(np.asarray(columns)[known], minlength=len(names))
        large = np.flatnonzero(totals >= max(_A_FIELD * papers, 1))
        large = large[np.argsort(-totals[large], kind="stable")][:_MOST_FIELDS]
        year = int(graph.dated.years[papers - 1]) if papers else 0
        snapshot = Snapshot(graph, year, np.zeros((0, 1), np.float32))
        if not len(large):
            return cls((), np.full(snapshot.concepts, -1))
        of_field = [
            _papers_of_concepts(snapshot, np.asarray(rows)[known & (np.asarray(columns) == at)]) for at in large
        ]
        share = np.stack(of_field, axis=1) / np.maximum(snapshot.held_by(), 1)[:, None]
        field = np.where(share.max(axis=1) >= _MAINLY, share.argmax(axis=1), -1)
        return cls(tuple(names[at] for at in large.tolist()), field)


def _papers_of_concepts(snapshot: Snapshot, rows: Ints) -> Floats:
    """The number of the papers `rows` that contain each concept, shape (concepts,)."""
    marked = np.zeros(snapshot.held.shape[1], np.float32)
    marked[rows] = 1
    return np.asarray(snapshot.held @ marked, float)


@dataclass(frozen=True, eq=False)
class YearTrial:
    """The pairs of one year with all scores, each of shape (pairs,). `one`, `other`: indices of `names`; `of`: number
    of all unlinked pairs; `scores`: by name, the model's first."""

    year: int
    names: tuple[str, ...]
    one: Ints
    other: Ints
    of: int
    linked: Bools
    scores: dict[str, Floats]
    probability: Floats
    expected: Floats | None
    """Expected citation rank of the first joint papers; None without a model of attention."""
    citation_rank: Floats
    fields: ConceptFields


PairEnds = tuple[Ints, Ints]
