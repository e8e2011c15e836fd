"""Statistics of a validation: the correlation of every metric and baseline with every outcome."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from novum.benchmarks.judge_evaluation.statistics.rater_spread import RaterSpread
from novum.benchmarks.metric_validation.measurement import LENGTH, MeasuredCases
from novum.benchmarks.metric_validation.records import ACCEPTED, DECISIONS, HIGHLIGHTED, SIGNIFICANT
from novum.benchmarks.metric_validation.report.records import MetricFinding, MetricResult, OutcomeTable, When
from novum.core.arrays import Bools, Floats
from novum.core.scorecard import RATING
from novum.statistics.auc import auc
from novum.statistics.correlation import spearman_within
from novum.statistics.records import Estimate
from novum.statistics.significance import benjamini_hochberg
from novum.statistics.weighted import rows_by_stratum

ONE_REVIEWER = "one reviewer, against the others"
MIN_PAPERS = 30
"""Outcomes of fewer papers are left out."""
_FIRST = (ACCEPTED, HIGHLIGHTED, RATING)
"""Outcomes that come first, in this order."""


def outcome_tables(measured: MeasuredCases, newest: int | None, *, draws: int, seed: int) -> list[OutcomeTable]:
    """A table for each outcome with at least `MIN_PAPERS` papers, for later papers and for the others.

    `newest`: the last year of the papers that the model was fitted to. `draws`: bootstrap samples.
    """
    tables = []
    for when, rows in rows_by_age(measured, newest).items():
        for outcome in _ordered(measured.outcomes):
            known = rows & np.isfinite(measured.outcomes[outcome])
            if known.sum() >= MIN_PAPERS:
                tables.append(_table(measured, outcome, when, np.flatnonzero(known), draws, seed))
    return [_with_results(table) for table in _with_q_values(tables)]


def rows_by_age(measured: MeasuredCases, newest: int | None) -> dict[When, Bools]:
    """The rows of papers newer than `newest` and of all others; without a year a paper counts among the others."""
    later = np.zeros(len(measured), dtype=bool) if newest is None else measured.years > newest
    return {"later": later, "older": ~later}


def _ordered(outcomes: dict[str, Floats]) -> list[str]:
    """Decisions and ratings first."""
    return [*(name for name in _FIRST if name in outcomes), *(name for name in outcomes if name not in _FIRST)]


def _table(
    measured: MeasuredCases, outcome: str, when: When, rows: NDArray[np.intp], draws: int, seed: int
) -> OutcomeTable:
    values, known, strata = measured.values[rows], measured.outcomes[outcome][rows], measured.strata[rows]
    names = (*measured.metrics, *measured.baselines)
    length = values[:, [names.index(LENGTH)]]
    plain = spearman_within(values, known, strata, draws=draws, seed=seed)
    given = spearman_within(values, known, strata, given=length, draws=draws, seed=seed)
    areas = [auc(column, known, strata).area for column in values.T] if outcome in DECISIONS else [None] * len(names)
    missing = np.isnan(values).mean(axis=0)
    mixed = measured.mixed()[rows]
    both = (
        spearman_within(values[mixed], known[mixed], strata[mixed], draws=draws, seed=seed)
        if 0 < mixed.sum() < len(rows)
        else None
    )
    findings = tuple(
        MetricFinding(
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
            both_decisions=both[at].rho if both else Estimate(),
        )
        for at, name in enumerate(names)
    )
    agreement = reviewer_agreement(measured, rows, draws, seed) if outcome == RATING else {}
    return OutcomeTable(
        outcome=outcome,
        when=when,
        papers=len(rows),
        chosen=int((known > 0).sum()) if outcome in DECISIONS else None,
        groups=len(np.unique(measured.groups[rows])),
        findings=findings,
        mixed=int(mixed.sum()) if both else None,
        **agreement,
    )


def reviewer_agreement(measured: MeasuredCases, rows: NDArray[np.intp], draws: int, seed: int) -> dict[str, Any]:
    """How far reviewers of these papers agree: the fields of a table on their ratings. Empty without two ratings of a
    paper."""
    ratings = [measured.ratings[row] for row in rows.tolist()] if measured.ratings else []
    several = np.array([len(each) > 1 for each in ratings], dtype=bool)
    if several.sum() < MIN_PAPERS:
        return {}
    rng = np.random.default_rng(seed)
    single, others = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    for at in np.flatnonzero(several).tolist():
        given = list(ratings[at])
        single[at] = given.pop(int(rng.integers(len(given))))
        others[at] = sum(given) / len(given)
    groups, mixed = measured.groups[rows], measured.mixed()[rows]
    apart = 0 < mixed.sum() < len(rows)

    def icc(kept: Bools) -> float | None:
        at = np.flatnonzero(kept)
        spread = RaterSpread.of([ratings[place] for place in at.tolist()], list(rows_by_stratum(groups[at])))
        value = float(spread.icc(np.ones((1, len(at))))[0])
        return value if np.isfinite(value) else None

    return {
        "reviewer": _one_reviewer(single, others, groups, mixed if apart else None, draws, seed),
        "icc": icc(np.ones(len(rows), dtype=bool)),
        "icc_mixed": icc(mixed) if apart else None,
        "icc_others": icc(~mixed) if apart else None,
    }


def _one_reviewer(
    single: Floats, others: Floats, groups: NDArray[np.str_], mixed: Bools | None, draws: int, seed: int
) -> MetricFinding:
    [all_papers] = spearman_within(single[:, None], others, groups, draws=draws, seed=seed)
    both = Estimate()
    if mixed is not None:
        [where] = spearman_within(single[mixed][:, None], others[mixed], groups[mixed], draws=draws, seed=seed)
        both = where.rho
    return MetricFinding(
        metric=ONE_REVIEWER, is_baseline=True, spearman=all_papers.rho, p=None, q=None, given_length=Estimate(),
        auc=None, n=all_papers.n, missing=float(np.isnan(single).mean()), strata=all_papers.strata, standing=None,
        both_decisions=both,
    )  # fmt: skip


def _with_results(table: OutcomeTable) -> OutcomeTable:
    best = table.best_baseline
    bar = abs(best.spearman.value or 0) if best else 0.0
    findings = (
        each if each.is_baseline else each.model_copy(update={"standing": metric_result(each, bar)})
        for each in table.findings
    )
    return table.model_copy(update={"findings": tuple(findings)})


def metric_result(finding: MetricFinding, bar: float) -> MetricResult:
    """How well a metric predicts an outcome. `bar`: the absolute correlation of the best baseline. A result that may be
    chance counts as no relation, and a metric is better than the baseline only if its whole interval is above it."""
    value, low, high = finding.spearman.value, finding.spearman.low, finding.spearman.high
    if value is None or low is None or high is None or finding.n < MIN_PAPERS:
        return "unknown"
    if low <= 0 <= high or finding.q is None or finding.q > SIGNIFICANT:
        return "nothing"
    if value < 0:
        return "reversed"
    if finding.given_length.low is None or finding.given_length.low <= 0:
        return "length"
    return "beyond" if low > bar else "baseline"


def _with_q_values(tables: list[OutcomeTable]) -> list[OutcomeTable]:
    """Adjusts the p-values of all metrics together."""
    tested = [each for table in tables for each in table.findings if not each.is_baseline]
    adjusted = iter(benjamini_hochberg([np.nan if each.p is None else each.p for each in tested]).tolist())

    def with_q(each: MetricFinding) -> MetricFinding:
        if each.is_baseline:
            return each
        q = next(adjusted)
        return each.model_copy(update={"q": None if np.isnan(q) else q})

    return [table.model_copy(update={"findings": tuple(map(with_q, table.findings))}) for table in tables]
