"""OpenReview: notes as version 2 of its API gives them, or pages of notes, the replies inside or beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from novum.core import Paper
from novum.literature.importing.cleaning import clean_text
from novum.literature.importing.record import UnusableRecord
from novum.literature.sources.json_responses import nested_object
from novum.literature.sources.openreview import submission_paper
from novum.literature.sources.openreview_notes import Note, is_public
from novum.literature.sources.openreview_reviews import SubmissionReport, SubmissionReviews, submission_reviews
from novum.training.reviews.raw import MOST_REVIEWS, RawPaper, RawReview
from novum.training.reviews.readers.place import Place, VenueYear, venue_year

_META = ("metareview", "recommendation", "comment")
_NO_REVIEW = ("title",)
"""A reviewer's headline; the text has parts of its own."""
_WORKSHOP = re.compile("workshop", re.IGNORECASE)


def fits(record: Mapping[str, object]) -> bool:
    """Whether it is a note, or a page of them."""
    return isinstance(record.get("notes"), list) or (
        isinstance(record.get("content"), Mapping) and isinstance(record.get("id"), str) and "title" not in record
    )


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """The submissions of a page, or the one that the record is."""
    notes = record.get("notes")
    if not isinstance(notes, list):
        yield _of_note(record)
        return
    usable = [note for note in notes if isinstance(note, Mapping)]
    heads = [note for note in usable if not _is_reply(note)]
    if not heads:
        raise UnusableRecord("no submission among its notes")
    for note in heads:
        yield _of_note(_with_replies(note, usable))


def _is_reply(note: Note) -> bool:
    return bool(note.get("replyto")) or note.get("forum", note.get("id")) != note.get("id")


def _with_replies(note: Note, notes: Sequence[Note]) -> Note:
    """A submission with the replies that stand beside it in its page, where it does not hold them itself."""
    details = nested_object(note, "details")
    if details.get("replies") or details.get("directReplies"):
        return note
    own = [each for each in notes if each.get("forum") == note.get("id") and _is_reply(each)]
    return {**note, "details": {"replies": own}} if own else note


def _of_note(note: Note) -> RawPaper:
    if _is_reply(note):
        raise UnusableRecord("a reply without its submission")
    if not is_public(note):
        raise UnusableRecord("not public")
    return of_submission(submission_reviews(note), submission_paper(note))


def of_submission(found: SubmissionReviews, paper: Paper | None) -> RawPaper:
    """What the source of literature read of a submission, as a raw paper. `paper`: None for one that was taken back.
    Raises Unusable."""
    if not found.title:
        raise UnusableRecord("no title")
    if found.taken_back == "deleted":
        raise UnusableRecord("deleted")
    told, listed = _venue(found), venue_year(paper.venue if paper else "")
    known = paper.ids.model_dump(exclude_none=True) if paper else {}
    day = found.created or found.online
    last = (found.meta_reviews or found.decisions)[-1:]
    return RawPaper(
        title=found.title,
        abstract=found.abstract,
        venue=told.venue or listed.venue,
        year=told.year or (paper.year if paper else None),
        date=day.date().isoformat() if day else "",
        decided=_decided(found),
        keywords=list(paper.fields) if paper else [],
        reviews=[_review(each) for each in found.reviews[:MOST_REVIEWS]],
        meta_review=last[0].part(*_META) if last else "",
        ids={**{name: str(value) for name, value in known.items()}, "openreview": found.forum},
        key=f"openreview:{found.forum}",
    )


def _venue(found: SubmissionReviews) -> VenueYear:
    by_group, by_words = venue_year(found.venueid), venue_year(clean_text(found.venue))
    named = by_group if found.venueid else by_words
    return VenueYear(named.venue, by_group.year or by_words.year)


def _decided(found: SubmissionReviews) -> str:
    """Whether it was taken back, else the chairs' words, else those of the venue. Of a workshop's own papers nobody was
    invited there instead."""
    said = found.decision or ("Accept" if found.accepted else "Reject" if found.accepted is False else "")
    words = _WORKSHOP.sub("", found.venue) if "workshop" in found.venueid.lower() else found.venue
    return (found.taken_back or said or words)[:200]


def _review(report: SubmissionReport) -> RawReview:
    rating, confidence = report.rating, report.confidence
    named = [mark for mark in (rating, confidence) if mark]
    parts = [part for part in report.parts if part.name not in _NO_REVIEW] or list(report.parts)
    single = len(parts) == 1
    return RawReview(
        text=parts[0].text if single else "\n\n".join(f"{_heading(part.name)}:\n{part.text}" for part in parts),
        rating=rating.raw if rating else "",
        confidence=confidence.raw if confidence else "",
        marks={mark.name: mark.raw[:300] for mark in report.marks if mark not in named},
        reviewer=report.by,
    )


def _heading(name: str) -> str:
    return name.replace("_", " ").capitalize()
