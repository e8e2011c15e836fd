"""What is known of a paper on the day it appears, as columns. NaN: not known, which the learners can take.

References and authors are seen through the library's dated citations up to the year before the paper's own. A venue or
a field is a column if enough papers share it; of the others is known only that they are none of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from novum.core import Subject, normal_title
from novum.core.arrays import Floats, Vectors
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.publication_history import IndexLists, PublicationHistory

GROUPS = ("text", "year", "venue", "field", "references", "authors")
_COMPONENTS, _SEEN = 64, 20_000
"""Principal components of the embedding, found on so many papers at most."""
_NAMES, _SHARED_BY = 32, 20
"""So many venues, and so many fields, each of at least so many papers."""
_PAGE = 5000


@dataclass(frozen=True)
class ImpactFeatures:
    """What is learnt from papers before their columns can be told: principal axes of the embedding (`middle` of shape
    (d,), `axes` of shape (k, d)), the frequent venues and fields, and the past."""

    middle: Vectors
    axes: Vectors
    venues: tuple[str, ...]
    fields: tuple[str, ...]
    past: PublicationHistory

    @classmethod
    def fit(cls, corpus: Corpus, rows: NDArray[np.intp], history: PublicationHistory, seed: int) -> Self:
        """From these papers alone, and a past that is asked by year."""
        middle, axes = _axes(corpus.vectors[rows], seed)
        papers = [corpus.papers[row] for row in rows]
        venues = _frequent([paper.venue] for paper in papers)
        return cls(middle, axes, venues, _frequent(paper.fields for paper in papers), history)

    @property
    def groups(self) -> list[str]:
        """Of each column."""
        many = (len(self.axes) + 2, 2, len(self.venues), len(self.fields), 5, 5)
        return [group for group, count in zip(GROUPS, many, strict=True) for _ in range(count)]

    def columns(self, group: str) -> list[int]:
        """Where the columns of a group stand."""
        return [place for place, each in enumerate(self.groups) if each == group]

    def matrix(self, subjects: Sequence[Subject], vectors: Vectors) -> Vectors:
        """Shape (n, number of columns). What has no year is of the library's newest.

        Not `@` for the components: the last digit of such a product depends on how many rows are asked together, and a
        tree makes a whole step of a last digit.
        """
        newest = self.past.newest
        years = np.array([newest if each.year is None else each.year for each in subjects], dtype=float)
        blocks = (
            np.vecdot((vectors - self.middle)[:, None, :], self.axes),
            np.log1p([[len(each.title), len(each.text)] for each in subjects]),
            self.aged(years),
            _named([[each.venue] for each in subjects], self.venues),
            _named([each.fields for each in subjects], self.fields),
            self._references(subjects, years),
            self._authors(subjects, years),
        )
        return np.hstack([np.asarray(block, dtype=np.float32) for block in blocks])

    def of_papers(self, corpus: Corpus, rows: NDArray[np.intp]) -> Vectors:
        """The same of papers of the corpus."""
        pages = [rows[begin : begin + _PAGE] for begin in range(0, len(rows), _PAGE)]
        return np.vstack([self.matrix(corpus.subjects(page), corpus.vectors[page]) for page in pages])

    def aged(self, years: Floats) -> Floats:
        """Columns of the group `year`: the year, and the logarithm of how long there has been time to be cited."""
        return np.column_stack([years, np.log1p(np.maximum(self.past.newest - years, 0))])

    def _references(self, subjects: Sequence[Subject], years: Floats) -> Floats:
        result = self.past.references([each.references for each in subjects]).found()
        cited = self.past.cited.before(result.values, _known(years)[result.rows])
        age = years[result.rows] - self.past.years[result.values]
        return _columns(result, np.log1p(cited), np.nan_to_num(age))

    def _authors(self, subjects: Sequence[Subject], years: Floats) -> Floats:
        result = self.past.names([each.authors for each in subjects])
        when = _known(years)[result.rows]
        published = np.log1p(self.past.published.before(result.values, when))
        return _columns(result, published, np.log1p(self.past.authors_cited.before(result.values, when)))


def _known(years: Floats) -> Floats:
    """Where not even the library has years, nothing has a date, and nothing is asked of it."""
    return np.nan_to_num(years, nan=0.0)


def _columns(found: IndexLists, first: Floats, second: Floats) -> Floats:
    """How many (their logarithm), and mean and largest of two numbers; NaN where there are none."""
    many = found.counts
    none = np.where(many > 0, many, np.nan)
    means = [found.sums(values) / none for values in (first, second)]
    largest = [_largest(found, values) for values in (first, second)]
    return np.column_stack([np.log1p(none), *means, *largest])


def _largest(found: IndexLists, values: Floats) -> Floats:
    most = np.full(found.n, -np.inf)
    np.maximum.at(most, found.rows, values)
    return np.where(np.isneginf(most), np.nan, most)


def _axes(vectors: Vectors, seed: int) -> tuple[Vectors, Vectors]:
    from sklearn.decomposition import PCA  # noqa: PLC0415  most commands never need it

    rng = np.random.default_rng(seed)
    seen = vectors if len(vectors) <= _SEEN else vectors[np.sort(rng.choice(len(vectors), _SEEN, replace=False))]
    count = max(1, min(_COMPONENTS, len(seen) // 4, seen.shape[1]))
    result = PCA(count, random_state=seed).fit(seen)  # type: ignore[no-untyped-call]
    return result.mean_.astype(np.float32), result.components_.astype(np.float32)


def _frequent(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    counted = Counter(name for names in lists for name in _normal(names))
    enough = [(name, count) for name, count in counted.items() if count >= _SHARED_BY]
    return tuple(name for name, _ in sorted(enough, key=lambda pair: (-pair[1], pair[0]))[:_NAMES])


def _normal(names: Iterable[str]) -> Iterator[str]:
    yield from dict.fromkeys(normal for name in names if (normal := normal_title(name)))


def _named(lists: Sequence[Iterable[str]], known: Sequence[str]) -> Vectors:
    """1 where it has the name, 0 where it has others, NaN where it has none."""
    place = {name: column for column, name in enumerate(known)}
    values = np.full((len(lists), len(known)), np.nan, dtype=np.float32)
    for row, names in enumerate(lists):
        if normal := list(_normal(names)):
            values[row] = 0
            values[row, [place[name] for name in normal if name in place]] = 1
    return values
