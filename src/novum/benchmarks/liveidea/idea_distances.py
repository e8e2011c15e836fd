"""How far a model's ideas for a keyword lie apart: measured by an embedder, so that no judge is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from novum.benchmarks.liveidea.records import IdeaRecord, LiveIdeaRun
from novum.benchmarks.liveidea.report.diversity import Distances
from novum.idea_metrics.mean_distance import distinctness
from novum.literature.embedding import Embedder, vectors_of

AT_ONCE = 2_000
"""Ideas embedded together: their vectors, of the longest kind some 100 MB, are all that is kept in memory."""

_Unit = tuple[str, str]


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
