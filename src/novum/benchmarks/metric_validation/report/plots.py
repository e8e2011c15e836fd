"""The plots of a study, each with what it shows in words."""

from __future__ import annotations

from collections.abc import Iterator

from novum.benchmarks.metric_validation.report import charts
from novum.benchmarks.metric_validation.report.phrases import WHEN, named, outcome_title, signed
from novum.benchmarks.metric_validation.report.records import OutcomeTable, Validation
from novum.reports import phrases
from novum.reports.charts.plot import Plot

_MOST = 12
"""Outcomes in one plot."""


def plots(study: Validation) -> tuple[Plot, ...]:
    """One for later papers, one for the others, as far as there are any."""
    return tuple(_plots(study))


def _plots(study: Validation) -> Iterator[Plot]:
    for when, words in WHEN.items():
        found = [table for table in study.tables if table.when == when and _known(table)]
        if found:
            yield Plot(
                f"forest-{when}",
                f"How metrics go with outcomes: papers {words}",
                f"{phrases.count(len(found), 'outcome')}. " + " ".join(map(_best, found[:_MOST])),
                "Spearman inside venue and year, with 95% intervals; right of the dashed line is "
                "as meant. Baselines need no learning at all."
                + (f" The first {_MOST} of {len(found)} outcomes." if len(found) > _MOST else ""),
                charts.forest(found[:_MOST]),
            )


def _known(table: OutcomeTable) -> bool:
    return any(each.spearman.value is not None for each in table.findings)


def _best(table: OutcomeTable) -> str:
    known = [each for each in table.findings if each.spearman.value is not None]
    best = max(known, key=lambda each: each.spearman.value or 0)
    return f"{outcome_title(table.outcome)}: {named(best.metric)} highest ({signed(best.spearman.value)})."
