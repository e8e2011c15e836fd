"""Ablation of a composite: its mean with one part left out (Tables 3 and 4).

The paper does not say what happens to the weight of the part that is left out. Its numbers are all lower without a
part, which need not be so if the other weights are renormalised; the weight seems to have been dropped. Both are
computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from novum.core.arrays import Floats
from novum.core.record import Value
from novum.statistics.correlation import pearson
from novum.statistics.records import Correlation


class AblationRow(Value):
    """One row of the table."""

    left_out: str | None
    """None in the first row, with all parts."""
    kept: tuple[str, ...]
    renewed: float | None
    """Mean of the composite with the weights of the other parts renormalised to a sum of 1."""
    dropped: float | None
    """Mean of the composite with unchanged weights, so that the contribution of the part is missing."""
    correlation: Correlation | None = None
    """Correlation of the renormalised composite with the criterion, if there is one."""


def ablation(
    parts: Mapping[str, Sequence[float | None]],
    weights: Mapping[str, float],
    criterion: Sequence[float | None] | None = None,
) -> tuple[AblationRow, ...]:
    """All parts, then all without the last one, without the one before it, and so on, as in the tables of the paper.

    `parts`: for each part one value for each idea (None: unknown; its weight is distributed over the idea's other
    parts). Parts of weight 0 are ignored. Raises ValueError where lengths differ or no weight is above 0.
    """
    names = [name for name in weights if weights[name] > 0]
    if not names:
        raise ValueError("none of the parts has a weight above 0")
    columns = [np.array(parts[name], dtype=float) for name in names]
    if len({len(column) for column in columns} | ({len(criterion)} if criterion is not None else set())) > 1:
        raise ValueError("parts and criterion have different numbers of ideas")
    table = np.stack(columns, axis=1)
    share = np.isfinite(table) * np.array([weights[name] for name in names])
    target = None if criterion is None else np.array(criterion, dtype=float)
    outs: list[int | None] = [None, *(range(len(names) - 1, -1, -1) if len(names) > 1 else ())]
    return tuple(_row(names, np.nan_to_num(table), share, out, target) for out in outs)


def _row(names: Sequence[str], table: Floats, share: Floats, out: int | None, target: Floats | None) -> AblationRow:
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
        correlation=None if target is None else pearson(renewed, target),
    )


def _mean(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else None
