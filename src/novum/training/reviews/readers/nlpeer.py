"""Read NLPeer: a folder for each paper and version, `SET/data/PAPER/v1`, with `meta.json` and `reviews.json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from novum.literature.importing.cleaning import clean_date, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord
from novum.training.reviews.raw import (
    MOST_REVIEWS,
    RawPaper,
    RawReview,
    json_objects,
    long_text,
    parse_mark,
    text_with_headings,
)
from novum.training.reviews.readers.place import Place, VenueYear, venue_year
from novum.training.reviews.readers.plain import keywords

META, REVIEWS = "meta.json", "reviews.json"
_OVERALL = ("overall", "overall_assessment", "recommendation", "rating")
_CONFIDENCE = ("confidence", "reviewer_confidence")
_IDS = ("doi", "openreview", "arxiv", "acl")


def is_review(each: Mapping[str, object]) -> bool:
    """Whether the object is a review of this layout."""
    return isinstance(each.get("report"), Mapping) and isinstance(each.get("scores"), Mapping | None)


def fits(record: Mapping[str, object]) -> bool:
    """Whether the record has the metadata of a paper and its reviews, as `reading` combines the two files."""
    return isinstance(record.get("meta"), Mapping) and isinstance(record.get("reviews"), list)


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """Yield one paper. Raises UnusableRecord without a title."""
    meta = record.get("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    title = clean_text(meta.get("title"))
    if not title:
        raise UnusableRecord("no title in meta.json")
    by_path, named = place.by_name, venue_year(clean_text(meta.get("venue")))
    where = VenueYear(by_path.venue or named.venue, by_path.year or clean_year(meta.get("year")) or named.year)
    day = clean_date(meta.get("date") or meta.get("submission_date"))
    yield RawPaper(
        title=title[:2000],
        abstract=clean_text(meta.get("abstract")),
        venue=where.venue,
        year=where.year,
        date=day.isoformat() if day else "",
        decided=clean_text(meta.get("decision"))[:200],
        keywords=keywords(meta.get("keywords")),
        reviews=[_review(each) for each in json_objects(record.get("reviews"), MOST_REVIEWS) if is_review(each)],
        ids={name: text for name in _IDS if (text := clean_text(meta.get(name))[:200])},
        key=clean_text(meta.get("id"))[:200] or clean_text(place.path.parent.parent.name),
    )


def _review(each: Mapping[str, object]) -> RawReview:
    report, scores = each.get("report"), each.get("scores")
    parts = dict(report) if isinstance(report, Mapping) else {}
    score_items = list(scores.items())[:40] if isinstance(scores, Mapping) else []
    marks = {clean_text(name)[:60]: parse_mark(value) for name, value in score_items}
    main = long_text(parts.pop("main", ""))
    sections = text_with_headings((str(name), value) for name, value in list(parts.items())[:20])
    return RawReview(
        text="\n\n".join(filter(None, (sections, main))),
        rating=next((marks.pop(name) for name in _OVERALL if marks.get(name)), ""),
        confidence=next((marks.pop(name) for name in _CONFIDENCE if marks.get(name)), ""),
        marks={name.lower(): mark for name, mark in marks.items() if mark},
        reviewer=clean_text(each.get("rid"))[:100],
    )
