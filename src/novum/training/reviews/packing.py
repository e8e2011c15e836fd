"""How rows of known lengths fill sequences of one length: best fit, longest rows first, as packing trainers do it.

Only how many rows have which length matters, so that a million rows are planned in a moment.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Mapping

from novum.core.record import Value


class PackingPlan(Value):
    """Rows packed into sequences of `length` tokens."""

    length: int
    rows: int
    cut: int
    """Rows that are longer, and lose their end."""
    lost_tokens: int
    sequences: int
    filled: float | None
    """Share of their tokens that are no padding; None without rows."""
    padded: float | None
    """The same without packing, every row padded to this length."""


def packing_plan(lengths: Mapping[int, int], length: int) -> PackingPlan:
    """`lengths`: how many rows have how many tokens. A row longer than `length` is cut to it."""
    rows = sum(lengths.values())
    kept: Counter[int] = Counter()
    for tokens, number in lengths.items():
        kept[min(tokens, length)] += number
    sequences = _sequences(kept, length)
    tokens = sum(each * number for each, number in kept.items())
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
    """Best fit decreasing. Sequences with equal room are handled together: the tightest one that fits takes as many of
    these rows as it can hold, since what is left of its room is tighter still."""
    room: Counter[int] = Counter()
    sizes: list[int] = []
    opened = 0

    def make(space: int, number: int) -> None:
        if space and number:
            if not room[space]:
                insort(sizes, space)
            room[space] += number

    for size in sorted((size for size in rows if size > 0), reverse=True):
        left = rows[size]
        while left:
            at = bisect_left(sizes, size)
            if at == len(sizes):
                each = length // size
                full, rest = divmod(left, each)
                opened += full + (rest > 0)
                make(length - each * size, full)
                make(length - rest * size, int(rest > 0))
                break
            space = sizes[at]
            each = space // size
            used = min(room[space], -(-left // each))
            last = left - (used - 1) * each if left < used * each else each
            room[space] -= used
            if not room[space]:
                sizes.pop(at)
            make(space - each * size, used - (last < each))
            make(space - last * size, int(last < each))
            left -= (used - 1) * each + last
    return opened
