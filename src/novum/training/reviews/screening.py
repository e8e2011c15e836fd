"""Which papers and reviews can be learnt from, and of all others why not: told, and counted."""

from __future__ import annotations

from collections import Counter

from novum.training.reviews.decisions import parse_decision
from novum.training.reviews.languages import other_language
from novum.training.reviews.ratings import parse_rating
from novum.training.reviews.raw import RawPaper, RawReview
from novum.training.reviews.settings import JudgeDataSettings

PAPERS, REVIEWS, NOTES = "papers", "reviews", "notes"
"""What is left out, and what is only remarked on."""
LONGEST_ABSTRACT = 6_000
"""Characters of an abstract that can be shown whole; hardly any has half of that."""

Tally = Counter[tuple[str, str]]
"""How often: what, and why."""


class Screen:
    """Looks at raw papers one by one."""

    def __init__(self, settings: JudgeDataSettings, tally: Tally) -> None:
        self._settings = settings
        self._tally = tally

    def passes(self, paper: RawPaper) -> bool:
        """Whether it can be used; its reviews are sorted out on the way."""
        reason = self._unusable(paper)
        if reason:
            self._tally[PAPERS, reason] += 1
            self._tally[REVIEWS, "of a paper that was left out"] += len(paper.reviews)
            return False
        self._tally[REVIEWS, "comments and answers, no reviews"] += paper.put_by
        paper.reviews = [each for each in self._without_copies(paper.reviews) if self._says_anything(each)]
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
        """Of equal texts under one paper the one with a rating, else the first. Without texts nothing can be told: two
        reviewers may well give the same marks."""
        kept: dict[str, RawReview] = {}
        for number, review in enumerate(reviews):
            key = " ".join(review.text.lower().split()) or f"\0{number}"
            if key in kept:
                self._tally[REVIEWS, "the same text again under one paper"] += 1
                if kept[key].rating or not review.rating:
                    continue
            kept[key] = review
        return list(kept.values())

    def _says_anything(self, review: RawReview) -> bool:
        if review.text or parse_rating(review.rating).told in {"number", "words"}:
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
    """Counts what is odd about the reviews of a paper that is used."""
    for review in paper.reviews:
        if review.unfit:
            tally[NOTES, f"text not learnt from: {review.unfit}"] += 1
        told = parse_rating(review.rating).told
        if told == "nothing":
            tally[NOTES, "no rating"] += 1
        elif told == "unreadable":
            tally[NOTES, "a rating that cannot be read"] += 1
