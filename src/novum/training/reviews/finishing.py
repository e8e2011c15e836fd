"""Convert a raw paper to a record: ratings on one scale from 0 to 1, and the decision as one of a few words."""

from __future__ import annotations

import datetime as dt

from pydantic import ValidationError

from novum.core import Identifiers
from novum.core.peer_review import PeerMark, PeerReview, ReviewedPaper
from novum.literature.importing.cleaning import clean_identifiers
from novum.training.reviews.decisions import parse_decision
from novum.training.reviews.ratings import number_of_mark
from novum.training.reviews.raw import RawPaper, RawReview
from novum.training.reviews.scales import ObservedScales, Scale, to_unit_scale


def to_reviewed_paper(raw: RawPaper, observed: ObservedScales) -> ReviewedPaper:
    """The record of a raw paper. `observed` holds all ratings of the sources, to infer unknown scales."""
    scale = observed.scale(raw.venue, raw.year)
    return ReviewedPaper(
        title=raw.title,
        abstract=raw.abstract,
        venue=raw.venue,
        year=raw.year,
        date=dt.date.fromisoformat(raw.date) if raw.date else None,
        decision=parse_decision(raw.decided),
        decided=raw.decided,
        keywords=tuple(raw.keywords),
        reviews=tuple(_review(each, scale) for each in raw.reviews),
        meta_review=raw.meta_review,
        ids=_identifiers(raw),
        key=raw.key,
        source=raw.source,
    )


def _identifiers(raw: RawPaper) -> Identifiers:
    try:
        return clean_identifiers(dict(raw.ids))
    except ValidationError:  # not a valid identifier
        return Identifiers()


def _review(raw: RawReview, scale: Scale | None) -> PeerReview:
    return PeerReview(
        text=raw.text,
        reviewer=raw.reviewer,
        rating=to_unit_scale(raw.rating, scale),
        confidence=_mark("confidence", raw.confidence) if raw.confidence else None,
        marks=tuple(_mark(name, value) for name, value in raw.marks.items()),
        unfit=raw.unfit,
    )


def _mark(name: str, raw: str) -> PeerMark:
    return PeerMark(name=name, raw=raw, value=number_of_mark(raw))
