"""Select usable papers and reviews, and count the others by reason."""

from __future__ import annotations

from collections import Counter

from novum.training.reviews.decisions import parse_decision
from novum.training.reviews.languages import other_language
from novum.training.reviews.ratings import parse_rating
from novum.training.reviews.raw import RawPaper, RawReview
from novum.training.reviews.settings import JudgeDataSettings

PAPERS, REVIEWS, NOTES = "papers", "reviews", "notes"
"""Kinds of counts: papers and reviews that are left out, and notes on used ones."""
LONGEST_ABSTRACT = 6_000
"""Largest number of characters of an abstract. Hardly any has half of that."""

Tally = Counter[tuple[str, str]]
"""Counts by kind and reason."""


class Screen:
    """Checks raw papers one by one."""

    def __init__(self, settings: JudgeDataSettings, tally: Tally) -> None:
        self._settings = settings
        self._tally = tally

    def passes(self, paper: RawPaper) -> bool:
        """Whether the paper can be used. Unusable reviews are removed from it."""
        reason = self._unusable(paper)
        if reason:
            self._tally[PAPERS, reason] += 1
            self._tally[REVIEWS, "of a paper that was left out"] += len(paper.reviews)
            return False
        self._tally[REVIEWS, "comments and answers, no reviews"] += paper.other_replies
        paper.reviews = [each for each in self._without_copies(paper.reviews) if self._has_content(each)]
        for review in paper.reviews:
            review.unfit = self._unfit(review.text)
        if not paper.reviews:
            self._tally[PAPERS, "no usable review"] += 1
        return bool(paper.reviews)

    def _unusable(self, paper: RawPaper) -> str:
        decision = parse_decision(paper.decided)
        if decision == "desk-rejected":
            return "rejected without review"
        if decision == "withdrawn" and not self._settings.withdrawn:
            return "withdrawn"
        if not paper.reviews:
            return "withdrawn before it was reviewed" if decision == "withdrawn" else "no review"
        words = len(paper.abstract.split())
        if words < self._settings.least_abstract:
            return f"an abstract of fewer than {self._settings.least_abstract} words" if words else "no abstract"
        if len(paper.abstract) > LONGEST_ABSTRACT:
            return f"an abstract of over {LONGEST_ABSTRACT:,} characters"
        if language := other_language(paper.abstract):
            return f"an abstract in another language: {language}"
        return ""

    def _without_copies(self, reviews: list[RawReview]) -> list[RawReview]:
        """Of equal texts of one paper, keep the one with a rating, else the first. Reviews without text are all kept,
        because two reviewers may give the same marks."""
        unique: dict[str, RawReview] = {}
        for number, review in enumerate(reviews):
            key = " ".join(review.text.lower().split()) or f"\0{number}"
            if key in unique:
                self._tally[REVIEWS, "the same text again under one paper"] += 1
                if unique[key].rating or not review.rating:
                    continue
            unique[key] = review
        return list(unique.values())

    def _has_content(self, review: RawReview) -> bool:
        if review.text or parse_rating(review.rating).form in {"number", "words"}:
            return True
        self._tally[REVIEWS, "neither a text nor a rating"] += 1
        return False

    def _unfit(self, text: str) -> str:
        words = len(text.split())
        if not words:
            return "no text"
        if language := other_language(text):
            return f"in another language: {language}"
        if words < self._settings.least_words:
            return "a single word" if words == 1 else f"fewer than {self._settings.least_words} words"
        return ""


def count_oddities(paper: RawPaper, tally: Tally) -> None:
    """Count remarkable properties of the reviews of a used paper."""
    for review in paper.reviews:
        if review.unfit:
            tally[NOTES, f"text not learnt from: {review.unfit}"] += 1
        form = parse_rating(review.rating).form
        if form == "nothing":
            tally[NOTES, "no rating"] += 1
        elif form == "unreadable":
            tally[NOTES, "a rating that cannot be read"] += 1
