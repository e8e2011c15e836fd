"""A share with an interval where the cases of one topic depend on each other.

Wilson's interval with the effective number of cases: as many independent cases as would have the variance that is
seen between topics, and Student's t for the few topics behind that variance (Dean & Pagano 2015). A percentile
bootstrap over few topics is too narrow near 0 and 1, and has no width where all topics agree; this interval has one.
"""

from __future__ import annotations

import numpy as np
from scipy.special import fdtri

from novum.core.arrays import Floats
from novum.statistics.records import Estimate

_NO_VARIANCE = 1e-12
_FEWEST = 3
"""Topics that an interval needs."""


def clustered_share(yes: Floats, cases: Floats, level: float = 0.95) -> Estimate:
    """The share of `yes` among `cases`, 0 to 1, both with an entry for each topic; a case may be a yes in part.

    Topics without cases do not count. There is no interval from fewer than three topics, and no value without cases.
    """
    yes, cases = yes[cases > 0], cases[cases > 0]
    if not cases.size:
        return Estimate(level=level)
    share = float(yes.sum() / cases.sum())
    if cases.size < _FEWEST:
        return Estimate(value=share, level=level)
    low, high = _interval(share, _effective_cases(share, yes, cases), len(cases) - 1, level)
    return Estimate(value=share, low=min(low, share), high=max(high, share), level=level)


def _effective_cases(share: float, yes: Floats, cases: Floats) -> float:
    """Number of independent cases with the same variance; where all topics agree, each topic is one."""
    topics, total = len(cases), float(cases.sum())
    variance = topics / (topics - 1) * float(((yes - share * cases) ** 2).sum()) / total**2
    if variance < _NO_VARIANCE:
        return float(topics)
    return float(np.clip(share * (1 - share) / variance, 1, total))


def _interval(share: float, cases: float, freedom: int, level: float) -> tuple[float, float]:
    """Wilson's interval with Student's t in place of the normal quantile."""
    spread = float(fdtri(1, freedom, level)) / cases  # the square of t, over the cases
    middle = (share + spread / 2) / (1 + spread)
    reach = np.sqrt(spread * share * (1 - share) + spread**2 / 4) / (1 + spread)
    return max(0.0, float(middle - reach)), min(1.0, float(middle + reach))
