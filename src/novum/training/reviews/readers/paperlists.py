"""Lists of a venue's papers with all ratings in one text, such as `3;5;6`, as dumps of ICLR and others have them.

They hold no review texts. What is no mark there is written as 0 or left empty; the columns of means are not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from novum.literature.importing.cleaning import clean_text, clean_year
from novum.literature.importing.record import UnusableRecord
from novum.training.reviews.raw import MOST_REVIEWS, RawPaper, RawReview
from novum.training.reviews.readers.place import Place, VenueYear, venue_year
from novum.training.reviews.readers.plain import keywords

_BESIDE = (
    "correctness", "technical_novelty", "empirical_novelty", "presentation", "soundness", "contribution", "novelty",
    "originality", "significance", "clarity", "quality",
)  # fmt: skip
_RATINGS = ("rating", "recommendation")


def fits(record: Mapping[str, object]) -> bool:
    """Whether it is of this layout: a title, a status, and ratings as one text."""
    return "title" in record and "status" in record and any(isinstance(record.get(name), str) for name in _RATINGS)


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """One paper."""
    title = clean_text(record.get("title"))
    if not title:
        raise UnusableRecord("no title")
    near, told = place.by_name, venue_year(clean_text(record.get("venue") or record.get("conference")))
    where = VenueYear(told.venue or near.venue, clean_year(record.get("year")) or told.year or near.year)
    key = clean_text(record.get("id"))[:200]
    yield RawPaper(
        title=title[:2000],
        abstract=clean_text(record.get("abstract")),
        venue=where.venue,
        year=where.year,
        decided=clean_text(record.get("status"))[:200],
        keywords=keywords(record.get("keywords")),
        reviews=_reviews(record),
        ids={"openreview": key} if key else {},
        key=f"{where.venue.lower()}{where.year or ''}:{key}",
    )


def _reviews(record: Mapping[str, object]) -> list[RawReview]:
    """One for each rating. Other marks are taken where there are as many of them."""
    rated = next((name for name in _RATINGS if _column(record, name)), "rating")
    ratings = _column(record, rated)
    beside = {name: _column(record, name) for name in (*_BESIDE, "confidence")}
    fitting = {name: marks for name, marks in beside.items() if len(marks) == len(ratings)}
    sure = [_told(mark) for mark in fitting.get("confidence", [""] * len(ratings))]
    return [
        RawReview(
            rating=rating if sure[number] else _told(rating),  # of some forms 0 is the worst rating
            confidence=sure[number],
            marks={name: mark for name in _BESIDE if name in fitting and (mark := _told(fitting[name][number]))},
        )
        for number, rating in enumerate(ratings)
    ]


def _told(mark: str) -> str:
    return "" if mark in {"0", "-1"} else mark


def _column(record: Mapping[str, object], name: str) -> list[str]:
    text = clean_text(record.get(name))
    return [mark.strip()[:60] for mark in text.split(";")][:MOST_REVIEWS] if text else []
