"""A paper with a list of reviews, in the plainest form: title, abstract, venue, year, decision, reviews of rating,
confidence and text. Most dumps that people make for themselves look like this; our own review records do too. Values
may be wrapped as `{"value": …}`, reviews be notes with their answers in `content`, or bare texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from novum.literature.importing.cleaning import clean_date, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord
from novum.literature.sources.openreview_notes import bare
from novum.training.reviews.raw import (
    MOST_REVIEWS,
    RawPaper,
    RawReview,
    json_objects,
    long_text,
    parse_mark,
    parse_marks,
    text_with_headings,
)
from novum.training.reviews.readers.place import Place, VenueYear, venue_year

_TEXTS = ("text", "review", "review_text", "comments", "comment", "main_review", "content")
_PARTS = (
    "summary", "strengths", "weaknesses", "strengths_and_weaknesses", "questions", "limitations", "suggestions",
    "soundness_justification",
)  # fmt: skip
_RATINGS = ("rating", "recommendation", "score", "overall", "overall_rating", "final_score")
_BESIDE = (
    "soundness", "originality", "significance", "clarity", "presentation", "contribution", "novelty", "quality",
    "correctness", "excitement",
)  # fmt: skip
_WRAPPING = {"value", "readers"}
_REGISTRIES = ("doi", "arxiv", "openreview", "acl", "s2", "dblp", "openalex")


def fits(record: Mapping[str, object]) -> bool:
    """Whether it is of this layout: a title, and reviews, which may be none."""
    return "title" in record and "reviews" in record


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """One paper."""
    record = _unwrapped(record)
    title = clean_text(record.get("title"))
    if not title:
        raise UnusableRecord("no title")
    told = _venue(record, place)
    key = clean_text(record.get("paper_id") or record.get("key") or record.get("forum") or record.get("id"))[:200]
    yield RawPaper(
        title=title[:2000],
        abstract=clean_text(record.get("abstract")),
        venue=told.venue,
        year=told.year,
        date=_day(record),
        decided=_decided(record)[:200],
        keywords=keywords(record.get("keywords")),
        reviews=[_review(each) for each in _listed(record.get("reviews"))],
        meta_review=_meta(record.get("meta_review") or record.get("metareview")),
        ids=_identifiers(record, key),
        key=key,
    )


def keywords(value: object) -> list[str]:
    """Of a list or of one text divided at semicolons or commas; entries of a list may be such texts themselves."""
    texts = value if isinstance(value, list) else [value]
    parts: list[str] = []
    for text in map(clean_text, texts[:50]):
        divided = text.split(";") if ";" in text or isinstance(value, list) else text.split(",")
        parts += [part.strip()[:100] for part in divided]
    return list(dict.fromkeys(filter(None, parts)))[:20]


def _unwrapped(record: Mapping[str, object]) -> Mapping[str, object]:
    """With values as version 2 of OpenReview's API wraps them taken out, and the answers of a note beside its other
    fields."""
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
    """Reviews as objects, of a list or by some name; one that is a bare text has nothing else."""
    value = list(value.values()) if isinstance(value, Mapping) else value
    found = value[:MOST_REVIEWS] if isinstance(value, list) else []
    texts = [{"text": each} if isinstance(each, str) else each for each in found]
    return [_unwrapped(each) for each in texts if isinstance(each, Mapping)]


def _venue(record: Mapping[str, object], place: Place) -> VenueYear:
    told = venue_year(clean_text(record.get("venue") or record.get("conference")))
    return VenueYear(
        told.venue or place.by_name.venue, clean_year(record.get("year")) or told.year or place.by_name.year
    )


def _day(record: Mapping[str, object]) -> str:
    found = next(filter(None, (clean_date(record.get(name)) for name in ("date", "submitted", "created"))), None)
    return found.isoformat() if found else ""


def _decided(record: Mapping[str, object]) -> str:
    """The words of the decision; our own records keep them beside its kind."""
    if "decided" in record:
        return clean_text(record.get("decided"))
    said = clean_text(record.get("decision")) or clean_text(record.get("status"))
    accepted = next((told for name in ("accepted", "decision") if isinstance(told := record.get(name), bool)), None)
    return said or ("" if accepted is None else "Accept" if accepted else "Reject")


def _meta(value: object) -> str:
    if isinstance(value, Mapping):
        value = value.get("text") or value.get("metareview") or value.get("comment")
    return long_text(value)


def _identifiers(record: Mapping[str, object], key: str) -> dict[str, str]:
    """Its own, those of our records, and OpenReview's where a key such as `iclr2017:B1-Hhnslg` shows one."""
    nested = record.get("ids")
    found: dict[str, object] = dict(nested) if isinstance(nested, Mapping) else {}
    found |= {name: record[name] for name in _REGISTRIES if name in record}
    return {str(name): text for name, value in found.items() if (text := clean_text(value)[:200])} or (
        {"openreview": key.rpartition(":")[2]} if key.partition(":")[0].startswith(("iclr", "neurips")) else {}
    )


def _review(each: Mapping[str, object]) -> RawReview:
    text = next(filter(None, (long_text(each.get(name)) for name in _TEXTS)), "")
    return RawReview(
        text=text or text_with_headings((name, each.get(name)) for name in _PARTS),
        rating=next(filter(None, (_raw(each.get(name)) for name in _RATINGS)), ""),
        confidence=_raw(each.get("confidence")),
        marks=parse_marks(each, _BESIDE) | _own_marks(each),
        reviewer=clean_text(each.get("reviewer"))[:100],
    )


def _raw(value: object) -> str:
    """A mark; one of our own records, which keep the raw form beside the number."""
    return parse_mark(value.get("raw") if isinstance(value, Mapping) else value)


def _own_marks(each: Mapping[str, object]) -> dict[str, str]:
    return {clean_text(mark.get("name"))[:60]: _raw(mark) for mark in json_objects(each.get("marks"), 40)}
