"""Do automated preferences agree with people's (appendix F)? Preferences of 1 to 5, kappa and Pearson's r.

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
    """Two raters' grades of the same things. Kappas are None where both always gave one and the same grade."""

    n: int
    observed: float | None
    """p_o of eq. 29: the share that got the same grade from both. None without a pair."""
    by_chance: float | None
    """p_e: that share had each rater dealt out his grades at random."""
    kappa: float | None
    """Eq. 29."""
    weighted_kappa: float | None
    """The same with quadratic weights: a miss by one grade is a small one."""
    close: float | None
    """The share that is at most one grade apart."""


class PreferenceAgreement(Value):
    """People's preferences beside automated ones on the same pairs."""

    grades: GradeAgreement
    pearson: Correlation
    """Eq. 30."""
    decided: int
    """Pairs in which both preferred one of the two."""
    same_side: float | None
    """The share of those in which it was the same one; None where there are none."""


def preferences(first: ArrayLike, second: ArrayLike, *, slight: float, strong: float) -> Ints:
    """p_ij of eq. 28 from the scores of idea i and idea j, which the paper leaves open: a difference below `slight` is
    no preference, one of `strong` and more is a strong one.

    Raises ValueError unless 0 < slight <= strong, and for scores that are not finite or not as many.
    """
    if not 0 < slight <= strong:
        raise ValueError(f"a slight difference ({slight}) is above 0 and not above a strong one ({strong})")
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if x.shape != y.shape or not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("as many finite scores of first ideas as of second ones are wanted")
    ahead = x - y
    size = (np.abs(ahead) >= slight).astype(np.int64) + (np.abs(ahead) >= strong)
    graded: Ints = NEITHER - size * np.sign(ahead).astype(np.int64)
    return graded


def matching_differences(people: ArrayLike, ahead: ArrayLike) -> tuple[float, float]:
    """(slight, strong) by which as many of the differences between scores count as slight and as strong ones as people
    had slight and strong preferences. Raises ValueError without a pair."""
    strength = np.abs(np.asarray(people, dtype=np.int64) - NEITHER)
    sizes = np.sort(np.abs(np.asarray(ahead, dtype=float)))
    if not sizes.size or sizes.shape != strength.shape:
        raise ValueError("a difference of scores is wanted for each preference")
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
        raise ValueError(f"pairs are wanted, not {x.shape} beside {y.shape}")
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
    """Of preferences from 1 to 5 on the same pairs. Raises ValueError for others, and for different numbers of them."""
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
