"""Read OpenReview: notes of version 2 of its API, or pages of notes with their replies, nested or separate."""

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
"""The title of a review is not part of its text."""
_WORKSHOP = re.compile("workshop", re.IGNORECASE)


def fits(record: Mapping[str, object]) -> bool:
    """Whether the record is a note or a page of notes."""
    return isinstance(record.get("notes"), list) or (
        isinstance(record.get("content"), Mapping) and isinstance(record.get("id"), str) and "title" not in record
    )


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """Yield the submissions of a page, or the one that the record is. Raises UnusableRecord if there is none."""
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
    """A submission with its replies from the same page, unless it contains them itself."""
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


def of_submission(submission: SubmissionReviews, paper: Paper | None) -> RawPaper:
    """Convert a submission of the literature source to a raw paper. `paper`: None if it was withdrawn.

    Raises UnusableRecord without a title and for deleted submissions.
    """
    if not submission.title:
        raise UnusableRecord("no title")
    if submission.taken_back == "deleted":
        raise UnusableRecord("deleted")
    venue, listed = _venue(submission), venue_year(paper.venue if paper else "")
    known = paper.ids.model_dump(exclude_none=True) if paper else {}
    day = submission.created or submission.online
    last = (submission.meta_reviews or submission.decisions)[-1:]
    return RawPaper(
        title=submission.title,
        abstract=submission.abstract,
        venue=venue.venue or listed.venue,
        year=venue.year or (paper.year if paper else None),
        date=day.date().isoformat() if day else "",
        decided=_decided(submission),
        keywords=list(paper.fields) if paper else [],
        reviews=[_review(each) for each in submission.reviews[:MOST_REVIEWS]],
        meta_review=last[0].part(*_META) if last else "",
        ids={**{name: str(value) for name, value in known.items()}, "openreview": submission.forum},
        key=f"openreview:{submission.forum}",
    )


def _venue(submission: SubmissionReviews) -> VenueYear:
    by_group, by_words = venue_year(submission.venueid), venue_year(clean_text(submission.venue))
    named = by_group if submission.venueid else by_words
    return VenueYear(named.venue, by_group.year or by_words.year)


def _decided(submission: SubmissionReviews) -> str:
    """The withdrawal, else the decision of the chairs, else the words of the venue.

    For papers of a workshop the word "workshop" is removed, because elsewhere it means an invitation there.
    """
    decision = submission.decision or (
        "Accept" if submission.accepted else "Reject" if submission.accepted is False else ""
    )
    words = _WORKSHOP.sub("", submission.venue) if "workshop" in submission.venueid.lower() else submission.venue
    return (submission.taken_back or decision or words)[:200]


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
