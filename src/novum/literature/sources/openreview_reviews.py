"""What was written about a submission on OpenReview: reviews, meta-reviews and the decision, as raw as they came.

Forms differ from venue to venue and year to year, so that marks and parts keep the names that the form gave them, and
marks keep their wording: `6: marginally above the acceptance threshold`. Comments and authors' answers are left out.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from novum.core import Review, Score, Value
from novum.literature.importing.cleaning import clean_text
from novum.literature.sources.json_responses import nested_object, objects, plain_text
from novum.literature.sources.openreview_notes import Note, bare, field, is_public, kinds, moment, note_id, taken_back
from novum.literature.sources.source import Page

_MOST_REPLIES = 2_000
_MOST_FIELDS = 60
_LONGEST_PART = 200_000
_LONGEST_MARK = 600
_KINDS = {
    "review": {"officialreview", "review"},
    "meta-review": {"metareview", "officialmetareview"},
    "decision": {"decision", "acceptancedecision", "acceptance"},
}
_RATINGS = (
    "final_rating", "rating", "overall_recommendation", "overall_assessment", "recommendation", "overall_rating",
    "overall_score", "overall_evaluation", "review_rating", "final_score", "score",
)  # fmt: skip
_CONFIDENCES = ("confidence", "reviewer_confidence")
_TEXTUAL = re.compile(
    r"summary|strength|weakness|question|limitation|comment|suggestion|justification|concern|"
    r"^(?:title|review|main_review|metareview|decision|pros|cons)$"
)
"""Names of fields whose texts stay texts, whatever they begin with."""
_LONGEST_WORDS = 80
"""Characters of a rating that is told in words alone."""
_MARK = re.compile(
    r"(?P<number>-?\d{1,3}(?:\.\d{1,2})?)"
    r"(?:\s*$|\s*[:=]\s*(?P<meaning>[^\n]*)$|\s*(?:/|out of)\s*\d{1,3}\s*$|\s+(?P<word>[^\n.]{1,40})$)"
)


class ReviewScore(Value):
    """One answer on a scale."""

    name: str
    """As the form calls it: `rating`, `confidence`, `soundness`."""
    raw: str
    """As it was given: `6: marginally above the acceptance threshold`, `3 good`, `4`."""

    @property
    def number(self) -> float | None:
        """The number that it begins with."""
        match = _MARK.match(self.raw)
        return float(match["number"]) if match else None

    @property
    def meaning(self) -> str:
        """The meaning of that number on the scale; empty when the form gives numbers alone."""
        match = _MARK.match(self.raw)
        return (match["meaning"] or match["word"] or "") if match else ""


class ReviewSection(Value):
    """One text of a form, with its line breaks."""

    name: str
    """As the form calls it: `summary`, `strengths`, `weaknesses`, `questions`."""
    text: str


class SubmissionReport(Value):
    """What one reviewer, area chair or programme chair wrote."""

    id: str
    by: str
    """The last part of the signature: `Reviewer_x7Qp`."""
    written: dt.datetime | None = None
    revised: dt.datetime | None = None
    """When it was last changed; scores and texts are those of that moment."""
    marks: tuple[ReviewScore, ...] = ()
    parts: tuple[ReviewSection, ...] = ()

    def mark(self, *names: str) -> ReviewScore | None:
        """The first of these that was given."""
        return next((mark for name in names for mark in self.marks if mark.name == name), None)

    def part(self, *names: str) -> str:
        """The first of these texts; empty when there is none."""
        return next((part.text for name in names for part in self.parts if part.name == name), "")

    @property
    def rating(self) -> ReviewScore | None:
        """The overall judgement, whatever the form calls it."""
        return self.mark(*_RATINGS)

    @property
    def confidence(self) -> ReviewScore | None:
        """How sure the reviewer is."""
        return self.mark(*_CONFIDENCES)


class SubmissionReviews(Value):
    """A submission and its reviews."""

    forum: str
    """OpenReview's id of the submission, as in `Paper.ids.openreview`."""
    title: str
    venue: str = ""
    """In the venue's words: `ICLR 2024 poster`, `Submitted to ICLR 2024`."""
    venueid: str = ""
    """The group that it ended in: `ICLR.cc/2024/Conference/Rejected_Submission`."""
    abstract: str = ""
    taken_back: str = ""
    """`withdrawn`, `rejected without review` or `deleted`; a withdrawn submission can have reviews."""
    created: dt.datetime | None = None
    online: dt.datetime | None = None
    reviews: tuple[SubmissionReport, ...] = ()
    meta_reviews: tuple[SubmissionReport, ...] = ()
    decisions: tuple[SubmissionReport, ...] = ()
    """More than one where a decision was revised in a new note; oldest first."""

    @property
    def decision(self) -> str:
        """The last decision in its own words, `Accept (poster)`; empty when none is public."""
        texts = [report.part("decision", "recommendation") for report in (*self.meta_reviews, *self.decisions)]
        return next((text for text in reversed(texts) if text), "")

    @property
    def accepted(self) -> bool | None:
        """What the decision or, without one, the group says; None when neither does, as for an invitation to a
        workshop."""
        decision = self.decision.lower()
        if decision.startswith(("accept", "reject", "desk reject")):
            return decision.startswith("accept")
        return False if "reject" in self.venueid.rpartition("/")[2].lower() else None


@dataclass(frozen=True)
class ReviewedPage(Page):
    """Submissions with what was written about them. Withdrawn submissions have reviews too, but are no entries."""

    reviews: tuple[SubmissionReviews, ...] = ()


def submission_reviews(note: Note) -> SubmissionReviews:
    """Of a submission asked for with `details=replies` or `directReplies`; replies that are not public are passed
    over."""
    details = nested_object(note, "details")
    replies = list(objects(details.get("replies") or details.get("directReplies")))[:_MOST_REPLIES]
    public = [reply for reply in replies if is_public(reply) and not reply.get("ddate")]
    return SubmissionReviews(
        forum=note_id(note),
        title=clean_text(field(note, "title"))[:1000],
        venue=clean_text(field(note, "venue"))[:300],
        venueid=clean_text(field(note, "venueid"))[:300],
        abstract=plain_text(field(note, "abstract")),
        taken_back=taken_back(note),
        created=moment(note, "cdate", "tcdate"),
        online=moment(note, "odate", "pdate"),
        reviews=_reports(public, "review"),
        meta_reviews=_reports(public, "meta-review"),
        decisions=_reports(public, "decision"),
    )


def as_review(report: SubmissionReport, subject_id: str) -> Review:
    """A reviewer's report on the paper `subject_id` in the form that judges' reports have. The marks are scores under
    their own names, on the scale of their form."""
    return Review(
        subject_id=subject_id,
        reviewer=report.by or report.id,
        strengths=tuple(filter(None, [report.part("strengths", "pros", "strengths_and_weaknesses", "review")])),
        weaknesses=tuple(filter(None, [report.part("weaknesses", "cons")])),
        suggestions=tuple(filter(None, [report.part("questions", "questions_for_authors", "suggestions")])),
        scores=tuple(
            Score(subject_id=subject_id, metric=mark.name, value=mark.number, reason=mark.meaning, judge=report.by)
            for mark in report.marks
        ),
    )


def _reports(replies: Sequence[Note], kind: str) -> tuple[SubmissionReport, ...]:
    """Oldest first, undated ones last."""
    rated = kind == "review"
    found = [_report(reply, rated=rated) for reply in replies if kinds(reply) & _KINDS[kind]]
    never = dt.datetime.max.replace(tzinfo=dt.UTC)
    return tuple(sorted(found, key=lambda report: (report.written or never, report.id)))


def _report(reply: Note, *, rated: bool) -> SubmissionReport:
    """`rated`: whether a rating in words is one; a chair's recommendation in words is the decision."""
    answers = list(_answers(reply))
    signatures = reply.get("signatures")
    signature = clean_text(signatures[0]) if isinstance(signatures, list) and signatures else ""
    return SubmissionReport(
        id=note_id(reply),
        by=signature.rpartition("/")[2][:100],
        written=moment(reply, "cdate", "tcdate"),
        revised=moment(reply, "mdate", "tmdate"),
        marks=tuple(ReviewScore(name=name, raw=text) for name, text in answers if _is_mark(name, text, rated=rated)),
        parts=tuple(
            ReviewSection(name=name, text=text) for name, text in answers if not _is_mark(name, text, rated=rated)
        ),
    )


def _answers(reply: Note) -> Iterator[tuple[str, str]]:
    """The form's fields and what was filled in, both as text."""
    content = nested_object(reply, "content")
    for name, value in list(content.items())[:_MOST_FIELDS]:
        text = _plain_text(bare(value))
        if text and not str(name).startswith("_"):
            yield clean_text(str(name))[:100].lower().replace(" ", "_"), text


def _is_mark(name: str, text: str, *, rated: bool) -> bool:
    if name in _RATINGS and rated and "\n" not in text and len(text) <= _LONGEST_WORDS:
        return True
    return not _TEXTUAL.search(name) and len(text) <= _LONGEST_MARK and _MARK.match(text) is not None


def _plain_text(value: object) -> str:
    """Text with its line breaks; a number as text; of a list its texts, a line each."""
    if isinstance(value, list):
        return "\n".join(filter(None, (_plain_text(member) for member in value[:100] if not isinstance(member, list))))
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return _CONTROL.sub("", str(value)).strip()[:_LONGEST_PART]


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
