"""Results of statistics as records. This module imports neither NumPy nor SciPy, so that reports can use it freely."""

from __future__ import annotations

from typing import Literal

from novum.core.record import Value

Scale = Literal["interval", "ordinal"]


class Estimate(Value):
    """A number with its confidence interval. All three numbers are None when there were no data to estimate it from."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    level: float = 0.95


NO_ESTIMATE = Estimate()


class Correlation(Value):
    """A correlation coefficient. `r` is None with fewer than three pairs, or when one side is constant."""

    r: float | None
    low: float | None
    """Interval by Fisher's z; None with fewer than four pairs."""
    high: float | None
    p: float | None
    """Two-sided p-value of the hypothesis that there is no correlation."""
    n: int
    """Pairs used."""
    left_out: int
    """Pairs with a missing value."""


class KrippendorffAlpha(Value):
    """Krippendorff's alpha. `alpha` is None when nothing was rated twice, or all ratings are equal."""

    alpha: float | None
    low: float | None
    """Interval by a bootstrap over the rated units; None without bootstrap samples."""
    high: float | None
    scale: Scale
    units: int
    """Units with at least two ratings; the others carry no information about agreement."""
    ratings: int
    """Ratings of those units."""


class Icc(Value):
    """One form of the intraclass correlation, named as by McGraw & Wong (1996): ICC(A,1), ICC(C,k) and so on."""

    form: str
    value: float | None
    """None where it is undefined; `reason` says why."""
    low: float | None
    """None too where the interval has no lower end."""
    high: float | None
    f: float | None
    """F statistic of the test that the coefficient is 0; None when raters never disagree (F is infinite)."""
    freedom: tuple[int, int]
    p: float | None
    band: str
    """The coefficient in a word (Koo & Li 2016); empty without a value."""
    reason: str = ""
    """Why there is no value; empty with one."""


class Reliability(Value):
    """The four forms of the intraclass correlation for one table of ratings."""

    subjects: int
    """Rows used: subjects that every rater rated."""
    raters: int
    left_out: int
    """Subjects with a missing rating."""
    agreement_single: Icc
    agreement_average: Icc
    consistency_single: Icc
    consistency_average: Icc
