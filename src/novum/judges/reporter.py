"""A reviewer that writes prose: a reviewer model, trained on the reports of real venues (SPARK, "JUDGE").

Source: the model reads title and abstract, and writes a review with an overall rating; several are drawn for an idea.
It was trained for nothing else, so that it gets the very prompt of its training, takes no stance, and fills in
no form. What its report says for and against the idea is read from the headings and lists that review forms share. It
gives criticisms no weight, and none is made up for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from novum.core import Idea, shorten
from novum.core.rating_line import all_ratings, last_rating, without_ratings
from novum.core.reviewing import READ_OF_ABSTRACT, Criticism, ReviewerReport, mark_from_rating, quotation_status
from novum.errors import NoUsableAnswer
from novum.judges.loops import repeated_share, without_repetition
from novum.judges.reviewer import MOST_CRITICISMS
from novum.judges.written_report import ReviewParts, review_parts
from novum.llm import ModelName, Question
from novum.prompts.untrusted import clean

LONGEST = 20_000
"""Characters of a report that are read: real ones have 3,000 on average, and one in ten thousand more than this."""
_END = 500
"""Of a longer one, so much of its end is read too: a rating may stand there."""
_SUMMARY, _STRENGTH, _POINT = 1_500, 600, 1_000
"""Characters kept of each; the report's text has all of it."""
_MOST_STRENGTHS = 8
_MUCH = 0.25
"""The share of repeated phrases from which a note is added."""
_ABSTRACT_WORDS = 60
"""A summary of fewer words is no abstract: then the whole idea stands in for it."""
_OPENING = re.compile(r"\A(?:\s*<\|[^|>\n]{0,40}\|>(?:\s*assistant\b:?)?)+", re.IGNORECASE)
_OVER = re.compile(r"<\|(?:im_end|endoftext|end_of_text|eot_id)\|>|</s>|<end_of_turn>", re.IGNORECASE)
"""The mark by which a model ends what it says. Whatever comes behind it is no part of the report."""
_OFF_SCALE = re.compile(
    r"^[ \t#*]{0,9}(?:overall )?(?:rating|score)[ \t*]{0,9}[:=][ \t*]{0,9}(?P<told>-?\d[^\n]{0,30})", re.I | re.M
)
_PRAISE = 0.5
"""From here a rating speaks for a submission."""
_CLAIM = re.compile(
    r"\b(?:ratings?\b[^\w\n]{0,9}\n[^\w.]{0,9}[\d.]{1,6}|ratings?\b[^\n]{0,60}"
    r"|(?:rated?|deserves?|merits)\b[^\n]{0,30}|(?:score|overall)\b[^\w\n]{0,9}[\d.]{1,6})",
    re.I,
)
"""Where a text may give a rating to itself."""
_CLAIMED = re.compile(
    r"(?<![\d.])(?P<number>\d{0,3}\.?\d{1,4})(?!\d)(?:\s?(?P<percent>%)|\s?(?:/|(?:out )?of)\s?(?P<scale>\d{1,3}))?"
)
_QUOTED = re.compile(r"[“«\"](?P<quote>[^“”«»\"\n]{15,400})[”»\"]")


@dataclass(frozen=True)
class ReviewSubject:
    """What is reported on: `id` is that of the idea or paper."""

    id: str
    title: str
    abstract: str

    @classmethod
    def of(cls, idea: Idea) -> ReviewSubject:
        """The summary is its abstract; one too short for that is led by the idea's other parts."""
        if len(idea.summary.split()) >= _ABSTRACT_WORDS:
            return cls(idea.id, idea.title, idea.summary)
        parts = (idea.motivation, idea.novelty, idea.method, idea.summary)
        return cls(idea.id, idea.title, "\n\n".join(part.strip() for part in parts if part.strip()))


def write_free_review(
    submission: ReviewSubject, model: ModelName, number: int = 1, sample: int = 0, *, whole: bool = False
) -> Generator[Question[str], Any, ReviewerReport]:
    """The report of reviewer `number`. `sample` tells several reports of one model apart; each is drawn at the run's
    temperature. `whole`: as on a finished paper, with its results; else as on an idea. An answer that cannot be used
    makes a report that says nothing."""
    prompt = "judge_original_review" if whole else "judge_idea_review"
    needs = {"title": submission.title, "abstract": submission.abstract}
    answer = yield Question(prompt, needs, str, role=model, sample=sample)
    if isinstance(answer, NoUsableAnswer):
        return ReviewerReport(
            idea_id=submission.id, number=number, referee=model.short, stance="", failure=str(answer) or "no answer"
        )
    return parse_free_review(answer, submission, model, number)


def parse_free_review(answer: str, submission: ReviewSubject, model: ModelName, number: int = 1) -> ReviewerReport:
    """The report in a model's words, whatever they are."""
    report = _without_claimed_ratings(clean(_own_turn(_within_bounds(answer))), submission)
    rating, text = last_rating(report), without_ratings(report)
    if rating is None and not any(map(str.isalnum, text)):
        failure = "The model wrote no readable text."
        return ReviewerReport(idea_id=submission.id, number=number, referee=model.short, stance="", failure=failure)
    once = without_repetition(text)
    parts = review_parts(once)
    return ReviewerReport(
        idea_id=submission.id,
        number=number,
        referee=model.short,
        stance="",
        summary=shorten(parts.summary, _SUMMARY),
        strengths=tuple(shorten(each, _STRENGTH) for each in parts.strengths[:_MOST_STRENGTHS]),
        criticisms=tuple(_criticisms(parts, submission, number)),
        marks={} if rating is None else {"overall": int(mark_from_rating(rating) + 0.5)},
        rating=rating,
        text=once,
        notes=tuple(_notes(answer, report, once, parts, submission)),
    )


def _without_claimed_ratings(report: str, submission: ReviewSubject) -> str:
    """The report without rating lines whose number the submission gives itself, as praise: they may be quotations. A
    low number counts, else a submission that lists low numbers could get none of them."""
    claimed = set(_claimed_ratings(f"{submission.title}\n{submission.abstract}"))
    return report if not claimed else "\n".join(line for line in report.split("\n") if last_rating(line) not in claimed)


def _claimed_ratings(text: str) -> Iterator[float]:
    """The numbers from 0.5 to 1 that a text gives as a rating, also in per cent or on another scale."""
    for claim in _CLAIM.finditer(unicodedata.normalize("NFKC", clean(text))):  # as the reviewer reads it
        for found in _CLAIMED.finditer(claim[0]):
            number, scale = float(found["number"]), float(found["scale"] or 0)
            scale = 100.0 if found["percent"] else scale or (1.0 if number <= 1 else 10.0 if number <= 10 else 100.0)
            if _PRAISE <= (rating := round(number / scale, 4)) <= 1:
                yield rating


def _within_bounds(answer: str) -> str:
    if len(answer) <= LONGEST:
        return answer
    return f"{answer[:LONGEST]}\n…\n{answer[-_END:]}"


def _own_turn(answer: str) -> str:
    """What stands between the marks of a turn, where a server lets them through."""
    turn = _OVER.split(_OPENING.sub("", answer), 1)[0]
    return turn if turn.strip() else answer


def _criticisms(parts: ReviewParts, submission: ReviewSubject, number: int) -> Iterator[Criticism]:
    about = f"{submission.title}\n{submission.abstract}"
    for place, point in enumerate(parts.against[:MOST_CRITICISMS], 1):
        quote = next(
            (each for match in _QUOTED.finditer(point) if quotation_status(each := match["quote"], about) == "quoted"),
            "",
        )
        yield Criticism(
            label=f"R{number}.{place}",
            point=shorten(point, _POINT),
            quote=quote,
            footing="quoted" if quote else "none",
        )


def _notes(answer: str, report: str, once: str, parts: ReviewParts, submission: ReviewSubject) -> Iterator[str]:
    if (length := len(submission.abstract)) > READ_OF_ABSTRACT:
        yield f"The model read only the first {READ_OF_ABSTRACT:,} of {length:,} characters."
    if len(answer) > LONGEST:
        yield f"It has {len(answer):,} characters, of which the first {LONGEST:,} are read."
    yield from _notes_on_rating(report)
    if len(once) < len(without_ratings(report)):
        yield "It contains repeated text, which is counted once."
    if (share := repeated_share(once)) > _MUCH:
        yield f"It repeats itself: {share:.0%} of its phrases are repetitions."
    if not any(map(str.isalnum, once)):
        yield "It contains nothing except its rating."
    elif parts.undivided:
        yield "It does not always separate strengths from weaknesses."
    if (more := len(parts.against) - MOST_CRITICISMS) > 0:
        yield f"Only the first {MOST_CRITICISMS} of its criticisms have a label; {more} more are in its text."


def _notes_on_rating(report: str) -> Iterator[str]:
    if (rating := last_rating(report)) is None:
        stated = _OFF_SCALE.search(report)
        beside = f"; “{stated['told'].strip()}” is not on that scale" if stated else ""
        yield f"It gives no rating from 0.00 to 1.00{beside}."
    elif len(different := dict.fromkeys(all_ratings(report))) > 1:
        yield f"It gives {len(different)} different ratings, of which the last, {rating:.2f}, counts."
