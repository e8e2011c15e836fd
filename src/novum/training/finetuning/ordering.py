"""The order in which rows are learnt from: fixed before the first step, so that a training goes on exactly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from novum.training.recipes.recipe import Batch

_BAND = 50
"""Groups of rows among which rows of like length are brought together: all of a small set, some of a large one."""


@dataclass(frozen=True)
class Order:
    """Rows in the order in which they are learnt from: `group` of them for each step's accumulation."""

    rows: tuple[int, ...]
    steps: int
    per_step: int

    def tokens(self, lengths: Sequence[int], steps: int | None = None) -> int:
        """Of the first steps, padding apart; of all when none are named."""
        seen = self.rows if steps is None else self.rows[: steps * self.per_step]
        return sum(lengths[row] for row in seen)


def order_rows(lengths: Sequence[int], batch: Batch, seed: int, processes: int = 1) -> Order:
    """`lengths`: tokens of each row. Rows that do not fill a last step are left out, unless there is no other."""
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
    """Steps after which it is measured: evenly spread, the last among them."""
    return tuple(sorted({max(1, round(steps * time / times)) for time in range(1, times + 1)}))
