"""Plan how rows of known lengths are packed into sequences: best fit decreasing, as in packing trainers.

Only the number of rows of each length matters, so that a million rows are planned quickly.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Mapping

from novum.core.record import Value


class PackingPlan(Value):
    """A plan of packing rows into sequences of `length` tokens."""

    length: int
    rows: int
    cut: int
    """Rows that are longer and lose their end."""
    lost_tokens: int
    sequences: int
    filled: float | None
    """Share of the tokens of all sequences that are not padding; None without rows."""
    padded: float | None
    """The same without packing, where every row is padded to this length."""


def packing_plan(lengths: Mapping[int, int], length: int) -> PackingPlan:
    """Plan the packing. `lengths`: number of rows by number of tokens. A row longer than `length` is cut."""
    rows = sum(lengths.values())
    cut_rows: Counter[int] = Counter()
    for tokens, number in lengths.items():
        cut_rows[min(tokens, length)] += number
    sequences = _sequences(cut_rows, length)
    tokens = sum(each * number for each, number in cut_rows.items())
    return PackingPlan(
        length=length,
        rows=rows,
        cut=sum(number for each, number in lengths.items() if each > length),
        lost_tokens=sum((each - length) * number for each, number in lengths.items() if each > length),
        sequences=sequences,
        filled=tokens / (sequences * length) if sequences else None,
        padded=tokens / (rows * length) if rows else None,
    )


def _sequences(rows: Mapping[int, int], length: int) -> int:
    """Number of sequences by best fit decreasing.

    Sequences with equal free space are handled together: the fullest sequence that fits takes as many of these rows as
    it can hold, because it remains the fullest.
    """
    free: Counter[int] = Counter()
    sizes: list[int] = []
    opened = 0

    def add(space: int, number: int) -> None:
        if space and number:
            if not free[space]:
                insort(sizes, space)
            free[space] += number

    for size in sorted((size for size in rows if size > 0), reverse=True):
        remaining = rows[size]
        while remaining:
            at = bisect_left(sizes, size)
            if at == len(sizes):
                each = length // size
                full, rest = divmod(remaining, each)
                opened += full + (rest > 0)
                add(length - each * size, full)
                add(length - rest * size, int(rest > 0))
                break
            space = sizes[at]
            each = space // size
            used = min(free[space], -(-remaining // each))
            last = remaining - (used - 1) * each if remaining < used * each else each
            free[space] -= used
            if not free[space]:
                sizes.pop(at)
            add(space - each * size, used - (last < each))
            add(space - last * size, int(last < each))
            remaining -= (used - 1) * each + last
    return opened
