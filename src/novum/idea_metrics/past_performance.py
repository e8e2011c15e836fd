"""Past performance (equation 4): citations per earlier publication of the authors of a subject.

A generated idea has no authors; the papers that it builds on are used instead. Citations are those by papers of the
library, dated by these papers; only citations before the subject's own year count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from novum.core.arrays import Floats
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.metric import SubjectBatch
from novum.idea_metrics.publication_history import IndexLists, PublicationHistory

EPSILON = 1e-6
"""Avoids a division by zero in equation 4: authors without earlier publications get 0."""


@dataclass(frozen=True)
class _Record:
    """Numbers for each subject, each of shape (n,): citations, publications, and known authors or papers."""

    citations: Floats
    publications: Floats
    who: Floats


@dataclass(frozen=True)
class PastPerformance:
    """All citations of all authors, divided by all their publications. A paper of two of the authors counts twice, in
    both numbers."""

    name: ClassVar[str] = "past_performance"
    better: ClassVar[int] = 1

    past: PublicationHistory

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """Computes the publication history; `seed` is not used."""
        return cls(PublicationHistory.of(corpus))

    def measure(self, batch: SubjectBatch) -> Floats:
        """Citations per publication, 0 or more, shape (n,); NaN where neither authors nor papers are known."""
        authors, papers = batch.once(self, lambda: self._records(batch))
        named = authors.who > 0
        citations = np.where(named, authors.citations, papers.citations)
        publications = np.where(named, authors.publications, papers.publications)
        known = (named | (papers.publications > 0)) & (len(self.past.cited) > 0)
        return np.where(known, citations / (publications + EPSILON), np.nan)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        if not len(self.past.cited):
            return "the library has no dated citations between its papers"
        authors, papers = batch.once(self, lambda: self._records(batch))
        if authors.who[row]:
            who = _count(authors.who[row], "author")
            return f"{_numbers(authors, row)} of its {who} before (identified by name only)"
        if papers.publications[row]:
            return f"{_numbers(papers, row)} that it builds on"
        return "neither its authors nor papers that it builds on are in the library"

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of authors, by name, and of dated citations between papers of the library."""
        return {"authors": len(self.past.authors), "dated_citations": len(self.past.cited)}

    def state(self) -> ModelState:
        return ModelState(self.past.arrays())

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        return cls(PublicationHistory.from_arrays(state.arrays))

    def _records(self, batch: SubjectBatch) -> tuple[_Record, _Record]:
        """The numbers by authors, and by the papers that subjects build on."""
        return self._authors(batch), self._papers(batch)

    def _authors(self, batch: SubjectBatch) -> _Record:
        authors = self.past.names([subject.authors for subject in batch.subjects])
        years = self._years(batch)[authors.rows]
        published = self.past.published.before(authors.values, years)
        return _record(authors, self.past.authors_cited.before(authors.values, years), published)

    def _papers(self, batch: SubjectBatch) -> _Record:
        papers = self.past.references([subject.references for subject in batch.subjects]).known()
        cited = self.past.cited.before(papers.values, self._years(batch)[papers.rows])
        return _record(papers, cited, np.ones(len(cited)))

    def _years(self, batch: SubjectBatch) -> Floats:
        """Years of the subjects, shape (n,); infinite for a subject without a year, which is later than all papers."""
        return np.array([np.inf if each.year is None else each.year for each in batch.subjects])


def _record(lists: IndexLists, citations: np.ndarray, publications: np.ndarray) -> _Record:
    return _Record(lists.sums(citations), lists.sums(publications), lists.counts)


def _numbers(record: _Record, row: int) -> str:
    return f"{_count(record.citations[row], 'citation')} of {_count(record.publications[row], 'paper')}"


def _count(number: float, noun: str) -> str:
    return f"{number:,.0f} {noun}" + ("" if number == 1 else "s")
