"""Who may stand in a pair: papers seen as ideas, and generated ideas, as columns in an order of their own."""

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
"""Of an answer. Less is no account of an idea, more is no abstract."""
_TITLE = 500
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Candidate:
    """One idea with what only the card and the record beside the pairs need of it."""

    id: str
    subject: Subject
    """Without a topic: that is found later."""
    generated: bool
    year: int | None
    topic: str = ""
    """That it was made for; empty of a paper."""
    citations: int | None = None


@dataclass(frozen=True)
class Pool:
    """`n` candidates in the order of their ids, so that nothing depends on the order in which they came."""

    candidates: Sequence[Candidate]
    vectors: Vectors
    """Of unit length, shape (n, d)."""
    words: Rows
    """Of each answer, shape (n,)."""
    years: Rows
    """0 where not known, shape (n,)."""
    dropped: Counter[str]
    """What did not come in, by the reason."""

    def __len__(self) -> int:
        return len(self.candidates)


def candidate_text(subject: Subject) -> str:
    """The idea as a model is to give it: title and abstract. Foreign text, so what a chat template would take for the
    end of a turn is defused."""
    return f"Title: {plain(subject.title, _TITLE)}\n\nAbstract: {' '.join(clean(subject.text).split())}"


def candidates_of_papers(corpus: Corpus) -> list[Candidate]:
    """The library's papers seen as ideas."""
    return [
        Candidate(paper.id, Subject.of_paper(paper), False, paper.year, citations=paper.citation_count)
        for paper in corpus.papers
    ]


def candidates_of_ideas(subjects: Iterable[Subject], year_of: Callable[[str], int | None], now: int) -> list[Candidate]:
    """Generated ideas. One that tells no year and builds on papers of known years could have been had in the year
    after the newest of them; of any other it is only known that it is had `now`."""
    return [_of_idea(subject, year_of, now) for subject in subjects]


def _of_idea(subject: Subject, year_of: Callable[[str], int | None], now: int) -> Candidate:
    known = [year for paper_id in subject.references if (year := year_of(paper_id))]
    year = subject.year or (min(max(known) + 1, now) if known else now)
    topic = " ".join(storable(subject.topic).split())
    texts = {name: storable(getattr(subject, name)[:LONGEST_TEXT]) for name in ("title", "text")}
    lists = {name: tuple(map(storable, getattr(subject, name))) for name in ("keywords", "samples")}
    told = subject.model_copy(update={**texts, **lists, "year": year, "topic": ""})
    return Candidate(subject.id, told, True, year, topic)


def build_pool(candidates: Sequence[Candidate], vectors: Vectors, *, dated: bool) -> Pool:
    """Those that are fit for a pair. `vectors`: of unit length, row by row. `dated`: only those of a known year."""
    dropped = Counter[str]()
    kept: dict[str, int] = {}
    words = np.zeros(len(candidates), dtype=np.intp)
    for row in sorted(range(len(candidates)), key=lambda row: _earliest(candidates[row])):
        one = candidates[row]
        words[row] = len(candidate_text(one.subject).split())
        why = _unfit(one, int(words[row]), dated=dated, embedded=bool(vectors[row].any()))
        name = _name(one)
        if why is None and name in kept:
            why = "its title is that of another"
        if why is None:
            kept[name] = row
        else:
            dropped[why] += 1
    rows = np.array(sorted(kept.values(), key=lambda row: candidates[row].id), dtype=np.intp)
    years = np.array([candidates[row].year or 0 for row in rows], dtype=np.intp)
    return Pool([candidates[row] for row in rows], vectors[rows], words[rows], years, dropped)


def _earliest(one: Candidate) -> tuple[float, str]:
    """Of several with one title the first that appeared stands for all."""
    return (one.year or np.inf, one.id)


def _name(one: Candidate) -> str:
    """Ideas of several makers may well have one title, and are not the same for it; papers are."""
    return one.id if one.generated else normal_title(one.subject.title) or one.id


def _unfit(one: Candidate, words: int, *, dated: bool, embedded: bool) -> str | None:
    if dated and not one.year:
        return "its year is not known"
    if not one.subject.text.strip() or words < FEWEST_WORDS:
        return f"fewer than {FEWEST_WORDS} words"
    if words > MOST_WORDS:
        return f"more than {MOST_WORDS} words"
    return None if embedded else "nothing to embed"
