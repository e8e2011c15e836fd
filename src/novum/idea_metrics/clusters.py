"""K-means clustering of embeddings, and the search for the number of clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core.arrays import Floats, Vectors

ITERATIONS = 30
_SEEDED_FROM = 50
"""Points for each cluster in the sample that initial centroids are drawn from."""
_BLOCK = 20_000


@dataclass(frozen=True)
class Clustering:
    """The result of K-means. `centroids`: shape (k, d)."""

    centroids: Vectors
    inertia: float
    """Within-cluster sum of squares over all points."""


def cluster(vectors: Vectors, count: int, seed: int, iterations: int = ITERATIONS) -> Clustering:
    """Lloyd's algorithm over all points (a sample would cost 1.6 % of inertia), initialised by k-means++ over a sample
    (which is as good, in half the time).

    `vectors`: shape (n, d). There are at most as many clusters as different points. Raises ValueError without a point.
    """
    import faiss  # noqa: PLC0415  takes a second, and most commands do not need it

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
    """All points, or a random sample of `most` points."""
    return points if len(points) <= most else points[np.sort(rng.choice(len(points), most, replace=False))]


def seeds(points: Vectors, count: int, rng: np.random.Generator) -> Vectors:
    """Initial centroids by greedy k-means++ (Arthur & Vassilvitskii 2007), shape (count, d) or fewer where fewer points
    differ. Each next point is the best of several draws with probabilities proportional to the squared distance to the
    points selected before. (scikit-learn's `kmeans_plusplus` draws other points, and fitted models must not change.)
    """
    squares = np.einsum("ij,ij->i", points, points)
    selected = [int(rng.integers(len(points)))]
    left = _squared_distances(points, squares, selected)[:, 0]
    while len(selected) < count and left.any():
        draws = _draw(left, 2 + int(np.log(count)), rng)
        remaining = np.minimum(left[:, None], _squared_distances(points, squares, draws))
        best = int(remaining.sum(axis=0).argmin())
        selected.append(int(draws[best]))
        left = remaining[:, best]
    return points[selected]


def _draw(weights: Vectors, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Indices of `count` points, drawn with replacement with probabilities proportional to `weights`."""
    up_to = np.cumsum(weights, dtype=np.float64)
    places = np.searchsorted(up_to, rng.random(count) * up_to[-1]).astype(np.intp)
    return np.asarray(np.minimum(places, len(weights) - 1))


def _squared_distances(points: Vectors, squares: Vectors, rows: Sequence[int] | NDArray[np.intp]) -> Vectors:
    """Squared distances of all points to those of `rows`, shape (n, len(rows)); 0 for equal points."""
    apart: Vectors = squares[:, None] + squares[rows] - 2 * (points @ points[rows].T)
    apart[apart < _SAME] = 0
    return apart


_SAME = 1e-5
"""Squared distance below which two points are equal, by the resolution of single precision."""


def nearest(vectors: Vectors, centroids: Vectors) -> tuple[NDArray[np.intp], Floats]:
    """For each row the index of its nearest centroid and the Euclidean distance to it, each of shape (n,); computed in
    blocks, to bound memory."""
    which = np.empty(len(vectors), dtype=np.intp)
    distance = np.empty(len(vectors))
    squares = (centroids**2).sum(axis=1)
    for begin in range(0, len(vectors), _BLOCK):
        rows = vectors[begin : begin + _BLOCK]
        apart = squares - 2 * (rows @ centroids.T)
        which[begin : begin + len(rows)] = apart.argmin(axis=1)
        # The distance is computed again, exactly: the short form loses digits where points are close.
        gap = rows - centroids[which[begin : begin + len(rows)]]
        distance[begin : begin + len(rows)] = np.sqrt((gap.astype(np.float64) ** 2).sum(axis=1))
    return which, distance


def elbow_curve(vectors: Vectors, grid: Sequence[int], seed: int) -> list[tuple[int, float]]:
    """Within-cluster sum of squares by number of clusters (section 5.9), for the numbers of `grid` up to the number of
    points."""
    sizes = sorted({size for size in grid if 1 <= size <= len(vectors)})
    return [(size, cluster(vectors, size, seed).inertia) for size in sizes]


SHALLOWEST = 0.02
"""A curve whose largest distance from its chord, relative to the axes, is smaller has no knee."""
_EQUAL_DEPTH = 1e-9
"""Depths closer than this are equal; the first of them is the knee."""


def depths(x: ArrayLike, y: ArrayLike) -> Floats | None:
    """The distance of each point below the chord from the first to the last point, relative to the range of y, shape
    (n,): 0 at both ends, at most 1 on a convex curve, negative above the chord.

    None where there are fewer than 3 points, a number is not finite, or the curve does not fall from its smallest x to
    its largest. Points may be in any order.
    """
    across, up = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
    if across.shape != up.shape:
        raise ValueError("a curve needs as many y as x")
    if len(across) < 3 or not (np.isfinite(across).all() and np.isfinite(up).all()):
        return None
    first, last = across.argmin(), across.argmax()
    # Numbers are halved before they are subtracted: the difference of two huge numbers is not finite.
    width, fall = across[last] / 2 - across[first] / 2, up[first] / 2 - up[last] / 2
    if width <= 0 or fall <= 0:
        return None
    with np.errstate(over="ignore"):
        below = 1 - (across / 2 - across[first] / 2) / width - (up / 2 - up[last] / 2) / fall
    return below if np.isfinite(below).all() else None


def knee(x: ArrayLike, y: ArrayLike) -> int | None:
    """The index of the knee of a falling convex curve; None where it is straight, concave or rising. It does not depend
    on the units of the axes."""
    below = depths(x, y)
    if below is None or below.max() < SHALLOWEST:
        return None
    return int(np.argmax(below >= below.max() - _EQUAL_DEPTH))
