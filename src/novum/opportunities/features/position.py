"""Position of concepts on a map of the graph in a few dimensions, communities on it, and the density of links.

The map is the truncated singular value decomposition of the positive pointwise mutual information of linked concepts,
the matrix that word vectors factorise (Levy & Goldberg 2014).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from novum.core.arrays import Floats, Ints, Vectors
from novum.idea_metrics.clusters import cluster, nearest
from novum.idea_metrics.corpus import unit
from novum.opportunities.features.neighbourhood import surprise
from novum.opportunities.snapshot import Snapshot
from novum.opportunities.sparse import csr

POSITION_COLUMNS = ("near_on_map", "expected", "same_community", "communities_joined", "names_alike")
_DIMENSIONS, _PASSES = 64, 4
_MOST_COMMUNITIES = 200


@dataclass(frozen=True, eq=False)
class GraphPosition:
    """The map of one year. `layout`: stored coordinates, shape (concepts, d), and communities, shape (concepts,), if
    any."""

    snapshot: Snapshot
    seed: int
    layout: tuple[Vectors, Ints] | None = None

    @cached_property
    def map(self) -> Vectors:
        """Coordinates of concepts, scaled by the roots of the singular values, shape (concepts, d)."""
        if self.layout:
            return self.layout[0]
        from sklearn.utils.extmath import randomized_svd  # noqa: PLC0415  takes seconds

        table = surprise(self.snapshot)
        size = min(_DIMENSIONS, table.shape[0] - 1)
        if size < 1 or not table.nnz:
            return np.zeros((table.shape[0], 1), np.float32)
        left, values, _ = randomized_svd(table, size, n_iter=_PASSES, random_state=self.seed)
        return np.asarray(left * np.sqrt(values), np.float32)

    @cached_property
    def directions(self) -> Vectors:
        """The coordinates as rows of unit length, shape (concepts, d)."""
        return unit(self.map)

    @cached_property
    def community(self) -> Ints:
        """The community of each concept, a cluster of directions on the map, shape (concepts,)."""
        if self.layout:
            return self.layout[1]
        count = int(np.clip(np.sqrt(self.snapshot.concepts), 2, _MOST_COMMUNITIES))
        centroids = cluster(self.directions, count, self.seed).centroids
        return nearest(self.directions, centroids)[0].astype(np.int64)

    @cached_property
    def density(self) -> Floats:
        """The share of the concept pairs of two communities that are linked, communities × communities."""
        count = int(self.community.max(initial=0)) + 1
        sizes = np.bincount(self.community, minlength=count).astype(float)
        joint = self.snapshot.joint
        of = csr(
            (np.ones(len(self.community)), (np.arange(len(self.community)), self.community)),
            shape=(joint.shape[0], count),
        )
        linked = csr((np.ones(joint.nnz, np.float32), joint.indices, joint.indptr), shape=joint.shape)
        result = (of.T @ (linked @ of)).toarray()
        possible = np.outer(sizes, sizes) - np.diag(sizes)
        density: Floats = result / np.maximum(possible, 1)
        return density

    def of(self, one: Ints, other: Ints) -> Floats:
        """Features of pairs, shape (pairs, len(POSITION_COLUMNS))."""
        mine, theirs = self.community[one], self.community[other]
        units = self.snapshot.units
        columns = {
            "near_on_map": _dots(self.directions, one, other),
            "expected": _dots(self.map, one, other),
            "same_community": (mine == theirs).astype(float),
            "communities_joined": np.log1p(1000 * self.density[mine, theirs]),
            "names_alike": _dots(units, one, other),
        }
        return np.stack([columns[name] for name in POSITION_COLUMNS], axis=1)


def _dots(rows: Vectors, one: Ints, other: Ints) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", rows[one], rows[other]), np.float64)
