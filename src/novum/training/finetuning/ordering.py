"""The order of training rows, fixed before the first step so that a resumed training takes the same rows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from novum.training.recipes.recipe import Batch

_BAND = 50
"""Number of batches whose rows are sorted by length together: all of a small data set, a part of a large one."""


@dataclass(frozen=True)
class Order:
    """Training rows in their order. A step takes `per_step` rows."""

    rows: tuple[int, ...]
    steps: int
    per_step: int

    def tokens(self, lengths: Sequence[int], steps: int | None = None) -> int:
        """Number of tokens, without padding, in the first `steps` steps; in all steps by default."""
        rows = self.rows if steps is None else self.rows[: steps * self.per_step]
        return sum(lengths[row] for row in rows)


def order_rows(lengths: Sequence[int], batch: Batch, seed: int, processes: int = 1) -> Order:
    """Order rows by seed. `lengths`: tokens of each row.

    Rows that do not fill the last step are omitted, unless there is only one step.
    """
    group = batch.rows * processes
    wanted = max(1, round(batch.epochs * len(lengths)))
    rows: list[int] = []
    epoch = 0
    while len(rows) < wanted:
        rows += _epoch(lengths, group, random.Random(f"{seed} {epoch}"), by_length=batch.by_length)  # noqa: S311
        epoch += 1
    per_step = group * batch.accumulation
    steps = max(1, wanted // per_step)
    return Order(tuple(rows[: steps * per_step]), steps, per_step)


def _epoch(lengths: Sequence[int], group: int, draw: random.Random, *, by_length: bool) -> list[int]:
    rows = list(range(len(lengths)))
    draw.shuffle(rows)
    if not by_length:
        return rows
    groups: list[list[int]] = []
    for start in range(0, len(rows), band := group * _BAND):
        sorted_band = sorted(rows[start : start + band], key=lambda row: lengths[row])
        groups += [sorted_band[at : at + group] for at in range(0, len(sorted_band), group)]
    whole = [each for each in groups if len(each) == group]
    draw.shuffle(whole)
    rest = [row for each in groups if len(each) < group for row in each]
    return [row for each in whole for row in each] + rest


def measuring_steps(steps: int, times: int) -> tuple[int, ...]:
    """Steps with an evaluation: `times` of them, evenly spaced, including the last step."""
    return tuple(sorted({max(1, round(steps * time / times)) for time in range(1, times + 1)}))
