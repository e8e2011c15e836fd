"""Measured numbers as people read them, without what draws charts: a terminal needs no more than this."""

from __future__ import annotations

from novum.statistics.correlation import Correlation
from novum.statistics.estimate import Estimate
from novum.statistics.krippendorff import Agreement
from novum.statistics.reliability import Icc

NONE = "–"


def number(value: float | None, digits: int = 2) -> str:
    """`7.22`, with a true minus sign; a dash where there is none."""
    return NONE if value is None else f"{value:.{digits}f}".replace("-", "−")


def interval(estimate: Estimate | Correlation | Agreement | Icc, digits: int = 2) -> str:
    """`7.10 to 7.34`; empty where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{number(estimate.low, digits)} to {number(estimate.high, digits)}"
