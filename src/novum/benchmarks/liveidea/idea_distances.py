"""How far a model's ideas for a keyword lie apart: measured by an embedder, so that no judge is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from novum.benchmarks.liveidea.records import IdeaRecord, LiveIdeaRun
from novum.benchmarks.liveidea.report.records import Distinctness, DistinctPoint
from novum.core.arrays import Floats
from novum.idea_metrics.set_diversity import distinctness
from novum.literature.embedding import Embedder, vectors_of
from novum.statistics.correlation import pearson

AT_ONCE = 2_000
"""Ideas embedded together: their vectors, of the longest kind some 100 MB, are all that is kept in memory."""

_Unit = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Distances:
    """Mean cosine distance of a model's ideas for a keyword, measured elsewhere by an embedder."""

    embedder: str
    table: Floats
    """Keywords × models of the run, in its order; NaN with fewer than two ideas."""


async def distances(run: LiveIdeaRun, embedder: Embedder) -> Distances:
    """Mean cosine distance of the judged ideas of each keyword and model; of those compared, where judges compared any.

    Raises what the embedder raises, and LibraryError where its vectors do not fit.
    """
    keywords = {each.keyword: place for place, each in enumerate(run.keywords)}
    models = {model: place for place, model in enumerate(run.models)}
    table = np.full((len(keywords), len(models)), np.nan)
    for some in _portions(list(to_compare(run).items())):
        texts = [idea.idea for _, ideas in some for idea in ideas]
        groups = np.repeat(np.arange(len(some)), [len(ideas) for _, ideas in some])
        found = distinctness(await vectors_of(embedder, texts), groups, len(some))
        for ((model, keyword), _), distance in zip(some, found, strict=True):
            table[keywords[keyword], models[model]] = distance
    return Distances(embedder.name, table)


def to_compare(run: LiveIdeaRun) -> dict[_Unit, list[IdeaRecord]]:
    """The ideas whose distance counts, by model and keyword; only where there are at least two."""
    compared: dict[_Unit, set[int]] = {}
    for each in run.judgements:
        if each.of_pair:
            compared.setdefault((each.model, each.keyword), set()).update(each.ideas)
    units: dict[_Unit, list[IdeaRecord]] = {}
    for idea in run.ideas:
        unit = idea.model, idea.keyword
        if idea.fate == "judged" and (unit not in compared or idea.number in compared[unit]):
            units.setdefault(unit, []).append(idea)
    return {unit: ideas for unit, ideas in units.items() if len(ideas) > 1}


def _portions(
    units: Sequence[tuple[_Unit, list[IdeaRecord]]],
) -> Iterator[Sequence[tuple[_Unit, list[IdeaRecord]]]]:
    """Whole units, about `AT_ONCE` ideas together."""
    start, ideas = 0, 0
    for end, (_, some) in enumerate(units, 1):
        ideas += len(some)
        if ideas >= AT_ONCE or end == len(units):
            yield units[start:end]
            start, ideas = end, 0


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
