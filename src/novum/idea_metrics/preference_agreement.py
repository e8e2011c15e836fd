"""Agreement of automated preferences with people's (appendix F): preferences of 1 to 5, kappa and Pearson's r.

1: the first idea is strongly preferred, 2: slightly, 3: neither, 4: the second slightly, 5: strongly (eq. 28).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from novum.core.arrays import Ints
from novum.core.record import Value
from novum.statistics.agreement import quadratic_kappa
from novum.statistics.correlation import pearson
from novum.statistics.records import Correlation

NEITHER = 3


class GradeAgreement(Value):
    """Agreement of two raters' grades of the same subjects. Kappas are None where both always gave the same grade."""

    n: int
    observed: float | None
    """p_o of eq. 29: the share of subjects with the same grade from both. None without a pair."""
    by_chance: float | None
    """p_e: the expected share if the grades of each rater were assigned at random."""
    kappa: float | None
    """Eq. 29."""
    weighted_kappa: float | None
    """Kappa with quadratic weights, by which a difference of one grade counts little."""
    close: float | None
    """The share of subjects whose grades differ by at most one."""


class PreferenceAgreement(Value):
    """Agreement of people's and automated preferences on the same pairs."""

    grades: GradeAgreement
    pearson: Correlation
    """Eq. 30."""
    decided: int
    """Pairs in which both have a preference."""
    same_side: float | None
    """The share of those in which both prefer the same idea; None without such pairs."""


def preferences(first: ArrayLike, second: ArrayLike, *, slight: float, strong: float) -> Ints:
    """Preferences p_ij of eq. 28 from the scores of ideas i and j, shape (n,). (The paper does not define them by
    scores.) A difference below `slight` is no preference, one of at least `strong` a strong one.

    Raises ValueError unless 0 < slight <= strong, and for scores that are not finite or differ in number.
    """
    if not 0 < slight <= strong:
        raise ValueError(f"a slight difference ({slight}) must be above 0 and at most a strong one ({strong})")
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if x.shape != y.shape or not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("expected the same number of finite scores for first and second ideas")
    ahead = x - y
    size = (np.abs(ahead) >= slight).astype(np.int64) + (np.abs(ahead) >= strong)
    graded: Ints = NEITHER - size * np.sign(ahead).astype(np.int64)
    return graded


def matching_differences(people: ArrayLike, ahead: ArrayLike) -> tuple[float, float]:
    """Thresholds (slight, strong) by which as many score differences count as slight and as strong as people had slight
    and strong preferences. Raises ValueError without a pair."""
    strength = np.abs(np.asarray(people, dtype=np.int64) - NEITHER)
    sizes = np.sort(np.abs(np.asarray(ahead, dtype=float)))
    if not sizes.size or sizes.shape != strength.shape:
        raise ValueError("expected one difference of scores for each preference")
    none, weak = int((strength == 0).sum()), int((strength <= 1).sum())
    least = np.finfo(float).tiny
    beyond = np.append(sizes, np.nextafter(sizes[-1], np.inf))
    slight = max(float(beyond[none]), least)
    return slight, max(float(beyond[weak]), slight)


def agreement_of_grades(first: ArrayLike, second: ArrayLike) -> GradeAgreement:
    """Observed and chance agreement and kappa (eq. 29) of two sequences of whole grades, of any scale.

    Raises ValueError for sequences of different lengths.
    """
    x, y = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"expected two sequences of equal length, not shapes {x.shape} and {y.shape}")
    if not x.size:
        return GradeAgreement(n=0, observed=None, by_chance=None, kappa=None, weighted_kappa=None, close=None)
    observed = float((x == y).mean())
    by_chance = float(sum((x == grade).mean() * (y == grade).mean() for grade in np.unique(x)))
    return GradeAgreement(
        n=len(x),
        observed=observed,
        by_chance=by_chance,
        kappa=(observed - by_chance) / (1 - by_chance) if by_chance < 1 else None,
        weighted_kappa=quadratic_kappa(x, y),
        close=float((np.abs(x - y) <= 1).mean()),
    )


def agreement_of_preferences(people: ArrayLike, automated: ArrayLike) -> PreferenceAgreement:
    """Agreement of preferences from 1 to 5 on the same pairs. Raises ValueError for other numbers or different
    lengths."""
    x, y = np.asarray(people, dtype=np.int64), np.asarray(automated, dtype=np.int64)
    if any(((each < 1) | (each > 5)).any() for each in (x, y)):
        raise ValueError("preferences are from 1 to 5")
    grades = agreement_of_grades(x, y)
    decided = (x != NEITHER) & (y != NEITHER)
    same = (x < NEITHER) == (y < NEITHER)
    return PreferenceAgreement(
        grades=grades,
        pearson=pearson(x, y),
        decided=int(decided.sum()),
        same_side=float(same[decided].mean()) if decided.any() else None,
    )
