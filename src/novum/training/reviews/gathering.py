"""Raw papers of all sources brought together: each paper once, at whichever venue it is best reviewed."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from novum.core import normal_title
from novum.literature.entry import REGISTRIES, Reject, clean_identifier
from novum.training.reviews.decisions import parse_decision
from novum.training.reviews.object_file import ObjectFile
from novum.training.reviews.raw import RawPaper, RawReview
from novum.training.reviews.readers.reading import ReadResult
from novum.training.reviews.resubmissions import alike, bands_of, maybe_alike
from novum.training.reviews.scales import ObservedScales
from novum.training.reviews.screening import NOTES, PAPERS, REVIEWS, Screen, Tally
from novum.training.reviews.settings import JudgeDataSettings

_TITLE_WORDS = 3
"""From which a title alone tells a paper."""
_SAME_FROM = 30
"""Words from which two equal texts are one text handed in twice, not two people saying the same little."""
_MOST_SHOWN = 200
"""Rejects kept in full; the others are counted."""


@dataclass(slots=True)
class StoredPaper:
    """What is remembered of a paper that waits in the spool."""

    place: int
    keys: tuple[int, ...]
    worth: tuple[int, int, bool]
    """Texts to learn from, ratings, whether a decision is known: what one record of a paper is preferred for."""
    year: int | None
    date: dt.date | None
    reviews: int
    order: int
    """A hash of its title."""
    bands: bytes
    """By which an abstract little changed is found."""
    texts: tuple[int, ...]
    """Hashes of the texts of its reviews; 0 for those too short to tell a copy."""
    copies: tuple[int, ...] = ()
    """Reviews whose text stands under another paper that is kept."""


@dataclass
class CollectedPapers:
    """The papers that came through, in no order, and what happened to the others."""

    papers: list[StoredPaper] = field(default_factory=list)
    observed: ObservedScales = field(default_factory=ObservedScales)
    tally: Tally = field(default_factory=Counter)
    rejects: list[Reject] = field(default_factory=list)
    sources: Counter[str] = field(default_factory=Counter)
    """Records by layout."""
    records: int = 0
    reviews: int = 0
    """All that were read, usable or not."""


class PaperCollector:
    """Takes what readers give, one after the other."""

    def __init__(self, settings: JudgeDataSettings, spool: ObjectFile) -> None:
        self.found = CollectedPapers()
        self._screen = Screen(settings, self.found.tally)
        self._spool = spool

    def take(self, reads: Iterable[ReadResult]) -> None:
        """Raises OSError when the spool's disk is full."""
        for read in reads:
            if isinstance(read, Reject):
                self._refuse(read)
            else:
                self._add(read)

    def _refuse(self, reject: Reject) -> None:
        self.found.tally[PAPERS, "a record that cannot be used"] += 1
        if len(self.found.rejects) < _MOST_SHOWN:
            self.found.rejects.append(reject)

    def _add(self, paper: RawPaper) -> None:
        found = self.found
        found.records += 1
        found.reviews += len(paper.reviews)
        found.sources[paper.source] += 1
        for review in paper.reviews:
            found.observed.see(paper.venue, paper.year, review.rating)
        if self._screen.passes(paper):
            found.papers.append(_held(paper, self._spool.put(paper)))


def _held(paper: RawPaper, place: int) -> StoredPaper:
    texts = sum(not review.unfit for review in paper.reviews)
    ratings = sum(bool(review.rating) for review in paper.reviews)
    decided = parse_decision(paper.decided) != "unknown"
    title, abstract = normal_title(paper.title), normal_title(paper.abstract)
    return StoredPaper(
        place=place,
        keys=tuple(map(_mark, _names(paper, title, abstract))),
        worth=(texts, ratings, decided),
        year=paper.year,
        date=dt.date.fromisoformat(paper.date) if paper.date else None,
        reviews=len(paper.reviews),
        order=_mark(title or paper.abstract),
        bands=bands_of(abstract),
        texts=tuple(_text_mark(review) for review in paper.reviews),
    )


def _text_mark(review: RawReview) -> int:
    words = review.text.lower().split()
    return 0 if review.unfit or len(words) < _SAME_FROM else _mark(" ".join(words))


def _names(paper: RawPaper, title: str, abstract: str) -> list[str]:
    """All by which the same paper may be known: identifiers, its title, its abstract."""
    names = [
        f"{scheme}:{clean_identifier(scheme, value)}"
        for scheme, value in paper.ids.items()
        if scheme in REGISTRIES and value
    ]
    if abstract:
        names.append(f"abstract:{abstract}")
    if title:
        names.append(f"title:{title}" if len(title.split()) >= _TITLE_WORDS else f"title:{title} {abstract[:60]}")
    return names


def _mark(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest())


def without_duplicates(found: CollectedPapers, papers: ObjectFile) -> list[StoredPaper]:
    """One record of every paper: the one with the most texts, then ratings, a decision, the earlier year. What is known
    by any common name, also over a third record, is the same paper; so is what has nearly the same abstract."""
    groups = _groups(found.papers, papers)
    kept = [max(group, key=lambda each: (*each.worth, -(each.year or 9999), -each.place)) for group in groups]
    again = len(found.papers) - len(kept)
    if again:
        found.tally[PAPERS, "the same paper again, from another source or venue"] += again
        lost = sum(each.reviews for each in found.papers) - sum(each.reviews for each in kept)
        found.tally[REVIEWS, "of such a paper"] += lost
    return _copies_told(sorted(kept, key=lambda each: (each.order, each.place)))


def _copies_told(papers: list[StoredPaper]) -> list[StoredPaper]:
    """A text under several papers is learnt from under the first. Told only now: the same review of the same paper in
    two sources is no copy."""
    seen: set[int] = set()
    for paper in papers:
        paper.copies = tuple(number for number, mark in enumerate(paper.texts) if mark in seen)
        seen.update(mark for mark in paper.texts if mark)
    return papers


def load_paper(held: StoredPaper, papers: ObjectFile) -> RawPaper:
    """A paper from the spool, with what is only known once all are there."""
    paper = papers.paper(held.place)
    for number in held.copies:
        paper.reviews[number].unfit = "the same text under another paper"
    return paper


def _groups(papers: Sequence[StoredPaper], spool: ObjectFile) -> list[list[StoredPaper]]:
    leader = list(range(len(papers)))

    def lead(number: int) -> int:
        while leader[number] != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    def abstract(number: int) -> str:
        return normal_title(spool.paper(papers[number].place).abstract)

    first: dict[int, int] = {}
    for number, paper in enumerate(papers):
        for key in paper.keys:
            leader[lead(number)] = lead(first.setdefault(key, number))
    for one, other in maybe_alike([paper.bands for paper in papers]):
        if lead(one) != lead(other) and alike(abstract(one), abstract(other)):
            leader[lead(one)] = lead(other)
    groups: dict[int, list[StoredPaper]] = {}
    for number, paper in enumerate(papers):
        groups.setdefault(lead(number), []).append(paper)
    return list(groups.values())


def skipped_by_reason(tally: Tally, what: str) -> dict[str, int]:
    """By reason, most first."""
    return {why: number for (kind, why), number in tally.most_common() if kind == what and number}


__all__ = [
    "NOTES",
    "PAPERS",
    "REVIEWS",
    "CollectedPapers",
    "PaperCollector",
    "StoredPaper",
    "load_paper",
    "skipped_by_reason",
    "without_duplicates",
]
