"""Read PeerRead: a folder with a file for each paper, whose reviews, comments and answers are in one list.

Replies with a recommendation are reviews. In parts where no reply has one (NIPS), all replies but meta-reviews are.
Scores guessed by PeerRead's annotators (`RECOMMENDATION_UNOFFICIAL`) are ignored.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping

from novum.literature.importing.cleaning import clean_text
from novum.training.reviews.raw import (
    MOST_REVIEWS,
    RawPaper,
    RawReview,
    json_objects,
    long_text,
    parse_mark,
    parse_marks,
    required_title,
)
from novum.training.reviews.readers.place import Place, VenueYear, venue_year

_SIGNS = frozenset({"IS_META_REVIEW", "is_meta_review", "RECOMMENDATION", "OTHER_KEYS", "REVIEWER_CONFIDENCE"})
_MARKS = (
    "SUBSTANCE", "APPROPRIATENESS", "MEANINGFUL_COMPARISON", "SOUNDNESS_CORRECTNESS", "ORIGINALITY", "CLARITY",
    "IMPACT",
)  # fmt: skip
_MOST_REPLIES = 10 * MOST_REVIEWS

Reply = Mapping[str, object]


def fits(record: Mapping[str, object]) -> bool:
    """Whether the record is of this layout, by field names that only its replies have."""
    return "title" in record and any(_SIGNS & each.keys() for each in json_objects(record.get("reviews"), 5))


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """Yield one paper. Raises UnusableRecord without a title."""
    title = required_title(record)
    replies = json_objects(record.get("reviews"), _MOST_REPLIES)
    reviews, final = _reviews(replies), _final(replies)
    named, by_path = venue_year(clean_text(record.get("conference"))), place.by_name
    where = VenueYear(named.venue or by_path.venue, named.year or by_path.year)
    meta = next((long_text(each.get("comments")) for each in replies if _is_meta(each)), "")
    yield RawPaper(
        title=title,
        abstract=clean_text(record.get("abstract")),
        venue=where.venue,
        year=where.year,
        date=_day(record),
        decided=_decided(record.get("accepted")),
        reviews=[_review(each) for each in reviews][:MOST_REVIEWS],
        meta_review=long_text(final.get("comments")) if final else meta,
        key=f"{where.venue.lower()}{where.year or ''}:{parse_mark(record.get('id')) or clean_text(place.path.stem)}",
        other_replies=sum(not (each is final or _is_meta(each) or each in reviews) for each in replies),
    )


def _reviews(replies: list[Reply]) -> list[Reply]:
    """The reviews among all replies."""
    rated = [each for each in replies if parse_mark(each.get("RECOMMENDATION")) and not _is_meta(each)]
    texts = [each for each in replies if long_text(each.get("comments")) and not _is_meta(each)]
    return rated or [each for each in texts if not any(name in each for name in ("OTHER_KEYS", "DATE"))]


def _is_meta(reply: Reply) -> bool:
    flags = (reply.get("IS_META_REVIEW"), reply.get("is_meta_review"))
    return any(each and str(each).lower() != "false" for each in flags)


def _final(replies: list[Reply]) -> Reply | None:
    """The final decision of the committee, if any."""
    return next((each for each in replies if "final decision" in clean_text(each.get("TITLE")).lower()), None)


def _decided(accepted: object) -> str:
    return ("Accept" if accepted else "Reject") if isinstance(accepted, bool) else ""


def _day(record: Mapping[str, object]) -> str:
    """`26 Oct 2016` or `26 Oct 2016 (modified: …)`."""
    words = clean_text(record.get("DATE_OF_SUBMISSION")).partition(" (")[0]
    try:
        return dt.datetime.strptime(words, "%d %b %Y").replace(tzinfo=dt.UTC).date().isoformat()
    except ValueError:
        return ""


def _review(reply: Reply) -> RawReview:
    return RawReview(
        text=long_text(reply.get("comments")),
        rating=parse_mark(reply.get("RECOMMENDATION")),
        confidence=parse_mark(reply.get("REVIEWER_CONFIDENCE")),
        marks=parse_marks(reply, _MARKS),
        reviewer=clean_text(reply.get("OTHER_KEYS"))[:100],
    )
