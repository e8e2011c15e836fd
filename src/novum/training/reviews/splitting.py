"""Training before a day, testing from that day on; validation drawn from the papers before it."""

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
"""Share of papers that a cut-off nobody named leaves for testing, at least."""


@dataclass(frozen=True)
class Split:
    """Papers by split, in the order of `REVIEW_SPLITS`, and the day that parts them."""

    cutoff: dt.date
    papers: tuple[list[StoredPaper], list[StoredPaper], list[StoredPaper]]


def split_by_time(papers: Sequence[StoredPaper], settings: JudgeDataSettings, tally: Tally) -> Split:
    """Of a paper of which only the year is known, the whole year must lie on one side. Raises BadInput where all papers
    are of one year and no day was named."""
    cutoff = settings.cutoff or _chosen(papers)
    parts: tuple[list[StoredPaper], list[StoredPaper], list[StoredPaper]] = ([], [], [])
    for paper in papers:
        later = _is_later(paper, cutoff)
        if later is None and paper.year is None and paper.date is None and settings.undated == "train":
            later = False
        if later is None:
            why = (
                "the year alone does not tell on which side of the cut-off"
                if paper.year
                else "neither day nor year known"
            )
            tally[PAPERS, why] += 1
        elif later:
            parts[2].append(paper)
        else:
            parts[_drawn(paper, settings)].append(paper)
    return Split(cutoff, parts)


def _is_later(paper: StoredPaper, cutoff: dt.date) -> bool | None:
    """None: nobody knows. A day counts before a year: it is when the paper was handed in."""
    if paper.date:
        return paper.date >= cutoff
    if paper.year is None:
        return None
    if paper.year == cutoff.year and cutoff != dt.date(cutoff.year, 1, 1):
        return None
    return paper.year >= cutoff.year


def _drawn(paper: StoredPaper, settings: JudgeDataSettings) -> int:
    """By the title, so that the same paper is drawn whatever else is in the set."""
    digest = blake2b(f"{settings.seed} {paper.order}".encode(), digest_size=8).digest()
    return 1 if int.from_bytes(digest) < settings.validation * 2**64 else 0


def _chosen(papers: Sequence[StoredPaper]) -> dt.date:
    years = Counter(paper.date.year if paper.date else paper.year for paper in papers)
    known = sorted(year for year in years if year is not None)
    total = sum(years[year] for year in known)
    later = 0
    for year in reversed(known[1:]):
        later += years[year]
        if later >= _TESTED * total:
            return dt.date(year, 1, 1)
    if known[1:]:  # nearly all are of the first year: what is later is all that there is for testing
        return dt.date(known[1], 1, 1)
    told = f"all papers are of {known[0]}" if known else "no paper has a year"
    raise BadInput(f"No cut-off can be found: {told}. Name a day: --cutoff {known[0] if known else 2025}-07-01")
