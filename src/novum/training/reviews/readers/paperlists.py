"""Read lists of a venue's papers with all ratings in one text, such as `3;5;6`, as in data sets of ICLR.

They have no review texts. Missing marks are 0 or empty; columns of means are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from novum.literature.importing.cleaning import clean_text, clean_year
from novum.training.reviews.raw import MOST_REVIEWS, RawPaper, RawReview, required_title
from novum.training.reviews.readers.place import Place, VenueYear, venue_year
from novum.training.reviews.readers.plain import keywords

_MARKS = (
    "correctness", "technical_novelty", "empirical_novelty", "presentation", "soundness", "contribution", "novelty",
    "originality", "significance", "clarity", "quality",
)  # fmt: skip
_RATINGS = ("rating", "recommendation")


def fits(record: Mapping[str, object]) -> bool:
    """Whether the record has a title, a status, and ratings as one text."""
    return "title" in record and "status" in record and any(isinstance(record.get(name), str) for name in _RATINGS)


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """Yield one paper. Raises UnusableRecord without a title."""
    title = required_title(record)
    by_path, named = place.by_name, venue_year(clean_text(record.get("venue") or record.get("conference")))
    where = VenueYear(named.venue or by_path.venue, clean_year(record.get("year")) or named.year or by_path.year)
    key = clean_text(record.get("id"))[:200]
    yield RawPaper(
        title=title,
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
    """One review for each rating. Other marks are used if there are as many of them."""
    rated = next((name for name in _RATINGS if _column(record, name)), "rating")
    ratings = _column(record, rated)
    columns = {name: _column(record, name) for name in (*_MARKS, "confidence")}
    fitting = {name: marks for name, marks in columns.items() if len(marks) == len(ratings)}
    sure = [_given(mark) for mark in fitting.get("confidence", [""] * len(ratings))]
    return [
        RawReview(
            rating=rating if sure[number] else _given(rating),  # in some forms 0 is the worst rating
            confidence=sure[number],
            marks={name: mark for name in _MARKS if name in fitting and (mark := _given(fitting[name][number]))},
        )
        for number, rating in enumerate(ratings)
    ]


def _given(mark: str) -> str:
    return "" if mark in {"0", "-1"} else mark


def _column(record: Mapping[str, object], name: str) -> list[str]:
    text = clean_text(record.get(name))
    return [mark.strip()[:60] for mark in text.split(";")][:MOST_REVIEWS] if text else []
