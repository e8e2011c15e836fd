"""Features of a paper that are known on the day of publication, as columns; NaN where unknown.

Features of references and authors are computed from the library's dated citations up to the year before the paper's
own. Frequent venues and fields have a column each; for all others only these columns are 0.
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
_COMPONENTS, _SAMPLE = 64, 20_000
"""Number of principal components of the embedding, and of papers that they are fitted to at most."""
_NAMES, _SHARED_BY = 32, 20
"""Number of venues and of fields with a column at most, and of papers that each needs."""
_PAGE = 5000


@dataclass(frozen=True)
class ImpactFeatures:
    """What is fitted before columns can be computed: mean (`middle`, shape (d,)) and principal axes (`axes`, shape (k,
    d)) of the embedding, the frequent venues and fields, and the publication history."""

    middle: Vectors
    axes: Vectors
    venues: tuple[str, ...]
    fields: tuple[str, ...]
    past: PublicationHistory

    @classmethod
    def fit(cls, corpus: Corpus, rows: NDArray[np.intp], history: PublicationHistory, seed: int) -> Self:
        """Fits to the papers of these rows. `history` is only used up to the year before each paper."""
        middle, axes = _axes(corpus.vectors[rows], seed)
        papers = [corpus.papers[row] for row in rows]
        venues = _frequent([paper.venue] for paper in papers)
        return cls(middle, axes, venues, _frequent(paper.fields for paper in papers), history)

    @property
    def groups(self) -> list[str]:
        """The group of each column."""
        many = (len(self.axes) + 2, 2, len(self.venues), len(self.fields), 5, 5)
        return [group for group, count in zip(GROUPS, many, strict=True) for _ in range(count)]

    def columns(self, group: str) -> list[int]:
        """The indices of the columns of a group."""
        return [place for place, each in enumerate(self.groups) if each == group]

    def matrix(self, subjects: Sequence[Subject], vectors: Vectors) -> Vectors:
        """The columns of subjects with these embeddings, shape (n, number of columns). A subject without a year gets
        the newest year of the library.

        Components are not computed by `@`: the last digit of such a product depends on the number of rows, and a tree
        may turn a last digit into a step.
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
        """The columns of papers of the corpus."""
        pages = [rows[begin : begin + _PAGE] for begin in range(0, len(rows), _PAGE)]
        return np.vstack([self.matrix(corpus.subjects(page), corpus.vectors[page]) for page in pages])

    def aged(self, years: Floats) -> Floats:
        """Columns of the group `year`, shape (n, 2): the year, and the logarithm of one plus the age."""
        return np.column_stack([years, np.log1p(np.maximum(self.past.newest - years, 0))])

    def _references(self, subjects: Sequence[Subject], years: Floats) -> Floats:
        references = self.past.references([each.references for each in subjects]).known()
        cited = self.past.cited.before(references.values, np.nan_to_num(years)[references.rows])
        age = years[references.rows] - self.past.years[references.values]
        return _columns(references, np.log1p(cited), np.nan_to_num(age))

    def _authors(self, subjects: Sequence[Subject], years: Floats) -> Floats:
        authors = self.past.names([each.authors for each in subjects])
        when = np.nan_to_num(years)[authors.rows]  # where no year is known, nothing is dated
        published = np.log1p(self.past.published.before(authors.values, when))
        return _columns(authors, published, np.log1p(self.past.authors_cited.before(authors.values, when)))


def _columns(lists: IndexLists, first: Floats, second: Floats) -> Floats:
    """For each subject log(1 + number of its entries), and mean and maximum of two values of the entries, shape (n, 5);
    NaN without an entry."""
    number = np.where(lists.counts > 0, lists.counts, np.nan)
    means = [lists.sums(values) / number for values in (first, second)]
    largest = [_maximum(lists, values) for values in (first, second)]
    return np.column_stack([np.log1p(number), *means, *largest])


def _maximum(lists: IndexLists, values: Floats) -> Floats:
    most = np.full(lists.n, -np.inf)
    np.maximum.at(most, lists.rows, values)
    return np.where(np.isneginf(most), np.nan, most)


def _axes(vectors: Vectors, seed: int) -> tuple[Vectors, Vectors]:
    from sklearn.decomposition import PCA  # noqa: PLC0415  most commands do not need it

    rng = np.random.default_rng(seed)
    sample = vectors if len(vectors) <= _SAMPLE else vectors[np.sort(rng.choice(len(vectors), _SAMPLE, replace=False))]
    count = max(1, min(_COMPONENTS, len(sample) // 4, sample.shape[1]))
    result = PCA(count, random_state=seed).fit(sample)  # type: ignore[no-untyped-call]
    return result.mean_.astype(np.float32), result.components_.astype(np.float32)


def _frequent(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    counted = Counter(name for names in lists for name in _normal(names))
    enough = [(name, count) for name, count in counted.items() if count >= _SHARED_BY]
    return tuple(name for name, _ in sorted(enough, key=lambda pair: (-pair[1], pair[0]))[:_NAMES])


def _normal(names: Iterable[str]) -> Iterator[str]:
    yield from dict.fromkeys(normal for name in names if (normal := normal_title(name)))


def _named(lists: Sequence[Iterable[str]], known: Sequence[str]) -> Vectors:
    """Subjects × known names: 1 where the subject has the name, 0 where it has others, NaN where it has none."""
    place = {name: column for column, name in enumerate(known)}
    values = np.full((len(lists), len(known)), np.nan, dtype=np.float32)
    for row, names in enumerate(lists):
        if normal := list(_normal(names)):
            values[row] = 0
            values[row, [place[name] for name in normal if name in place]] = 1
    return values
