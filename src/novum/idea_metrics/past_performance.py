"""Past performance (equation 4): how often what its authors wrote before had been cited, a publication on average.

A generated idea has no authors: the papers that it builds on stand for them. Citations are those by papers of the
library, dated by these, and only such as came before the subject's own year count.
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
"""Keeps equation 4 from dividing by nothing: whoever published nothing before gets 0."""


@dataclass(frozen=True)
class _Record:
    """Of each subject, shape (n,): citations of so many publications, by so many authors or papers it builds on."""

    citations: Floats
    publications: Floats
    who: Floats


@dataclass(frozen=True)
class PastPerformance:
    """Several authors are taken together: all their citations by all their publications. A paper that two of them
    wrote counts for both, above and below."""

    name: ClassVar[str] = "past_performance"
    better: ClassVar[int] = 1

    past: PublicationHistory

    @classmethod
    def fit(cls, corpus: Corpus, *, seed: int = 0) -> Self:
        """Nothing is drawn: `seed` is not needed."""
        return cls(PublicationHistory.of(corpus))

    def measure(self, batch: SubjectBatch) -> Floats:
        """Citations per publication, 0 or more."""
        authors, papers = batch.once(self, lambda: self._records(batch))
        named = authors.who > 0
        citations = np.where(named, authors.citations, papers.citations)
        publications = np.where(named, authors.publications, papers.publications)
        known = (named | (papers.publications > 0)) & (len(self.past.cited) > 0)
        return np.where(known, citations / (publications + EPSILON), np.nan)

    def explain(self, batch: SubjectBatch, row: int, raw: float) -> str:
        if not len(self.past.cited):
            return "the library holds no dated citations between its papers"
        authors, papers = batch.once(self, lambda: self._records(batch))
        if authors.who[row]:
            who = _count(authors.who[row], "author")
            return f"{_numbers(authors, row)} of its {who} until then (by name: namesakes are one)"
        if papers.publications[row]:
            return f"{_numbers(papers, row)} that it builds on"
        return "neither its authors nor papers of the library that it builds on are known"

    @property
    def sizes(self) -> dict[str, int]:
        """Authors, by name, and dated citations between papers of the library."""
        return {"authors": len(self.past.authors), "dated_citations": len(self.past.cited)}

    def state(self) -> ModelState:
        return ModelState(self.past.arrays())

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        return cls(PublicationHistory.from_arrays(state.arrays))

    def _records(self, batch: SubjectBatch) -> tuple[_Record, _Record]:
        """Of authors, and of the papers that are built on."""
        return self._authors(batch), self._papers(batch)

    def _authors(self, batch: SubjectBatch) -> _Record:
        result = self.past.names([subject.authors for subject in batch.subjects])
        years = self._years(batch)[result.rows]
        published = self.past.published.before(result.values, years)
        return _record(result, self.past.authors_cited.before(result.values, years), published)

    def _papers(self, batch: SubjectBatch) -> _Record:
        result = self.past.references([subject.references for subject in batch.subjects]).found()
        cited = self.past.cited.before(result.values, self._years(batch)[result.rows])
        return _record(result, cited, np.ones(len(cited)))

    def _years(self, batch: SubjectBatch) -> Floats:
        """What has no year is of today: all that the library knows came before it."""
        return np.array([np.inf if each.year is None else each.year for each in batch.subjects])


def _record(found: IndexLists, citations: np.ndarray, publications: np.ndarray) -> _Record:
    return _Record(found.sums(citations), found.sums(publications), found.counts)


def _numbers(record: _Record, row: int) -> str:
    return f"{_count(record.citations[row], 'citation')} of {_count(record.publications[row], 'paper')}"


def _count(many: float, what: str) -> str:
    return f"{many:,.0f} {what}" + ("" if many == 1 else "s")
