"""Numbers that only charts need: hexagons, straight lines with their band, the front that nobody is beyond."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import fdtri

from novum.core.record import Value


class Hexagon(Value):
    """A cell of a honeycomb by its centre, and how many things lie in it."""

    x: float
    y: float
    count: int


class LinePoint(Value):
    """A point of a fitted line between the bounds of its confidence band."""

    x: float
    y: float
    low: float
    high: float


class AxisRange(Value):
    """From the lowest to the highest value that an axis shows."""

    low: float
    high: float

    @property
    def length(self) -> float:
        return self.high - self.low


def honeycomb(
    x: ArrayLike, y: ArrayLike, across: AxisRange, up: AxisRange, columns: int, rows: float
) -> tuple[Hexagon, ...]:
    """Counts of points in hexagons with a vertex on top, `columns` to the width and `rows` double rows to the height.

    Two grids of rectangles, one half a cell beside the other: each point goes to the nearer centre. Points with a NaN
    are left out; those outside the spans are counted at the edge.
    """
    along = (np.clip(np.asarray(x, float), across.low, across.high) - across.low) / across.length * columns
    above = (np.clip(np.asarray(y, float), up.low, up.high) - up.low) / up.length * rows
    known = np.isfinite(along) & np.isfinite(above)
    places = np.stack([along[known], above[known]], axis=1)
    even, odd = np.rint(places), np.floor(places) + 0.5
    # A hexagon is √3 times as far from its neighbour two rows up as from the one beside it.
    nearer = ((places - even) ** 2 @ (1, 3)) < ((places - odd) ** 2 @ (1, 3))
    centres, counts = np.unique(np.where(nearer[:, None], even, odd), axis=0, return_counts=True)
    return tuple(
        Hexagon(
            x=across.low + float(column) / columns * across.length,
            y=up.low + float(row) / rows * up.length,
            count=int(count),
        )
        for (column, row), count in zip(centres, counts, strict=True)
    )


def fitted_line(x: ArrayLike, y: ArrayLike, points: int = 25, level: float = 0.95) -> tuple[LinePoint, ...]:
    """The least-squares line of y on x from the lowest x to the highest, with the band of its mean.

    Pairs with a NaN are left out. Empty with fewer than three pairs, or where all x are the same.
    """
    first, second = np.asarray(x, float), np.asarray(y, float)
    whole = np.isfinite(first) & np.isfinite(second)
    first, second = first[whole], second[whole]
    n = len(first)
    spread = float(((first - first.mean()) ** 2).sum()) if n >= 3 else 0.0
    if spread <= 1e-12 * n:
        return ()
    slope = float(((first - first.mean()) * (second - second.mean())).sum()) / spread
    left = second - second.mean() - slope * (first - first.mean())
    reach = math.sqrt(float(fdtri(1, n - 2, level)) * float((left**2).sum()) / (n - 2))
    found = []
    for at in np.linspace(first.min(), first.max(), points):
        away = float(at - first.mean())
        middle, half = float(second.mean()) + slope * away, reach * math.sqrt(1 / n + away * away / spread)
        found.append(LinePoint(x=float(at), y=middle, low=middle - half, high=middle + half))
    return tuple(found)


def front(points: Sequence[tuple[float, float]]) -> tuple[int, ...]:
    """Places of the points that no other beats in one coordinate without losing in the other, by the first."""
    best = [
        place
        for place, (x, y) in enumerate(points)
        if not any(other != (x, y) and other[0] >= x and other[1] >= y for other in points)
    ]
    return tuple(sorted(best, key=lambda place: points[place]))
