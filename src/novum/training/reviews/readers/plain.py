"""Read papers with a list of reviews: title, abstract, venue, year, decision, and reviews of rating, confidence and
text. Most self-made data sets and Novum's own records have this layout. Values may be wrapped as `{"value": …}`, and
reviews may be notes with their answers in `content`, or plain texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from novum.literature.importing.cleaning import clean_date, clean_text, clean_year
from novum.literature.sources.openreview_notes import bare
from novum.training.reviews.raw import (
    MOST_REVIEWS,
    RawPaper,
    RawReview,
    json_objects,
    long_text,
    parse_mark,
    parse_marks,
    required_title,
    text_with_headings,
)
from novum.training.reviews.readers.place import Place, VenueYear, venue_year

_TEXTS = ("text", "review", "review_text", "comments", "comment", "main_review", "content")
_PARTS = (
    "summary", "strengths", "weaknesses", "strengths_and_weaknesses", "questions", "limitations", "suggestions",
    "soundness_justification",
)  # fmt: skip
_RATINGS = ("rating", "recommendation", "score", "overall", "overall_rating", "final_score")
_MARKS = (
    "soundness", "originality", "significance", "clarity", "presentation", "contribution", "novelty", "quality",
    "correctness", "excitement",
)  # fmt: skip
_WRAPPING = {"value", "readers"}
_REGISTRIES = ("doi", "arxiv", "openreview", "acl", "s2", "dblp", "openalex")


def fits(record: Mapping[str, object]) -> bool:
    """Whether the record has a title and a list of reviews, which may be empty."""
    return "title" in record and "reviews" in record


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """Yield one paper. Raises UnusableRecord without a title."""
    record = _unwrapped(record)
    title = required_title(record)
    venue = _venue(record, place)
    key = clean_text(record.get("paper_id") or record.get("key") or record.get("forum") or record.get("id"))[:200]
    yield RawPaper(
        title=title,
        abstract=clean_text(record.get("abstract")),
        venue=venue.venue,
        year=venue.year,
        date=_day(record),
        decided=_decided(record)[:200],
        keywords=keywords(record.get("keywords")),
        reviews=[_review(each) for each in _listed(record.get("reviews"))],
        meta_review=_meta(record.get("meta_review") or record.get("metareview")),
        ids=_identifiers(record, key),
        key=key,
    )


def keywords(value: object) -> list[str]:
    """Keywords of a list, or of one text separated by semicolons or commas; entries of a list may be such texts."""
    texts = value if isinstance(value, list) else [value]
    parts: list[str] = []
    for text in map(clean_text, texts[:50]):
        divided = text.split(";") if ";" in text or isinstance(value, list) else text.split(",")
        parts += [part.strip()[:100] for part in divided]
    return list(dict.fromkeys(filter(None, parts)))[:20]


def _unwrapped(record: Mapping[str, object]) -> Mapping[str, object]:
    """The record with values of version 2 of OpenReview's API unwrapped, and the fields of `content` added."""
    if not any(isinstance(value, dict) for value in record.values()):
        return record
    content = record.get("content")
    fields = {**record, **content} if isinstance(content, dict) else record
    wrapped = {
        name: bare(value)
        for name, value in fields.items()
        if isinstance(value, dict) and "value" in value and value.keys() <= _WRAPPING
    }
    return {str(name): wrapped.get(name, value) for name, value in fields.items()}


def _listed(value: object) -> list[Mapping[str, object]]:
    """Reviews of a list or a mapping as objects; plain texts become reviews with a text only."""
    value = list(value.values()) if isinstance(value, Mapping) else value
    reviews = value[:MOST_REVIEWS] if isinstance(value, list) else []
    texts = [{"text": each} if isinstance(each, str) else each for each in reviews]
    return [_unwrapped(each) for each in texts if isinstance(each, Mapping)]


def _venue(record: Mapping[str, object], place: Place) -> VenueYear:
    named = venue_year(clean_text(record.get("venue") or record.get("conference")))
    return VenueYear(
        named.venue or place.by_name.venue, clean_year(record.get("year")) or named.year or place.by_name.year
    )


def _day(record: Mapping[str, object]) -> str:
    date = next(filter(None, (clean_date(record.get(name)) for name in ("date", "submitted", "created"))), None)
    return date.isoformat() if date else ""


def _decided(record: Mapping[str, object]) -> str:
    """The words of the decision. Novum's own records have both the words and the parsed decision."""
    if "decided" in record:
        return clean_text(record.get("decided"))
    words = clean_text(record.get("decision")) or clean_text(record.get("status"))
    accepted = next((value for name in ("accepted", "decision") if isinstance(value := record.get(name), bool)), None)
    return words or ("" if accepted is None else "Accept" if accepted else "Reject")


def _meta(value: object) -> str:
    if isinstance(value, Mapping):
        value = value.get("text") or value.get("metareview") or value.get("comment")
    return long_text(value)


def _identifiers(record: Mapping[str, object], key: str) -> dict[str, str]:
    """Identifiers of the record and its `ids`, or that of OpenReview in a key such as `iclr2017:B1-Hhnslg`."""
    nested = record.get("ids")
    identifiers: dict[str, object] = dict(nested) if isinstance(nested, Mapping) else {}
    identifiers |= {name: record[name] for name in _REGISTRIES if name in record}
    return {str(name): text for name, value in identifiers.items() if (text := clean_text(value)[:200])} or (
        {"openreview": key.rpartition(":")[2]} if key.partition(":")[0].startswith(("iclr", "neurips")) else {}
    )


def _review(each: Mapping[str, object]) -> RawReview:
    text = next(filter(None, (long_text(each.get(name)) for name in _TEXTS)), "")
    return RawReview(
        text=text or text_with_headings((name, each.get(name)) for name in _PARTS),
        rating=next(filter(None, (_raw(each.get(name)) for name in _RATINGS)), ""),
        confidence=_raw(each.get("confidence")),
        marks=parse_marks(each, _MARKS) | _own_marks(each),
        reviewer=clean_text(each.get("reviewer"))[:100],
    )


def _raw(value: object) -> str:
    """A mark, or the raw form of a mark of Novum's own records."""
    return parse_mark(value.get("raw") if isinstance(value, Mapping) else value)


def _own_marks(each: Mapping[str, object]) -> dict[str, str]:
    return {clean_text(mark.get("name"))[:60]: _raw(mark) for mark in json_objects(each.get("marks"), 40)}
