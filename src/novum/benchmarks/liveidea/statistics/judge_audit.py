"""Audit of each judge: severity, agreement with the panel, preference for its own model family and for length.

All measures compare a judge with the other judges of the *same* ideas, since each judge sees other ideas. Intervals are
95 %, from a bootstrap over keywords.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from novum.benchmarks.liveidea.statistics.judgements import FLUENCY, JUDGED, Judgements
from novum.benchmarks.liveidea.statistics.severity import JudgeTotals
from novum.core.arrays import Bools, Floats, Ints
from novum.core.record import Value
from novum.statistics.agreement import krippendorff_alpha
from novum.statistics.bootstrap import bootstrap_weights, estimate
from novum.statistics.correlation import pearson
from novum.statistics.records import NO_ESTIMATE, Correlation, Estimate, KrippendorffAlpha

SumStatistic = Callable[[Floats], Floats]

WORDS = 100
"""Slopes are points per so many words."""


class JudgeAudit(Value):
    """One judge in one dimension."""

    judge: str
    given: int
    missing: int
    """Requested scores that it did not give."""
    severity: Estimate
    """Points that it scores below the panel; negative for a mild judge."""
    spread: float | None
    """Standard deviation of its scores; None with fewer than two."""
    alpha: KrippendorffAlpha
    """With the mean of the others on the same ideas; interval scale. Severity lowers it."""
    r: Correlation
    """With the same mean. Severity does not touch it."""
    own_family: Estimate
    """Points that it gives models of its own family beyond what judges of other families give them."""
    length_slope: Estimate
    """Points per 100 words of the idea."""
    length_slope_beyond_panel: Estimate
    """The same for its difference from the others' mean: its preference for length beyond theirs."""


class DimensionAudit(Value):
    """The panel in one dimension."""

    dimension: str
    linked: bool
    """Whether all judges are linked through common models; severities of separate groups cannot be compared."""
    alpha: KrippendorffAlpha
    """Of the whole panel, ordinal; for fluency, with one judge a pair, there is none."""
    judges: tuple[JudgeAudit, ...]


def audit_judges(
    judgements: Judgements,
    *,
    model_families: Sequence[str] = (),
    judge_families: Sequence[str] = (),
    words: ArrayLike | None = None,
    draws: int = 1000,
    seed: int = 0,
) -> tuple[DimensionAudit, ...]:
    """Each judge in each dimension.

    `model_families` and `judge_families` name the organisation of each model and judge ("" where unknown; no list: no
    preference is measured). `words` is the length of the idea of each row of `judgements`, NaN where unknown; without
    it there are no slopes. Raises ValueError when a list has not one entry for each model, judge or row.
    """
    own = _own_family(judgements, model_families, judge_families)
    length = np.full(judgements.score.shape, np.nan) if words is None else np.asarray(words, dtype=float)
    if length.shape != judgements.score.shape:
        raise ValueError(f"{length.size} lengths for {judgements.score.size} judgements")
    keywords = len(judgements.keywords)
    weights = list(bootstrap_weights(keywords, draws if keywords > 1 else 0, seed))
    severity = _Severity(judgements, own, weights)
    return tuple(_dimension(judgements, place, own, length, severity, weights) for place in range(len(JUDGED)))


def _own_family(judgements: Judgements, models: Sequence[str], judges: Sequence[str]) -> Bools:
    """For each row, whether the judge is of the model's family."""
    if not models or not judges:
        return np.zeros(judgements.score.shape, dtype=bool)
    if len(models) != len(judgements.models) or len(judges) != len(judgements.judges):
        raise ValueError("a family is wanted for each model and each judge")
    families = {name: place for place, name in enumerate(sorted({*models, *judges} - {""}))}
    of_models = np.array([families.get(name, -1) for name in models])
    of_judges = np.array([families.get(name, -2) for name in judges])
    same: Bools = of_models[judgements.model] == of_judges[judgements.judge]
    return same


class _Severity:
    """Effects of the judges, and the scores expected from judges of other families, to compare the own family with."""

    def __init__(self, judgements: Judgements, own: Bools, weights: list[Floats]) -> None:
        everything = JudgeTotals.of(judgements)
        once = np.ones((1, len(judgements.keywords)))
        self.linked = everything.linked()
        self.point = everything.effects(once)[0]
        self.draws = np.concatenate([everything.effects(each) for each in weights]) if weights else self.point[None][:0]
        neutral = JudgeTotals.of(judgements.where(~own)) if own.any() else everything
        self.neutral_effects = neutral.effects(once)[0]
        count, total = neutral.count.sum(axis=1), neutral.total.sum(axis=1)
        explained = np.einsum("dmj,dj->dm", count, self.neutral_effects)
        with np.errstate(invalid="ignore"):
            self.neutral_models = (total.sum(axis=2) - explained) / count.sum(axis=2)


def _dimension(
    judgements: Judgements,
    place: int,
    own: Bools,
    words: Floats,
    severity: _Severity,
    weights: list[Floats],
) -> DimensionAudit:
    requested = judgements.dimension == place
    rows, mask = judgements.of(place), judgements.given & requested
    others = _mean_of_others(rows)
    expected = severity.neutral_models[place][rows.model] + severity.neutral_effects[place][rows.judge]
    favour = np.where(own[mask], rows.score - expected, np.nan)
    keywords = len(judgements.keywords)
    audits = []
    for at, name in enumerate(judgements.judges):
        its = rows.judge == at
        keyword, score, rest, length = rows.keyword[its], rows.score[its], others[its], words[mask][its]
        pair = np.isfinite(rest)
        both = np.tile(np.arange(pair.sum()), 2)
        audits.append(
            JudgeAudit(
                judge=name,
                given=int(its.sum()),
                missing=int((requested & ~judgements.given & (judgements.judge == at)).sum()),
                severity=estimate(-severity.point[place, at], -severity.draws[:, place, at])
                if its.any()
                else NO_ESTIMATE,
                spread=float(score.std(ddof=1)) if score.size > 1 else None,
                alpha=krippendorff_alpha(both, np.concatenate([score[pair], rest[pair]]), "interval"),
                r=pearson(score, rest),
                own_family=_mean(keyword, favour[its], keywords, weights),
                length_slope=_slope(keyword, length, score, keywords, weights),
                length_slope_beyond_panel=_slope(keyword, length, score - rest, keywords, weights),
            )
        )
    alpha = krippendorff_alpha(rows.unit, rows.score, "ordinal")
    return DimensionAudit(dimension=JUDGED[place], linked=severity.linked[place], alpha=alpha, judges=tuple(audits))


def _mean_of_others(rows: Judgements) -> Floats:
    """Mean score of the other judges of the same idea; NaN for an only judge. Fluency has one judge a pair."""
    if rows.dimension.size and rows.dimension[0] == FLUENCY:
        return np.full(rows.score.shape, np.nan)
    _, unit = np.unique(rows.unit, return_inverse=True)
    count, total = np.bincount(unit), np.bincount(unit, rows.score)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Floats = (total[unit] - rows.score) / (count[unit] - 1)
    return np.where(count[unit] > 1, mean, np.nan)


def _sums(keyword: Ints, columns: Sequence[Floats], keywords: int) -> Floats:
    return np.stack([np.bincount(keyword, column, minlength=keywords) for column in columns], axis=1)


def _mean(keyword: Ints, values: Floats, keywords: int, weights: list[Floats]) -> Estimate:
    known = np.isfinite(values)
    sums = _sums(keyword[known], [np.ones(known.sum()), values[known]], keywords)
    return _of_sums(sums, _ratio, weights)


def _slope(keyword: Ints, words: Floats, values: Floats, keywords: int, weights: list[Floats]) -> Estimate:
    """Least-squares slope of `values` on hundreds of words."""
    known = np.isfinite(words) & np.isfinite(values)
    if known.sum() < 3:
        return NO_ESTIMATE
    x, y = words[known] / WORDS, values[known]
    x, y = x - x.mean(), y - y.mean()
    return _of_sums(_sums(keyword[known], [np.ones_like(x), x, y, x * x, x * y], keywords), _gradient, weights)


def _ratio(sums: Floats) -> Floats:
    mean: Floats = sums[:, 1] / sums[:, 0]
    return mean


def _gradient(sums: Floats) -> Floats:
    n, x, y, xx, xy = sums.T
    spread = xx - x * x / n
    return np.where(spread > 1e-12 * n, (xy - x * y / n) / spread, np.nan)


def _of_sums(sums: Floats, statistic: SumStatistic, weights: list[Floats]) -> Estimate:
    with np.errstate(invalid="ignore", divide="ignore"):
        point = statistic(sums.sum(axis=0, keepdims=True))[0]
        samples = [statistic(each @ sums) for each in weights]
    return estimate(point, np.concatenate(samples) if samples else np.empty(0))
