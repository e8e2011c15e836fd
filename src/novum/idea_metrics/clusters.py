"""K-means over embeddings: the points around which a literature gathers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Floats, Vectors

ITERATIONS = 30
_SEEDED_FROM = 50
"""Points for each cluster, of which it is begun."""
_BLOCK = 20_000


@dataclass(frozen=True)
class Clustering:
    """`centroids`: shape (k, d)."""

    centroids: Vectors
    inertia: float
    """Within-cluster sum of squares over all points."""


def cluster(vectors: Vectors, count: int, seed: int, iterations: int = ITERATIONS) -> Clustering:
    """Lloyd's algorithm over all points (over a sample it costs 1.6 % of inertia), begun from k-means++ over a sample
    (no worse, in half the time).

    `vectors` is (n, d); no more clusters are made than there are different points. Raises ValueError without a point.
    """
    import faiss  # noqa: PLC0415  a second to load, and most commands never need it

    points = np.ascontiguousarray(vectors, dtype=np.float32)
    if not len(points):
        raise ValueError("there is nothing to cluster")
    rng = np.random.default_rng(seed)
    begin = seeds(_some(points, _SEEDED_FROM * count, rng), count, rng)
    index = faiss.IndexFlatL2(points.shape[1])
    engine = faiss.Clustering(points.shape[1], len(begin))
    engine.niter, engine.seed, engine.verbose = iterations, seed, False
    engine.min_points_per_centroid, engine.max_points_per_centroid = 1, len(points)
    faiss.copy_array_to_vector(begin.ravel(), engine.centroids)
    engine.train(points, index)
    centroids = faiss.vector_to_array(engine.centroids).reshape(len(begin), -1).copy()
    return Clustering(centroids, float((nearest(points, centroids)[1] ** 2).sum()))


def _some(points: Vectors, most: int, rng: np.random.Generator) -> Vectors:
    """All points, or so many of them drawn at random."""
    return points if len(points) <= most else points[np.sort(rng.choice(len(points), most, replace=False))]


def seeds(points: Vectors, count: int, rng: np.random.Generator) -> Vectors:
    """Greedy k-means++ (Arthur & Vassilvitskii 2007): each next point is drawn several times with the square of its
    distance to those chosen before, and the draw that leaves the least is kept. Fewer than `count` where fewer differ.
    """
    squares = np.einsum("ij,ij->i", points, points)
    chosen = [int(rng.integers(len(points)))]
    left = _apart(points, squares, chosen)[:, 0]
    while len(chosen) < count and left.any():
        drawn = _drawn(left, 2 + int(np.log(count)), rng)
        leaves = np.minimum(left[:, None], _apart(points, squares, drawn))
        best = int(leaves.sum(axis=0).argmin())
        chosen.append(int(drawn[best]))
        left = leaves[:, best]
    return points[chosen]


def _drawn(weights: Vectors, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    up_to = np.cumsum(weights, dtype=np.float64)
    places = np.searchsorted(up_to, rng.random(count) * up_to[-1]).astype(np.intp)
    return np.asarray(np.minimum(places, len(weights) - 1))


def _apart(points: Vectors, squares: Vectors, rows: Sequence[int] | NDArray[np.intp]) -> Vectors:
    """Squared distances of all points to some of them, shape (n, len(rows)); nothing where they are the same."""
    apart: Vectors = squares[:, None] + squares[rows] - 2 * (points @ points[rows].T)
    apart[apart < _SAME] = 0
    return apart


_SAME = 1e-5
"""Squared distance below which two points are one: what single precision can tell apart."""


def nearest(vectors: Vectors, centroids: Vectors) -> tuple[NDArray[np.intp], Floats]:
    """For each row its nearest centroid and the Euclidean distance to it; block by block, to bound memory."""
    which = np.empty(len(vectors), dtype=np.intp)
    distance = np.empty(len(vectors))
    squares = (centroids**2).sum(axis=1)
    for begin in range(0, len(vectors), _BLOCK):
        rows = vectors[begin : begin + _BLOCK]
        apart = squares - 2 * (rows @ centroids.T)
        which[begin : begin + len(rows)] = apart.argmin(axis=1)
        # Once more, exactly, for the one that was found: the short form loses digits where points lie close.
        gap = rows - centroids[which[begin : begin + len(rows)]]
        distance[begin : begin + len(rows)] = np.sqrt((gap.astype(np.float64) ** 2).sum(axis=1))
    return which, distance


def elbow_curve(vectors: Vectors, grid: Sequence[int], seed: int) -> list[tuple[int, float]]:
    """Within-cluster sum of squares by number of clusters (section 5.9), for the numbers of `grid` that there are
    points for."""
    sizes = sorted({size for size in grid if 1 <= size <= len(vectors)})
    return [(size, cluster(vectors, size, seed).inertia) for size in sizes]
