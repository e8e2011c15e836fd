"""Selects a portfolio from a pool of scored ideas, with the reasons for and against ideas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from novum.core import Idea
from novum.core.arrays import Vectors
from novum.idea_metrics.duplicates import DuplicateThreshold
from novum.idea_metrics.portfolio import PassedOverIdea, Portfolio, PortfolioIdea, SelectionStep, portfolio, quality_of
from novum.idea_metrics.set_diversity import set_summary


@dataclass(frozen=True)
class PoolIdea:
    """An idea of the pool."""

    idea: Idea
    source: str
    score: float | None
    """Higher is better; None where unknown."""


def select(
    pool: Sequence[PoolIdea],
    vectors: Vectors,
    k: int,
    *,
    by: str,
    threshold: DuplicateThreshold,
    balance: float = 0.5,
) -> Portfolio:
    """The `k` best ideas that differ from each other, in order of selection.

    `vectors`: of the entries, unit length, shape (n, d). Ideas without a score are not selected, unless only difference
    counts (`balance` 1); ideas without a vector never are. `notes` reports both. Raises ValueError for a
    balance outside 0 to 1.
    """
    scored = np.array([entry.score is not None for entry in pool], dtype=bool)
    has_text = np.array(np.any(vectors, axis=1), dtype=bool)
    open_rows: list[int] = np.flatnonzero(has_text & (scored | (balance == 1))).tolist()
    # Ideas without a score rank below all others.
    known = (pool[row].score for row in open_rows)
    scores = np.array([-np.inf if score is None else score for score in known])
    unit = vectors[open_rows]
    steps = portfolio(unit, quality_of(scores), k, balance=balance, threshold=threshold.cosine)
    entries = [pool[row] for row in open_rows]
    selected = [step.row for step in steps]
    return Portfolio(
        by=by,
        balance=balance,
        threshold=threshold,
        choices=_choices(steps, entries, unit),
        pool=set_summary(vectors, threshold),
        chosen=set_summary(unit[selected], threshold),
        notes=tuple(_notes(len(pool), has_text, scored, len(steps), k, needs_score=balance < 1)),
    )


def _choices(steps: Sequence[SelectionStep], entries: Sequence[PoolIdea], unit: Vectors) -> tuple[PortfolioIdea, ...]:
    rank_of = {step.row: rank for rank, step in enumerate(steps, 1)}
    selected = unit[[step.row for step in steps]]
    cosine = np.clip(selected @ selected.T, -1, 1)
    np.fill_diagonal(cosine, -np.inf)
    nearest = cosine.argmax(axis=1) if len(steps) > 1 else ()
    return tuple(
        PortfolioIdea(
            rank=place + 1,
            idea=entries[step.row].idea,
            source=entries[step.row].source,
            score=entries[step.row].score,
            nearest=int(nearest[place]) + 1 if len(steps) > 1 else None,
            similarity=float(cosine[place, nearest[place]]) if len(steps) > 1 else None,
            passed=_passed(step, entries, unit, rank_of),
            forced=step.forced,
        )
        for place, step in enumerate(steps)
    )


def _passed(
    step: SelectionStep, entries: Sequence[PoolIdea], unit: Vectors, rank_of: dict[int, int]
) -> PassedOverIdea | None:
    if step.passed is None or step.like is None:
        return None
    entry = entries[step.passed]
    return PassedOverIdea(
        title=entry.idea.title,
        score=entry.score,
        like=rank_of[step.like],
        similarity=float(np.clip(unit[step.passed] @ unit[step.like], -1, 1)),
        duplicate=step.duplicate,
    )


def _notes(
    pool: int, has_text: np.ndarray, scored: np.ndarray, selected: int, k: int, *, needs_score: bool
) -> list[str]:
    notes = []
    if without_text := pool - int(has_text.sum()):
        notes.append(f"{without_text:,} ideas without words that the embedder knows were not considered.")
    if needs_score and (unscored := int((has_text & ~scored).sum())):
        notes.append(f"{unscored:,} ideas without a score were not considered.")
    if selected < k:
        notes.append(f"Only {selected:,} ideas could be selected; {k:,} were requested.")
    return notes
