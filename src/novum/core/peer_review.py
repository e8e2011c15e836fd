"""Submitted papers with their real reviews, the ratings on their own and on a common scale, and the decision."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar, Literal

from novum.core.paper import Identifiers
from novum.core.record import Record, Value
from novum.core.scorecard import Share

Decision = Literal["accepted", "rejected", "workshop", "withdrawn", "desk-rejected", "unknown"]
"""The decision on a submission. `workshop`: invited to a workshop instead. `desk-rejected`: rejected without review."""
ScaleFrom = Literal["form", "venue", "words", "observed", "unknown"]
"""The source of the ends of a scale: the rating itself (`7/10`), the venue's form, a rating in words alone, the range
of the ratings; or unknown."""
REVIEW_SPLITS = ("train", "validation", "test")
"""Test papers are those of the cut-off date or later."""


class PeerRating(Value):
    """A reviewer's overall rating, as given and on a common scale of all venues."""

    raw: str
    """The original text: `8: Top 50% of accepted papers`, `3 (weak reject)`, `6`."""
    value: float | None = None
    """The number in that text, on the scale of its form."""
    low: float | None = None
    high: float | None = None
    """Worst and best value of that scale."""
    scaled: Share | None = None
    """From 0, the worst value of the form, to 1, the best. None where the scale is unknown or the number outside of
    it."""
    scale_from: ScaleFrom = "unknown"


class PeerMark(Value):
    """A further field of the review form, such as `soundness` or `originality`, as it was given."""

    name: str
    raw: str
    value: float | None = None


class PeerReview(Value):
    """One review. `text` keeps its line breaks; it is empty where only the marks are known."""

    text: str = ""
    reviewer: str = ""
    """A pseudonym such as `Reviewer_x7Qp`; often unknown."""
    rating: PeerRating | None = None
    confidence: PeerMark | None = None
    marks: tuple[PeerMark, ...] = ()
    unfit: str = ""
    """Why the text is not used for training, although the marks are: another language, a single word. Empty where it
    is."""


class ReviewedPaper(Record):
    """A submission and its reviews. The same title at the same venue in the same year is the same record."""

    id_prefix: ClassVar[str] = "reviewed"
    id_fields: ClassVar[tuple[str, ...]] = ("title", "abstract", "venue", "year")

    title: str
    abstract: str
    venue: str = ""
    """Its short name without the year: `ICLR`, `NeurIPS`."""
    year: int | None = None
    """Year of the venue."""
    date: dt.date | None = None
    """Date of submission or publication, where known."""
    decision: Decision = "unknown"
    decided: str = ""
    """The decision in the venue's own words: `Accept (spotlight)`."""
    keywords: tuple[str, ...] = ()
    reviews: tuple[PeerReview, ...] = ()
    meta_review: str = ""
    ids: Identifiers = Identifiers()
    key: str = ""
    """Its id in the source."""
    source: str = ""
    """The file that it was read from, and the file's layout."""

    @property
    def mean_rating(self) -> float | None:
        """Mean of the ratings, 0 to 1; None without a rating."""
        known = [each.rating.scaled for each in self.reviews if each.rating and each.rating.scaled is not None]
        return sum(known) / len(known) if known else None
