"""The candidates for pairs: papers used as ideas, and generated ideas, as columns in a fixed order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core import Subject, normal_title
from novum.core.arrays import Vectors
from novum.idea_metrics.corpus import LONGEST_TEXT, Corpus
from novum.literature.store.storable import storable
from novum.prompts.untrusted import clean, plain

FEWEST_WORDS, MOST_WORDS = 40, 600
"""Words of a candidate. Fewer do not describe an idea, more are not an abstract."""
_TITLE = 500
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class PairCandidate:
    """One idea, with facts for the card and the record."""

    id: str
    subject: Subject
    """Without a topic, which is assigned later."""
    generated: bool
    year: int | None
    topic: str = ""
    """The topic that it was generated for; empty for a paper."""
    citations: int | None = None


@dataclass(frozen=True)
class Pool:
    """`n` candidates sorted by id, so that their input order has no effect."""

    candidates: Sequence[PairCandidate]
    vectors: Vectors
    """Unit vectors, shape (n, d)."""
    words: Rows
    """Length of each text in words, shape (n,)."""
    years: Rows
    """0 if unknown, shape (n,)."""
    dropped: Counter[str]
    """Number of rejected candidates by reason."""

    def __len__(self) -> int:
        return len(self.candidates)


def candidate_text(subject: Subject) -> str:
    """Title and abstract as a model should write them, without marks that chat templates use."""
    return f"Title: {plain(subject.title, _TITLE)}\n\nAbstract: {' '.join(clean(subject.text).split())}"


def candidates_of_papers(corpus: Corpus) -> list[PairCandidate]:
    """The papers of a library as candidates."""
    return [
        PairCandidate(paper.id, Subject.of_paper(paper), False, paper.year, citations=paper.citation_count)
        for paper in corpus.papers
    ]


def candidates_of_ideas(
    subjects: Iterable[Subject], year_of: Callable[[str], int | None], now: int
) -> list[PairCandidate]:
    """Generated ideas as candidates. An idea without a year is dated one year after the newest paper that it cites,
    else by the year `now`."""
    return [_of_idea(subject, year_of, now) for subject in subjects]


def _of_idea(subject: Subject, year_of: Callable[[str], int | None], now: int) -> PairCandidate:
    known = [year for paper_id in subject.references if (year := year_of(paper_id))]
    year = subject.year or (min(max(known) + 1, now) if known else now)
    topic = " ".join(storable(subject.topic).split())
    texts = {name: storable(getattr(subject, name)[:LONGEST_TEXT]) for name in ("title", "text")}
    lists = {name: tuple(map(storable, getattr(subject, name))) for name in ("keywords", "samples")}
    cleaned = subject.model_copy(update={**texts, **lists, "year": year, "topic": ""})
    return PairCandidate(subject.id, cleaned, True, year, topic)


def build_pool(candidates: Sequence[PairCandidate], vectors: Vectors, *, dated: bool) -> Pool:
    """The usable candidates. `vectors`: one unit vector for each. `dated`: only candidates with a known year."""
    dropped = Counter[str]()
    rows_by_title: dict[str, int] = {}
    words = np.zeros(len(candidates), dtype=np.intp)
    for row in sorted(range(len(candidates)), key=lambda row: _earliest(candidates[row])):
        one = candidates[row]
        words[row] = len(candidate_text(one.subject).split())
        why = _unfit(one, int(words[row]), dated=dated, embedded=bool(vectors[row].any()))
        name = _name(one)
        if why is None and name in rows_by_title:
            why = "another one has the same title"
        if why is None:
            rows_by_title[name] = row
        else:
            dropped[why] += 1
    rows = np.array(sorted(rows_by_title.values(), key=lambda row: candidates[row].id), dtype=np.intp)
    years = np.array([candidates[row].year or 0 for row in rows], dtype=np.intp)
    return Pool([candidates[row] for row in rows], vectors[rows], words[rows], years, dropped)


def _earliest(one: PairCandidate) -> tuple[float, str]:
    """Sort key: of several candidates with one title the earliest is used."""
    return (one.year or np.inf, one.id)


def _name(one: PairCandidate) -> str:
    """Papers with one title are the same; ideas of different generators are not."""
    return one.id if one.generated else normal_title(one.subject.title) or one.id


def _unfit(one: PairCandidate, words: int, *, dated: bool, embedded: bool) -> str | None:
    if dated and not one.year:
        return "its year is unknown"
    if not one.subject.text.strip() or words < FEWEST_WORDS:
        return f"fewer than {FEWEST_WORDS} words"
    if words > MOST_WORDS:
        return f"more than {MOST_WORDS} words"
    return None if embedded else "nothing to embed"
