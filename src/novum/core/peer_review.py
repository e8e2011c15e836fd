"""Submitted papers with their real reviews, the ratings on their own and on a common scale, and the decision."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar, Literal

from novum.core.paper import Identifiers
from novum.core.record import Record, Value
from novum.core.scorecard import Share

Decision = Literal["accepted", "rejected", "workshop", "withdrawn", "desk-rejected", "unknown"]
"""What became of a submission. `workshop`: invited there instead. `desk-rejected`: turned down without review."""
ScaleFrom = Literal["form", "venue", "words", "observed", "unknown"]
"""Who says how far a scale goes: the rating itself (`7/10`), the venue's form, a rating in words alone, the ratings
that were seen; or nobody."""
REVIEW_SPLITS = ("train", "validation", "test")
"""Test papers are all of the day of the cut-off or later."""


class PeerRating(Value):
    """A reviewer's overall rating, as given and on a common scale of all venues."""

    raw: str
    """As it was given: `8: Top 50% of accepted papers`, `3 (weak reject)`, `6`."""
    value: float | None = None
    """The number in it, on the scale of its form."""
    low: float | None = None
    high: float | None = None
    """The ends of that scale, worst and best."""
    scaled: Share | None = None
    """0 is the worst that the form allows, 1 the best. None where no scale is known, or the number lies outside."""
    scale_from: ScaleFrom = "unknown"


class PeerMark(Value):
    """An answer of the form beside the overall rating: `soundness`, `originality`, as told."""

    name: str
    raw: str
    value: float | None = None


class PeerReview(Value):
    """What one reviewer wrote. `text` has its line breaks; empty where only the marks are known."""

    text: str = ""
    reviewer: str = ""
    """A name without a person behind it, such as `Reviewer_x7Qp`; often unknown."""
    rating: PeerRating | None = None
    confidence: PeerMark | None = None
    marks: tuple[PeerMark, ...] = ()
    unfit: str = ""
    """Why its text is not learnt from, though its marks count: another language, one word; empty where it is."""


class ReviewedPaper(Record):
    """A submission and its reviews. The same title at the same venue in the same year is the same record."""

    id_prefix: ClassVar[str] = "reviewed"
    id_fields: ClassVar[tuple[str, ...]] = ("title", "abstract", "venue", "year")

    title: str
    abstract: str
    venue: str = ""
    """Its short name without the year: `ICLR`, `NeurIPS`."""
    year: int | None = None
    """Of the venue."""
    date: dt.date | None = None
    """When it was submitted or came online, where that is known."""
    decision: Decision = "unknown"
    decided: str = ""
    """The decision in the venue's own words: `Accept (spotlight)`."""
    keywords: tuple[str, ...] = ()
    reviews: tuple[PeerReview, ...] = ()
    meta_review: str = ""
    ids: Identifiers = Identifiers()
    key: str = ""
    """What its source calls it."""
    source: str = ""
    """File and layout that it was read from."""

    @property
    def mean_rating(self) -> float | None:
        """Mean of the ratings on the one scale; None without any."""
        known = [each.rating.scaled for each in self.reviews if each.rating and each.rating.scaled is not None]
        return sum(known) / len(known) if known else None
