"""Diversity without a judge: how far the ideas of a keyword lie apart, beside the fluency that judges gave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.liveidea.report.records import Distinctness, DistinctPoint
from novum.statistics.correlation import pearson

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Distances:
    """Mean cosine distance of a model's ideas for a keyword, measured elsewhere by an embedder."""

    embedder: str
    table: Floats
    """Keywords × models of the run, in its order; NaN with fewer than two ideas."""


def distinctness_beside(fluency: Floats, distances: Distances, models: tuple[str, ...]) -> Distinctness | None:
    """The two measures against each other. `fluency` is keywords × models, as the distances are.

    None where no keyword has two ideas. Raises ValueError where the tables do not fit.
    """
    table = distances.table
    if table.shape != fluency.shape or table.shape[1:] != (len(models),):
        raise ValueError(f"distances of {table.shape} beside fluency of {fluency.shape} for {len(models)} models")
    if not np.isfinite(table).any():
        return None
    found = [_point(model, table[:, at], fluency[:, at]) for at, model in enumerate(models)]
    points = sorted((each for each in found if each is not None), key=lambda each: (-each.distinctness, each.model))
    rated = [each.fluency if each.fluency is not None else np.nan for each in points]
    return Distinctness(
        embedder=distances.embedder,
        r=pearson(table.ravel(), fluency.ravel()),
        across=pearson([each.distinctness for each in points], rated),
        models=tuple(points),
    )


def _point(model: str, distances: Floats, fluency: Floats) -> DistinctPoint | None:
    apart, rated = distances[np.isfinite(distances)], fluency[np.isfinite(fluency)]
    if not apart.size:
        return None
    return DistinctPoint(
        model=model,
        fluency=float(rated.mean()) if rated.size else None,
        distinctness=float(apart.mean()),
        r=pearson(distances, fluency),
    )
