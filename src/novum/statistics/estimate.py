"""A number with its interval: what every mean, correlation and coefficient of a report is made of."""

from __future__ import annotations

from novum.core.record import Value


class Estimate(Value):
    """`value` between `low` and `high` at the confidence `level`; None where there was nothing to estimate it from."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    level: float = 0.95


NOTHING = Estimate()
