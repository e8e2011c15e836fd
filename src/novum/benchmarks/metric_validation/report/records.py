"""The result of a validation: how well each metric predicts each outcome."""

from __future__ import annotations

from typing import Literal

from novum.core.record import Value
from novum.statistics.records import NO_ESTIMATE, Estimate

When = Literal["later", "older"]
"""Papers newer than all papers that the model was fitted to, and all others."""
MetricResult = Literal["beyond", "baseline", "length", "nothing", "reversed", "unknown"]
"""How well a metric predicts an outcome: better than any baseline; not clearly better than a baseline; not at all once
length is held constant; not at all; in the wrong direction; not known, from too few papers."""


class MetricFinding(Value):
    """One metric or baseline with one outcome."""

    metric: str
    is_baseline: bool
    spearman: Estimate
    """Within groups, averaged by group size."""
    p: float | None
    q: float | None
    """`p` adjusted for all tests of metrics (Benjamini-Hochberg); None for baselines."""
    given_length: Estimate
    """The same with the length of the text held constant."""
    auc: Estimate | None
    """For decisions: over pairs of a chosen and another paper of one group."""
    n: int
    missing: float
    """Share of the papers with this outcome for which the metric is not available."""
    strata: int
    """Groups that were compared, divided by which metadata of their papers are known."""
    standing: MetricResult | None
    """None for baselines."""
    both_decisions: Estimate = NO_ESTIMATE
    """Spearman's correlation in the groups with both decisions, where there are others too."""


class OutcomeTable(Value):
    """All metrics and baselines with one outcome, metrics first."""

    outcome: str
    when: When
    papers: int
    """With this outcome."""
    chosen: int | None
    """For decisions: the number of chosen papers."""
    groups: int
    findings: tuple[MetricFinding, ...]
    reviewer: MetricFinding | None = None
    """Of the reviewers' ratings: one reviewer of each paper, compared with the mean of the others."""
    mixed: int | None = None
    """Papers of groups with at least a tenth accepted and a tenth rejected; None where these are all or none."""
    icc: float | None = None
    """ICC(1) of the reviewers, of all papers; for `reviewers' ratings` only."""
    icc_mixed: float | None = None
    icc_others: float | None = None
    """The same, of the papers in `mixed` and of the others."""

    @property
    def rows(self) -> tuple[MetricFinding, ...]:
        """Metrics, baselines, and one reviewer where that is known."""
        return (*self.findings, *([self.reviewer] if self.reviewer else []))

    @property
    def best_baseline(self) -> MetricFinding | None:
        """The baseline with the largest absolute correlation."""
        known = [each for each in self.findings if each.is_baseline and each.spearman.value is not None]
        return max(known, key=lambda each: abs(each.spearman.value or 0), default=None)


class ValidationAccount(Value):
    """Numbers of records by what was done with them."""

    files: tuple[str, ...]
    records: int
    refused: int
    other_sets: int
    repeated: int
    learnt_from: int
    """Papers that the model was fitted to."""
    left_out: bool
    """Whether these were left out."""
    later: int
    older: int
    undated: int
    """Papers without a year, among the older ones."""
    unsettled: dict[str, int]
    notes: tuple[str, ...] = ()


class Validation(Value):
    """A validation of a metrics model."""

    model: str
    papers: int
    """Papers that the model was fitted to."""
    first_year: int | None
    last_year: int | None
    embedder: str
    account: ValidationAccount
    tables: tuple[OutcomeTable, ...]
    """Later papers first."""
    verdicts: dict[str, str]
    """By metric, a sentence each."""
    asked: int
    """Tests: metrics times outcomes, as far as there were papers."""
    starred: int
    """Of these with `q` of at most 0.05."""
    draws: int
    seed: int
