"""What came of holding metrics against outcomes, as it is shown and written."""

from __future__ import annotations

from typing import Literal

from novum.core.record import Value
from novum.statistics.estimate import Estimate

When = Literal["later", "older"]
"""Papers published after the newest year that the model learnt from, and all others."""
MetricResult = Literal["beyond", "baseline", "length", "nothing", "reversed", "unknown"]
"""What a metric is worth for one outcome: more than any baseline; something, but no more than a baseline alone; nothing
once length is held equal; nothing; the wrong way round; too few papers to tell."""


class Finding(Value):
    """One metric or baseline beside one outcome."""

    metric: str
    is_baseline: bool
    spearman: Estimate
    """Within groups, averaged by their sizes."""
    p: float | None
    q: float | None
    """`p` adjusted for all questions asked of metrics (Benjamini-Hochberg); None for baselines."""
    given_length: Estimate
    """The same with the length of the text held equal."""
    auc: Estimate | None
    """For decisions: pairs of a group of which one was chosen, in the right order."""
    n: int
    missing: float
    """Share of the papers with this outcome of which the metric says nothing."""
    strata: int
    """Groups that it was compared in, parted by what is known of their papers."""
    standing: MetricResult | None
    """None for baselines."""


class OutcomeTable(Value):
    """Everything beside one outcome, metrics first."""

    outcome: str
    when: When
    papers: int
    """With this outcome."""
    chosen: int | None
    """Of decisions: how many were."""
    groups: int
    findings: tuple[Finding, ...]

    @property
    def best_baseline(self) -> Finding | None:
        """The one that goes furthest with the outcome, whichever way."""
        known = [each for each in self.findings if each.is_baseline and each.spearman.value is not None]
        return max(known, key=lambda each: abs(each.spearman.value or 0), default=None)


class Account(Value):
    """What became of the records."""

    files: tuple[str, ...]
    records: int
    refused: int
    other_sets: int
    repeated: int
    learnt_from: int
    """Papers that the model was fitted on."""
    left_out: bool
    """Whether these were left out."""
    later: int
    older: int
    undated: int
    """Of the older: those without a year."""
    unsettled: dict[str, int]
    notes: tuple[str, ...] = ()


class Validation(Value):
    """The whole study."""

    model: str
    papers: int
    """That the model learnt from."""
    first_year: int | None
    last_year: int | None
    embedder: str
    account: Account
    tables: tuple[OutcomeTable, ...]
    """Later papers first."""
    verdicts: dict[str, str]
    """By metric, in a line."""
    asked: int
    """Questions: metrics times outcomes, as far as there were papers."""
    starred: int
    """Of these with `q` of at most 0.05."""
    draws: int
    seed: int
