"""The outcome of a validation of judges."""

from __future__ import annotations

from typing import Literal

from novum.core.account import Account
from novum.core.record import Value
from novum.judges.agreement import ScoreCurve
from novum.statistics.records import NO_ESTIMATE, Estimate

RowKind = Literal["judge", "panel", "predicted", "reviewer"]


class JudgeOpinions(Value):
    """Everything that one judge said. None where there was no usable answer."""

    judge: str
    scores: tuple[float | None, ...] = ()
    """Of each text, from 0 to 1; empty for a pairwise judge."""
    points: tuple[float | None, ...] = ()
    """Of the first text of each pair: the mean over criteria and both orders of 1 better, 0.5 tied, 0 worse; empty
    for a judge that gives scores."""
    failures: int = 0
    """Requests without a usable answer."""


class AgreementRow(Value):
    """How far one judge, or something to compare judges with, agrees with people."""

    name: str
    kind: RowKind
    pairs: int
    """Pairs that it orders, or ties."""
    right: Estimate = NO_ESTIMATE
    """The share that it orders as people do, a tie as half: 0.5 is chance."""
    texts: int
    spearman: Estimate = NO_ESTIMATE
    """With the mean of people's ratings, within each group. A pairwise judge's score is its mean points."""
    decided: int
    """Texts that were accepted or rejected."""
    auc: Estimate = NO_ESTIMATE
    """Accepted from rejected, within each group."""


class JudgeValidation(Value):
    """How far judges agree with people."""

    name: str
    by: str
    judges: tuple[str, ...]
    outcome: str
    sources: tuple[str, ...]
    left_out: dict[str, int]
    groups: dict[str, int]
    """Texts of each."""
    pairs: int
    rows: tuple[AgreementRow, ...]
    """The judges, the panel where there are several, the predicted rating and one reviewer where they are known."""
    curve: ScoreCurve | None = None
    """From the panel's scores to people's ratings."""
    opinions: tuple[JudgeOpinions, ...]
    failures: int
    draws: int
    account: Account

    @property
    def panel(self) -> AgreementRow:
        """The row of all judges together."""
        judged = [each for each in self.rows if each.kind in {"judge", "panel"}]
        return judged[-1]
