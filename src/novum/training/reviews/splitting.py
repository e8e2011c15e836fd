"""Split papers by time: training before a date, testing from that date on; validation sampled from the earlier ones."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from novum.errors import BadInput
from novum.training.reviews.gathering import StoredPaper
from novum.training.reviews.screening import PAPERS, Tally
from novum.training.reviews.settings import JudgeDataSettings

_TESTED = 0.1
"""Least share of test papers if no cut-off is given."""


@dataclass(frozen=True)
class Split:
    """Papers by split, in the order of `REVIEW_SPLITS`, and the cut-off date."""

    cutoff: dt.date
    papers: tuple[list[StoredPaper], list[StoredPaper], list[StoredPaper]]


def split_by_time(papers: Sequence[StoredPaper], settings: JudgeDataSettings, tally: Tally) -> Split:
    """Split papers at the cut-off. A paper with a year but no date is used if its whole year is on one side.

    Raises BadInput if no cut-off is given and all papers are of one year.
    """
    cutoff = settings.cutoff or _default_cutoff(papers)
    parts: tuple[list[StoredPaper], list[StoredPaper], list[StoredPaper]] = ([], [], [])
    for paper in papers:
        later = _is_later(paper, cutoff)
        if later is None and paper.year is None and paper.date is None and settings.undated == "train":
            later = False
        if later is None:
            why = (
                "the year alone does not say on which side of the cut-off it is"
                if paper.year
                else "neither day nor year known"
            )
            tally[PAPERS, why] += 1
        elif later:
            parts[2].append(paper)
        else:
            parts[_training_or_validation(paper, settings)].append(paper)
    return Split(cutoff, parts)


def _is_later(paper: StoredPaper, cutoff: dt.date) -> bool | None:
    """Whether a paper is from the cut-off on; None if unknown. The submission date has priority over the year."""
    if paper.date:
        return paper.date >= cutoff
    if paper.year is None:
        return None
    if paper.year == cutoff.year and cutoff != dt.date(cutoff.year, 1, 1):
        return None
    return paper.year >= cutoff.year


def _training_or_validation(paper: StoredPaper, settings: JudgeDataSettings) -> int:
    """The split of an earlier paper, by a hash of its title, independent of the other papers."""
    digest = blake2b(f"{settings.seed} {paper.order}".encode(), digest_size=8).digest()
    return 1 if int.from_bytes(digest) < settings.validation * 2**64 else 0


def _default_cutoff(papers: Sequence[StoredPaper]) -> dt.date:
    years = Counter(paper.date.year if paper.date else paper.year for paper in papers)
    known = sorted(year for year in years if year is not None)
    total = sum(years[year] for year in known)
    later = 0
    for year in reversed(known[1:]):
        later += years[year]
        if later >= _TESTED * total:
            return dt.date(year, 1, 1)
    if known[1:]:  # nearly all are of the first year: all later papers are for testing
        return dt.date(known[1], 1, 1)
    reason = f"all papers are of {known[0]}" if known else "no paper has a year"
    raise BadInput(f"No cut-off can be found: {reason}. Set a date: --cutoff {known[0] if known else 2025}-07-01")
