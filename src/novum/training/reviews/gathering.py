"""Collect the raw papers of all sources, each paper once, with the record that has the most reviews."""

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
from novum.training.reviews.screening import PAPERS, REVIEWS, Screen, Tally
from novum.training.reviews.settings import JudgeDataSettings

_TITLE_WORDS = 3
"""Words of a title that identifies a paper by itself."""
_SAME_FROM = 30
"""Words from which two equal reviews are one review submitted twice, not a short remark of two people."""
_MOST_REJECTS = 200
"""Most rejects stored in full; the others are counted."""


@dataclass(slots=True)
class StoredPaper:
    """The facts held in memory about a paper that is stored in the object file."""

    place: int
    keys: tuple[int, ...]
    worth: tuple[int, int, bool]
    """Usable texts, ratings, and whether the decision is known: the record with more of them is preferred."""
    year: int | None
    date: dt.date | None
    reviews: int
    order: int
    """A hash of its title."""
    bands: bytes
    """Hash bands that find a slightly changed abstract."""
    texts: tuple[int, ...]
    """Hashes of the review texts; 0 for texts too short to be recognised as copies."""
    copies: tuple[int, ...] = ()
    """Numbers of reviews whose text is also under another used paper."""


@dataclass
class CollectedPapers:
    """The papers that passed, in no order, and counts of the others."""

    papers: list[StoredPaper] = field(default_factory=list)
    observed: ObservedScales = field(default_factory=ObservedScales)
    tally: Tally = field(default_factory=Counter)
    rejects: list[Reject] = field(default_factory=list)
    sources: Counter[str] = field(default_factory=Counter)
    """Records by layout."""
    records: int = 0
    reviews: int = 0
    """All reviews read, usable or not."""


class PaperCollector:
    """Collects the results of readers."""

    def __init__(self, settings: JudgeDataSettings, spool: ObjectFile) -> None:
        self.collected = CollectedPapers()
        self._screen = Screen(settings, self.collected.tally)
        self._spool = spool

    def take(self, reads: Iterable[ReadResult]) -> None:
        """Adds papers and rejects. Raises OSError when the disk is full."""
        for read in reads:
            if isinstance(read, Reject):
                self._refuse(read)
            else:
                self._add(read)

    def _refuse(self, reject: Reject) -> None:
        self.collected.tally[PAPERS, "a record that cannot be used"] += 1
        if len(self.collected.rejects) < _MOST_REJECTS:
            self.collected.rejects.append(reject)

    def _add(self, paper: RawPaper) -> None:
        collected = self.collected
        collected.records += 1
        collected.reviews += len(paper.reviews)
        collected.sources[paper.source] += 1
        for review in paper.reviews:
            collected.observed.see(paper.venue, paper.year, review.rating)
        if self._screen.passes(paper):
            collected.papers.append(_stored(paper, self._spool.put(paper)))


def _stored(paper: RawPaper, place: int) -> StoredPaper:
    texts = sum(not review.unfit for review in paper.reviews)
    ratings = sum(bool(review.rating) for review in paper.reviews)
    decided = parse_decision(paper.decided) != "unknown"
    title, abstract = normal_title(paper.title), normal_title(paper.abstract)
    return StoredPaper(
        place=place,
        keys=tuple(map(_hash, _names(paper, title, abstract))),
        worth=(texts, ratings, decided),
        year=paper.year,
        date=dt.date.fromisoformat(paper.date) if paper.date else None,
        reviews=len(paper.reviews),
        order=_hash(title or paper.abstract),
        bands=bands_of(abstract),
        texts=tuple(_text_hash(review) for review in paper.reviews),
    )


def _text_hash(review: RawReview) -> int:
    words = review.text.lower().split()
    return 0 if review.unfit or len(words) < _SAME_FROM else _hash(" ".join(words))


def _names(paper: RawPaper, title: str, abstract: str) -> list[str]:
    """Everything that identifies the paper: identifiers, title, abstract."""
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


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest())


def without_duplicates(collected: CollectedPapers, papers: ObjectFile) -> list[StoredPaper]:
    """One record of every paper: the one with the most texts, then ratings, a decision, the earlier year.

    Records with a common identifier, directly or through a third record, are the same paper, and so are records with
    nearly the same abstract.
    """
    groups = _groups(collected.papers, papers)
    unique_papers = [max(group, key=lambda each: (*each.worth, -(each.year or 9999), -each.place)) for group in groups]
    again = len(collected.papers) - len(unique_papers)
    if again:
        collected.tally[PAPERS, "the same paper again, from another source or venue"] += again
        lost = sum(each.reviews for each in collected.papers) - sum(each.reviews for each in unique_papers)
        collected.tally[REVIEWS, "of such a paper"] += lost
    return _with_copies_marked(sorted(unique_papers, key=lambda each: (each.order, each.place)))


def _with_copies_marked(papers: list[StoredPaper]) -> list[StoredPaper]:
    """Marks review texts that are also under an earlier paper. Duplicates are removed before, since the same review in
    two sources is no copy."""
    seen: set[int] = set()
    for paper in papers:
        paper.copies = tuple(number for number, mark in enumerate(paper.texts) if mark in seen)
        seen.update(mark for mark in paper.texts if mark)
    return papers


def load_paper(stored: StoredPaper, papers: ObjectFile) -> RawPaper:
    """A paper from the object file, with its copied reviews marked as unusable."""
    paper = papers.paper(stored.place)
    for number in stored.copies:
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
    """Counts by reason, largest first."""
    return {why: number for (kind, why), number in tally.most_common() if kind == what and number}
