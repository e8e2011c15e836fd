"""Select the best ideas of a pool that differ from each other: their scores, their embeddings, and the selection.

The command line and the Python interface call `select_ideas`. No language model is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from novum.core import Scorecard
from novum.core.arrays import Vectors
from novum.core.scorecard import RATING
from novum.errors import BadInput
from novum.idea_metrics.corpus import LONGEST_TEXT
from novum.idea_metrics.duplicates import DuplicateThreshold
from novum.idea_metrics.model import embedded
from novum.idea_metrics.portfolio import Portfolio
from novum.idea_metrics.review_rating import rating_model
from novum.idea_metrics.saved_models import DEFAULT, load_model
from novum.idea_metrics.selection import PoolIdea, select
from novum.idea_metrics.set_diversity import near_duplicates_in
from novum.lab import Workplace
from novum.runs.idea_sources import SourcedIdea

_BATCH = 512
_WHOLE = (RATING, "combined", "creativity", "satisfaction", "creativity_published", "creativity_corrected")
_ENOUGH_RATED = 0.9
"""Share of ideas with a predicted rating from which a pool is ranked by it; others are then left out."""
_COMBINED_INSTEAD = (
    "Ranked by `combined`, which hardly agrees with reviewers: {without:,} of {all:,} ideas have no predicted rating "
    "({why})."
)


@dataclass(frozen=True)
class SelectionOptions:
    """How ideas are selected.

    `by`: the predicted rating, a score of the fitted model, one of its parts, or a column of numbers in the sources,
    higher is better; None: `rating`, or `combined` where more than a tenth of the ideas have no predicted rating.
    `balance`: 0 for the best ideas, 1 for the most different ones. `metrics`: the fitted model, None for the default
    one. `near`: the cosine from which two ideas are near-duplicates; None: calibrated on the library.
    """

    by: str | None = None
    balance: float = 0.5
    metrics: str | None = None
    near: float | None = None


async def select_ideas(
    place: Workplace, pool: Sequence[SourcedIdea], count: int, options: SelectionOptions
) -> Portfolio:
    """At most `count` ideas of the pool, in the order of their selection. Without `by` and `metrics`, `balance` 1 needs
    no scores.

    Raises BadInput where neither the fitted model nor the sources have the score `by`.
    """
    scored = await _scored(place, pool, options)
    threshold = (
        await near_duplicates_in(place.library)
        if options.near is None
        else DuplicateThreshold(cosine=options.near, why="as given")
    )
    entries = [PoolIdea(one.idea, one.source, score) for one, score in zip(pool, scored.scores, strict=True)]
    chosen = select(entries, scored.vectors, count, by=scored.by, balance=options.balance, threshold=threshold)
    return chosen.model_copy(update={"notes": (*scored.notes, *chosen.notes)})


@dataclass(frozen=True)
class _ScoredPool:
    """The scores of a pool, their name (empty: none), and the embeddings of its ideas, of unit length."""

    by: str
    scores: Sequence[float | None]
    vectors: Vectors
    notes: tuple[str, ...] = ()


async def _scored(place: Workplace, pool: Sequence[SourcedIdea], options: SelectionOptions) -> _ScoredPool:
    """By a column of the sources where `by` names one and no model is named; else by the fitted model."""
    by, columns = options.by, {name for one in pool for name in one.scores}
    if options.metrics is None and by in columns:
        return _ScoredPool(by, [one.scores.get(by) for one in pool], await _vectors(place, pool))
    if options.metrics is None and by is None and options.balance == 1:
        return _ScoredPool("", [None] * len(pool), await _vectors(place, pool))
    if by != RATING and (by or options.metrics):
        return await _by_model(place, pool, by or "combined", options.metrics or DEFAULT, columns)
    return await _by_rating(place, pool, columns, always=by == RATING)


async def _by_rating(place: Workplace, pool: Sequence[SourcedIdea], columns: set[str], *, always: bool) -> _ScoredPool:
    """By the predicted rating where enough ideas have one, or `always`; else by the fitted model."""
    predicted = rating_model(place.settings.metrics_folder).predict([one.subject for one in pool])
    unrated = [each for each in predicted if each.value is None]
    if always or len(unrated) <= (1 - _ENOUGH_RATED) * len(pool):
        return _ScoredPool(RATING, [each.value for each in predicted], await _vectors(place, pool))
    note = _COMBINED_INSTEAD.format(without=len(unrated), all=len(pool), why=unrated[0].why)
    return replace(await _by_model(place, pool, "combined", DEFAULT, columns), notes=(note,))


async def _vectors(place: Workplace, pool: Sequence[SourcedIdea]) -> Vectors:
    return await embedded([one.subject.whole[:LONGEST_TEXT] for one in pool], place.library.embedder)


async def _by_model(
    place: Workplace, pool: Sequence[SourcedIdea], by: str, metrics: str, columns: set[str]
) -> _ScoredPool:
    try:
        model = load_model(metrics, place.settings.metrics_folder, place.library.embedder)
    except BadInput as problem:
        problem.add_note(f"Without a model: --by {' or '.join(sorted(columns)[:8])}, or --balance 1.")
        raise
    scores: list[float | None] = []
    vectors: list[Vectors] = []
    for begin in range(0, len(pool), _BATCH):
        batch = await model.batch_of([one.subject for one in pool[begin : begin + _BATCH]])
        scores += [_score(card, by, columns) for card in model.score_batch(batch, explain=False)]
        vectors.append(batch.vectors)
    return _ScoredPool(by, scores, np.concatenate(vectors))


def _score(card: Scorecard, by: str, columns: set[str]) -> float | None:
    """Parts are scaled, so that higher is better of each. Raises BadInput for an unknown name."""
    if by in _WHOLE:
        return card.of(by)
    if by in card.parts:
        return card.parts[by].scaled
    known = ", ".join((*_WHOLE, *card.parts))
    raise BadInput(f"--by {by[:40]!r} is none of {known}; nor is it a column of numbers: {', '.join(sorted(columns))}.")
