"""Columns brought down to a study: every metric beside every outcome, beside length and readability."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.metric_validation.baselines import LENGTH
from novum.benchmarks.metric_validation.measurement import Measured
from novum.benchmarks.metric_validation.records import ACCEPTED, DECISIONS, HIGHLIGHTED
from novum.benchmarks.metric_validation.report.records import Finding, MetricResult, OutcomeTable, When
from novum.statistics.auc import auc
from novum.statistics.estimate import Estimate
from novum.statistics.multiple_testing import benjamini_hochberg
from novum.statistics.partial_correlation import spearman_within

FEWEST_PAPERS = 30
"""With fewer nothing is said of an outcome."""
SIGNIFICANT = 0.05
_FIRST = (ACCEPTED, HIGHLIGHTED, "rating")
"""Outcomes that are told first, in this order."""


def tables(measured: Measured, newest: int | None, *, draws: int, seed: int) -> list[OutcomeTable]:
    """A table for each outcome with at least `FEWEST_PAPERS` papers, of later papers and of the others.

    `newest`: the last year that the model learnt from.
    """
    found = []
    for when, rows in ages(measured, newest).items():
        for outcome in ordered(measured.outcomes):
            told = rows & np.isfinite(measured.outcomes[outcome])
            if told.sum() >= FEWEST_PAPERS:
                found.append(_table(measured, outcome, when, np.flatnonzero(told), draws, seed))
    return [_stood(table) for table in _adjusted(found)]


def ages(measured: Measured, newest: int | None) -> dict[When, NDArray[np.bool_]]:
    """A paper without a year may be older, and so may all where the model names no year."""
    later = np.zeros(len(measured), dtype=bool) if newest is None else measured.years > newest
    return {"later": later, "older": ~later}


def ordered(outcomes: dict[str, NDArray[np.float64]]) -> list[str]:
    """Decisions and ratings first."""
    return [*(name for name in _FIRST if name in outcomes), *(name for name in outcomes if name not in _FIRST)]


def _table(measured: Measured, outcome: str, when: When, rows: NDArray[np.intp], draws: int, seed: int) -> OutcomeTable:
    values, told, strata = measured.values[rows], measured.outcomes[outcome][rows], measured.strata[rows]
    names = (*measured.metrics, *measured.baselines)
    length = values[:, [names.index(LENGTH)]]
    plain = spearman_within(values, told, strata, draws=draws, seed=seed)
    given = spearman_within(values, told, strata, given=length, draws=draws, seed=seed)
    areas = [auc(column, told, strata).area for column in values.T] if outcome in DECISIONS else [None] * len(names)
    missing = np.isnan(values).mean(axis=0)
    findings = tuple(
        Finding(
            metric=name,
            is_baseline=name in measured.baselines,
            spearman=plain[at].rho,
            p=plain[at].p,
            q=None,
            given_length=Estimate() if name == LENGTH else given[at].rho,
            auc=areas[at],
            n=plain[at].n,
            missing=float(missing[at]),
            strata=plain[at].strata,
            standing=None,
        )
        for at, name in enumerate(names)
    )
    return OutcomeTable(
        outcome=outcome,
        when=when,
        papers=len(rows),
        chosen=int((told > 0).sum()) if outcome in DECISIONS else None,
        groups=len(np.unique(measured.groups[rows])),
        findings=findings,
    )


def _stood(table: OutcomeTable) -> OutcomeTable:
    best = table.best_baseline
    bar = abs(best.spearman.value or 0) if best else 0.0
    findings = (
        each if each.is_baseline else each.model_copy(update={"standing": standing(each, bar)})
        for each in table.findings
    )
    return table.model_copy(update={"findings": tuple(findings)})


def standing(found: Finding, bar: float) -> MetricResult:
    """What a metric is worth, `bar` being how far the best baseline goes. What may be chance counts as nothing."""
    value, low, high = found.spearman.value, found.spearman.low, found.spearman.high
    if value is None or low is None or high is None or found.n < FEWEST_PAPERS:
        return "unknown"
    if low <= 0 <= high or found.q is None or found.q > SIGNIFICANT:
        return "nothing"
    if value < 0:
        return "reversed"
    if found.given_length.low is None or found.given_length.low <= 0:
        return "length"
    return "beyond" if value > bar else "baseline"


def _adjusted(found: list[OutcomeTable]) -> list[OutcomeTable]:
    """All questions asked of metrics are one family."""
    asked = [each for table in found for each in table.findings if not each.is_baseline]
    adjusted = iter(benjamini_hochberg([np.nan if each.p is None else each.p for each in asked]).tolist())

    def with_q(each: Finding) -> Finding:
        if each.is_baseline:
            return each
        q = next(adjusted)
        return each.model_copy(update={"q": None if np.isnan(q) else q})

    return [table.model_copy(update={"findings": tuple(map(with_q, table.findings))}) for table in found]
