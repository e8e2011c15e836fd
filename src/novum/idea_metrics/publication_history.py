"""Publications and citations of papers and authors before a year, from the library's own dated links.

Papers and authors are stored as hashes of their names, so that a look-up is a search in a sorted array. Authors are
identified by name only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core import Paper, normal_title
from novum.core.arrays import Floats, Ints, positions_in, ranges
from novum.idea_metrics.corpus import Corpus

_COUNTS = ("cited", "published", "authors_cited")


@dataclass(frozen=True)
class IndexLists:
    """Lists of indices for `n` subjects, concatenated: `values`, and the row of the subject of each, both of shape
    (m,)."""

    values: Ints
    rows: Ints
    n: int

    @classmethod
    def of(cls, lists: Sequence[Sequence[str]], known: Ints) -> Self:
        """The indices of names in `known`, ascending hashes; -1 for unknown ones. A name that occurs twice in a list
        counts once."""
        once = [dict.fromkeys(names) for names in lists]
        hashes = hashed(name for names in once for name in names)
        rows = np.repeat(np.arange(len(once), dtype=np.int64), [len(names) for names in once])
        return cls(positions_in(known, hashes), rows, len(once))

    def known(self) -> IndexLists:
        """The lists without unknown names."""
        is_known = self.values >= 0
        return IndexLists(self.values[is_known], self.rows[is_known], self.n)

    def sums(self, values: NDArray[np.generic]) -> Floats:
        """Sums of `values`, shape (m,), for each subject, shape (n,)."""
        return np.bincount(self.rows, values.astype(float), self.n).astype(float)

    @property
    def counts(self) -> Floats:
        """The length of each list, shape (n,)."""
        return self.sums(np.ones(len(self.rows)))


@dataclass(frozen=True)
class PublicationHistory:
    """`papers`, `authors`: hashes of ids and names, ascending; counts refer to their indices."""

    papers: Ints
    years: Floats
    """Years of the papers, NaN where unknown."""
    authors: Ints
    cited: DatedCounts
    """Citations of papers, by the year of the citing paper."""
    published: DatedCounts
    """Publications of authors, by year."""
    authors_cited: DatedCounts
    """Citations of authors, by the year of the citing paper. A paper that cites two of an author's papers counts
    twice."""

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """The history of the papers of a corpus."""
        ids, order = np.unique(hashed(paper.id for paper in corpus.papers), return_index=True)
        years = corpus.years
        names = [authors_of(paper) for paper in corpus.papers]
        authors = np.unique(hashed({name for each in names for name in each}))
        by = IndexLists.of(names, authors)
        links = IndexLists.of([paper.references for paper in corpus.papers], ids).known()
        published = DatedCounts.of(by.values, years[by.rows])
        cited = DatedCounts.of(links.values, years[links.rows])
        return cls(ids, years[order], authors, cited, published, _by_author(by, order[links.values], years[links.rows]))

    def references(self, lists: Sequence[Sequence[str]]) -> IndexLists:
        """Indices of the papers with these ids, for each subject."""
        return IndexLists.of(lists, self.papers)

    def names(self, lists: Sequence[Sequence[str]]) -> IndexLists:
        """Indices of these authors, for each subject."""
        return IndexLists.of([_normal(names) for names in lists], self.authors)

    @property
    def newest(self) -> float:
        """The newest year; NaN where none is known."""
        known = self.years[~np.isnan(self.years)]
        return float(known.max()) if len(known) else float("nan")

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The arrays to store."""
        arrays: dict[str, NDArray[np.generic]] = {"papers": self.papers, "years": self.years, "authors": self.authors}
        for name in _COUNTS:
            counts: DatedCounts = getattr(self, name)
            arrays |= {f"{name}_keys": counts.keys, f"{name}_totals": counts.totals}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """The history from its stored arrays. Raises KeyError or ValueError where these are damaged."""
        papers, years = arrays["papers"].astype(np.int64), arrays["years"].astype(float)
        if papers.shape != years.shape or papers.ndim != 1:
            raise ValueError("the numbers of papers and years differ")
        counts = [DatedCounts.from_arrays(arrays[f"{name}_keys"], arrays[f"{name}_totals"]) for name in _COUNTS]
        return cls(papers, years, arrays["authors"].astype(np.int64), *counts)


def authors_of(paper: Paper) -> list[str]:
    """The normalised names of the authors, without case, accents and dots, each once."""
    return list(dict.fromkeys(_normal(paper.authors)))


def _normal(names: Iterable[str]) -> list[str]:
    return [normal for name in names if (normal := normal_title(name))]


def hashed(names: Iterable[str]) -> Ints:
    """Hashes of eight bytes of names, the same on every machine."""
    digests = b"".join(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest() for name in names)
    return np.frombuffer(digests, dtype="<i8").astype(np.int64)


def _by_author(by: IndexLists, cited_rows: NDArray[np.intp], years: Floats) -> DatedCounts:
    """Citations of authors: each citation counts for every author of the cited paper. `by`: authors of all papers;
    `cited_rows`, `years`: for each citation the row of the cited paper and the year."""
    first = np.searchsorted(by.rows, np.arange(by.n + 1))
    authors = np.diff(first)[cited_rows]
    return DatedCounts.of(by.values[ranges(first[:-1][cited_rows], authors)], np.repeat(years, authors))


_YEARS = 1 << 14
"""Item and year are packed into one key: item × `_YEARS` + year."""


@dataclass(frozen=True)
class DatedCounts:
    """Counts of events by item and year. `keys`: packed items and years with events, ascending, shape (k,); `totals`:
    cumulative number of events before each key, shape (k + 1,)."""

    keys: Ints
    totals: Ints

    @classmethod
    def of(cls, items: ArrayLike, years: ArrayLike) -> Self:
        """Counts events. `items`: numbers from 0, `years`: NaN where unknown, one of each for an event. Events without
        a year are left out."""
        which, when = np.asarray(items, dtype=np.int64), np.asarray(years, dtype=float)
        known = ~np.isnan(when)
        keys, counts = np.unique(which[known] * _YEARS + _in_range(when[known]), return_counts=True)
        return cls(keys, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))

    @classmethod
    def from_arrays(cls, keys: NDArray[np.generic], totals: NDArray[np.generic]) -> Self:
        """The counts from stored arrays. Raises ValueError where these are damaged."""
        result = cls(keys.astype(np.int64), totals.astype(np.int64))
        if (
            result.totals.shape != (len(result.keys) + 1,)
            or (np.diff(result.keys) <= 0).any()
            or (result.totals < 0).any()
        ):
            raise ValueError("counts by year are damaged")
        return result

    def __len__(self) -> int:
        """The number of all events."""
        return int(self.totals[-1])

    def before(self, items: ArrayLike, years: ArrayLike) -> Ints:
        """The number of events of each of `items` before the year of the same index; 0 for an unknown item (-1)."""
        which = np.asarray(items, dtype=np.int64)
        first = np.searchsorted(self.keys, which * _YEARS)
        until = np.searchsorted(self.keys, which * _YEARS + _in_range(np.asarray(years, dtype=float)))
        counted: Ints = np.where(which < 0, 0, self.totals[until] - self.totals[first])
        return counted


def _in_range(years: Floats) -> Ints:
    return np.clip(years, 0, _YEARS - 1).astype(np.int64)
