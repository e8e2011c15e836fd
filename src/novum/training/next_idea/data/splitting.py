"""Split records: by time, so that validation and test lie after training; or by row, as the released code does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from hashlib import blake2b

from novum.core.research_context import NextIdeaRecord, NextIdeaSplit
from novum.training.next_idea.data.settings import NextIdeaSettings


def with_splits(records: Sequence[NextIdeaRecord], settings: NextIdeaSettings) -> list[NextIdeaRecord]:
    """The records with their splits. By time, all variants of a target and all targets of one day share a split."""
    if settings.split == "row":
        return [each.but(split=_drawn(each, settings)) for each in records]
    split_of = _by_day(records, settings)
    return [each.but(split=split_of[_day(each)]) for each in records]


def _day(record: NextIdeaRecord) -> dt.date:
    return record.target_date or dt.date.min  # of unknown date: it may only be trained on


def _by_day(records: Sequence[NextIdeaRecord], settings: NextIdeaSettings) -> dict[dt.date, NextIdeaSplit]:
    """The split of each day, from the latest back. The earliest day is always for training."""
    targets = {each.target_id: _day(each) for each in records}
    days = sorted(set(targets.values()))
    counts = {day: sum(each == day for each in targets.values()) for day in days}
    wanted = {"test": settings.test * len(targets), "validation": settings.validation * len(targets)}
    split_of: dict[dt.date, NextIdeaSplit] = dict.fromkeys(days, "train")
    left = days[1:]
    names: tuple[NextIdeaSplit, ...] = ("test", "validation")
    for name in names:
        taken = 0
        while left and taken < wanted[name]:
            day = left.pop()
            split_of[day] = name
            taken += counts[day]
    return split_of


def _drawn(record: NextIdeaRecord, settings: NextIdeaSettings) -> NextIdeaSplit:
    digest = blake2b(f"{settings.seed} {record.id}".encode(), digest_size=8).digest()
    share = int.from_bytes(digest) / 2**64
    if share < settings.test:
        return "test"
    return "validation" if share < settings.test + settings.validation else "train"
