"""Originality with and without the nearest papers shown to the judge."""

from __future__ import annotations

import numpy as np

from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.benchmarks.liveidea.report.records import MeasureComparison, ModelComparison, ScoreChange
from novum.benchmarks.liveidea.statistics.columns import PairedJudgements, paired_judgements
from novum.benchmarks.liveidea.statistics.judgements import Judgements
from novum.core.arrays import Floats
from novum.statistics.bootstrap import bootstrap_weights, estimate
from novum.statistics.correlation import pearson

DIMENSION = "originality"
_SAME = 1e-9
"""Points."""


def informed_comparison(run: LiveIdeaRun, *, draws: int = 1000, seed: int = 0) -> MeasureComparison | None:
    """Originality of each model with and without papers, over the same ideas by the same judges.

    Only judgements with both scores count. Intervals are from a bootstrap over keywords, as on the leaderboard. None
    for a run without judgements with papers.
    """
    if not run.informed:
        return None
    twice = paired_judgements(run, DIMENSION)
    keywords = len(run.keywords)
    weights = list(bootstrap_weights(keywords, draws if keywords > 1 else 0, seed))
    return MeasureComparison(
        name="informed",
        title="With the nearest papers",
        heading="Judging with papers",
        here="without papers",
        there="with papers",
        measure=DIMENSION,
        text=_text(run),
        pairs=_pairs(twice, weights),
        moved=_moved(twice, weights),
    )


def _text(run: LiveIdeaRun) -> str:
    papers = f"the {run.protocol.papers} papers" if run.protocol.papers else "the papers"
    return (
        f"The same judges scored the same ideas twice: the idea alone, and with {papers} of the library nearest to it. "
        "Only judgements with both scores count here; scores with papers do not count on the leaderboard."
    )


def _pairs(twice: PairedJudgements, weights: list[Floats]) -> tuple[ModelComparison, ...]:
    """The models with both scores, most original without papers first."""
    totals, ideas = _sums(twice)
    with np.errstate(invalid="ignore", divide="ignore"):
        point = totals.sum(axis=1) / ideas.sum(axis=0)
        samples = [(each @ totals) / (each @ ideas) for each in weights]
    sample = np.concatenate(samples, axis=1) if samples else np.empty((3, 0, ideas.shape[1]))
    known = [at for at in range(ideas.shape[1]) if np.isfinite(point[0, at])]
    models = twice.plain.models
    return tuple(
        ModelComparison(
            model=models[at],
            here=estimate(float(point[0, at]), sample[0, :, at]),
            there=estimate(float(point[1, at]), sample[1, :, at]),
            change=estimate(float(point[2, at]), sample[2, :, at]),
        )
        for at in sorted(known, key=lambda at: (-point[0, at], models[at]))
    )


def _sums(twice: PairedJudgements) -> tuple[Floats, Floats]:
    """Of the ideas' scores without papers, with them, and of the change: 3 × keywords × models. And how many ideas.

    An idea's score is the mean of its judges.
    """
    rows: Judgements = twice.plain
    shape = (len(rows.keywords), len(rows.models))
    _, idea = np.unique(rows.unit, return_inverse=True)
    share = 1 / np.bincount(idea)[idea] if idea.size else np.empty(0)
    cell = rows.keyword * shape[1] + rows.model
    columns = (rows.score, twice.informed.score, twice.informed.score - rows.score)
    size = shape[0] * shape[1]
    totals = [np.bincount(cell, share * column, minlength=size).reshape(shape).astype(float) for column in columns]
    ideas: Floats = np.rint(np.bincount(cell, share, minlength=size)).reshape(shape)
    return np.stack(totals), ideas


def _moved(twice: PairedJudgements, weights: list[Floats]) -> ScoreChange:
    change = twice.informed.score - twice.plain.score
    keyword, keywords = twice.plain.keyword, len(twice.plain.keywords)
    total = np.bincount(keyword, change, minlength=keywords)
    count = np.bincount(keyword, minlength=keywords).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        samples = [(each @ total) / (each @ count) for each in weights]
    mean = float(change.mean()) if change.size else np.nan
    return ScoreChange(
        judgements=len(change),
        missing=twice.missing,
        change=estimate(mean, np.concatenate(samples) if samples else np.empty(0)),
        unchanged=float((np.abs(change) < _SAME).mean()) if change.size else None,
        r=pearson(twice.plain.score, twice.informed.score),
    )
