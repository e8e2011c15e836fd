"""K-means over embeddings: the points around which a literature gathers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    selected = [int(rng.integers(len(points)))]
    left = _apart(points, squares, selected)[:, 0]
    while len(selected) < count and left.any():
        drawn = _drawn(left, 2 + int(np.log(count)), rng)
        leaves = np.minimum(left[:, None], _apart(points, squares, drawn))
        best = int(leaves.sum(axis=0).argmin())
        selected.append(int(drawn[best]))
        left = leaves[:, best]
    return points[selected]


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


SHALLOWEST = 0.02
"""A curve that stays closer to its chord, in shares of the axes, is straight."""
_EQUAL_DEPTH = 1e-9
"""Depths closer than this are equal; the first of them is the knee."""


def depths(x: ArrayLike, y: ArrayLike) -> Floats | None:
    """How far each point lies below the chord, in shares of the y axis, shape (n,): 0 at both ends, at most 1 on a
    convex curve, negative above the chord. The greatest says how marked the knee is.

    None where there are fewer than 3 points, where something is not finite, or where the curve does not fall from its
    least x to its greatest. Points may come in any order.
    """
    across, up = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if across.shape != up.shape:
        raise ValueError("a curve has as many y as x")
    if len(across) < 3 or not (np.isfinite(across).all() and np.isfinite(up).all()):
        return None
    first, last = across.argmin(), across.argmax()
    # Halves before the difference: that of two huge numbers is not finite.
    width, fall = across[last] / 2 - across[first] / 2, up[first] / 2 - up[last] / 2
    if width <= 0 or fall <= 0:
        return None
    with np.errstate(over="ignore"):
        below = 1 - (across / 2 - across[first] / 2) / width - (up / 2 - up[last] / 2) / fall
    return below if np.isfinite(below).all() else None


def knee(x: ArrayLike, y: ArrayLike) -> int | None:
    """The index of the knee of a falling convex curve; None where it is straight, bulges or rises. The same whatever
    the units of both axes."""
    below = depths(x, y)
    if below is None or below.max() < SHALLOWEST:
        return None
    return int(np.argmax(below >= below.max() - _EQUAL_DEPTH))
