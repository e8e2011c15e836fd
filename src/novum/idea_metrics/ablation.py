"""What each part of a composite is worth: its mean with one part left out (Tables 3 and 4).

The paper does not say what becomes of the weight of a part that is left out. Its numbers are all lower without a part,
which a mean with renewed weights need not be: there the weight seems to have been dropped. Both are computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from novum.core.arrays import Floats
from novum.core.record import Value
from novum.statistics.correlation import pearson
from novum.statistics.records import Correlation


class AblationRow(Value):
    """One line of a table."""

    left_out: str | None
    """None in the first line, where all parts count."""
    kept: tuple[str, ...]
    renewed: float | None
    """Mean of the composite, the weights of the other parts made to add up to 1."""
    dropped: float | None
    """Mean with the weights as they were: what the part brought is missing."""
    correlation: Correlation | None = None
    """Of the composite with renewed weights and the criterion, where there is one."""


def ablation(
    parts: Mapping[str, Sequence[float | None]],
    weights: Mapping[str, float],
    criterion: Sequence[float | None] | None = None,
) -> tuple[AblationRow, ...]:
    """All parts, then without the last, without the one before it, and so on, as in the paper's tables.

    `parts`: of each part a number for each idea (None: not known, its weight is shared among the idea's other parts).
    Parts of weight 0 are no parts. Raises ValueError where they are not of one length, or no weight is above 0.
    """
    names = [name for name in weights if weights[name] > 0]
    if not names:
        raise ValueError("none of the parts has a weight above 0")
    columns = [np.array(parts[name], dtype=float) for name in names]
    if len({len(column) for column in columns} | ({len(criterion)} if criterion is not None else set())) > 1:
        raise ValueError("parts and criterion are about different numbers of ideas")
    table = np.stack(columns, axis=1)
    share = np.isfinite(table) * np.array([weights[name] for name in names])
    aim = None if criterion is None else np.array(criterion, dtype=float)
    outs: list[int | None] = [None, *(range(len(names) - 1, -1, -1) if len(names) > 1 else ())]
    return tuple(_row(names, np.nan_to_num(table), share, out, aim) for out in outs)


def _row(names: Sequence[str], table: Floats, share: Floats, out: int | None, aim: Floats | None) -> AblationRow:
    selected = [place for place in range(len(names)) if place != out]
    values = (table * share)[:, selected].sum(axis=1)
    whole, left = share.sum(axis=1), share[:, selected].sum(axis=1)
    renewed = np.divide(values, left, out=np.full(len(table), np.nan), where=left > 0)
    dropped = np.divide(values, whole, out=np.full(len(table), np.nan), where=whole > 0)
    return AblationRow(
        left_out=None if out is None else names[out],
        kept=tuple(names[place] for place in selected),
        renewed=_mean(renewed),
        dropped=_mean(dropped),
        correlation=None if aim is None else pearson(renewed, aim),
    )


def _mean(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else None
