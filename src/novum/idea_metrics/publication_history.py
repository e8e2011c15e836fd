"""What the library knew of papers and authors before a year: publications, and citations by its own dated links.

Papers and authors are kept by a hash of their names, which makes a look-up one search in an array. An author is a name:
two people of one name are taken for one, and one who writes under two is taken for two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novum.core import Paper, normal_title
from novum.core.arrays import Floats, Ints
from novum.idea_metrics.corpus import Corpus

_COUNTS = ("cited", "published", "authors_cited")


@dataclass(frozen=True)
class IndexLists:
    """Some numbers for each of `n` subjects: `values`, and beside each the row that it belongs to."""

    values: Ints
    rows: Ints
    n: int

    @classmethod
    def of(cls, lists: Sequence[Sequence[str]], known: Ints) -> Self:
        """Names looked up among `known` hashes, ascending: their places there, -1 for unknown ones. A name that stands
        twice counts once."""
        once = [dict.fromkeys(names) for names in lists]
        hashes = hashed(name for names in once for name in names)
        rows = np.repeat(np.arange(len(once), dtype=np.int64), [len(names) for names in once])
        return cls(_places(known, hashes), rows, len(once))

    def found(self) -> IndexLists:
        """Those that are known."""
        there = self.values >= 0
        return IndexLists(self.values[there], self.rows[there], self.n)

    def sums(self, values: NDArray[np.generic]) -> Floats:
        """Sum of `values` (one for each of ours) by subject, shape (n,)."""
        return np.bincount(self.rows, values.astype(float), self.n).astype(float)

    @property
    def counts(self) -> Floats:
        return self.sums(np.ones(len(self.rows)))


@dataclass(frozen=True)
class PublicationHistory:
    """`papers`, `authors`: hashes of ids and names, ascending; the counts go by their places there."""

    papers: Ints
    years: Floats
    """Of the papers, NaN where not known."""
    authors: Ints
    cited: DatedCounts
    """Of papers, by the years of those that cite them."""
    published: DatedCounts
    """Of authors."""
    authors_cited: DatedCounts
    """Of authors, by the years of papers that cite theirs. One that cites two of an author's papers counts twice."""

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """What a corpus knows."""
        ids, order = np.unique(hashed(paper.id for paper in corpus.papers), return_index=True)
        years = corpus.years
        names = [authors_of(paper) for paper in corpus.papers]
        authors = np.unique(hashed({name for each in names for name in each}))
        by = IndexLists.of(names, authors)
        links = IndexLists.of([paper.references for paper in corpus.papers], ids).found()
        published = DatedCounts.of(by.values, years[by.rows])
        cited = DatedCounts.of(links.values, years[links.rows])
        return cls(ids, years[order], authors, cited, published, _by_author(by, order[links.values], years[links.rows]))

    def references(self, lists: Sequence[Sequence[str]]) -> IndexLists:
        """Places of the papers with these ids, for each subject."""
        return IndexLists.of(lists, self.papers)

    def names(self, lists: Sequence[Sequence[str]]) -> IndexLists:
        """Places of these authors, for each subject."""
        return IndexLists.of([_normal(names) for names in lists], self.authors)

    @property
    def newest(self) -> float:
        """The newest year; NaN where none is known."""
        known = self.years[~np.isnan(self.years)]
        return float(known.max()) if len(known) else float("nan")

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """As it is kept."""
        mapping: dict[str, NDArray[np.generic]] = {"papers": self.papers, "years": self.years, "authors": self.authors}
        for name in _COUNTS:
            counts: DatedCounts = getattr(self, name)
            mapping |= {f"{name}_keys": counts.keys, f"{name}_totals": counts.totals}
        return mapping

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """Back from `arrays`. Raises KeyError or ValueError where they are damaged."""
        papers, years = arrays["papers"].astype(np.int64), arrays["years"].astype(float)
        if papers.shape != years.shape or papers.ndim != 1:
            raise ValueError("papers and years do not belong together")
        counts = [DatedCounts.from_arrays(arrays[f"{name}_keys"], arrays[f"{name}_totals"]) for name in _COUNTS]
        return cls(papers, years, arrays["authors"].astype(np.int64), *counts)


def authors_of(paper: Paper) -> list[str]:
    """Names without what sources write differently: case, accents, dots; each once."""
    return list(dict.fromkeys(_normal(paper.authors)))


def _normal(names: Iterable[str]) -> list[str]:
    return [normal for name in names if (normal := normal_title(name))]


def hashed(names: Iterable[str]) -> Ints:
    """Eight bytes for each name, the same everywhere."""
    digests = b"".join(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest() for name in names)
    return np.frombuffer(digests, dtype="<i8").astype(np.int64)


def _places(known: Ints, wanted: Ints) -> Ints:
    if not len(known):
        return np.full(len(wanted), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[place] == wanted, place, -1).astype(np.int64)


def _by_author(by: IndexLists, cited_rows: NDArray[np.intp], years: Floats) -> DatedCounts:
    """Each citation goes to every author of the paper that is cited. `by`: authors by paper, in the papers' order."""
    first = np.searchsorted(by.rows, np.arange(by.n + 1))
    many = np.diff(first)[cited_rows]
    which = np.concatenate(list(_runs(first[:-1][cited_rows], many)) or [np.zeros(0, dtype=np.int64)])
    return DatedCounts.of(by.values[which], np.repeat(years, many))


def _runs(begin: Ints, many: Ints) -> Iterator[Ints]:
    """`begin`, `begin + 1`, … for each, as one array: no loop over citations."""
    before = np.concatenate([[0], np.cumsum(many)[:-1]]) if len(many) else many
    yield np.arange(int(many.sum()), dtype=np.int64) + np.repeat(begin - before, many)


_YEARS = 1 << 14
"""A thing and a year make one number, the thing's times this plus the year."""


@dataclass(frozen=True)
class DatedCounts:
    """`keys`: the things with the years in which something happened, ascending, shape (k,); `totals`: how much had
    happened up to each of them, to all things, shape (k + 1,)."""

    keys: Ints
    totals: Ints

    @classmethod
    def of(cls, things: ArrayLike, years: ArrayLike) -> Self:
        """One entry for each time; `things` are numbers from 0. An entry without a year (NaN) is left out: nobody
        knows before what it was."""
        which, when = np.asarray(things, dtype=np.int64), np.asarray(years, dtype=float)
        known = ~np.isnan(when)
        keys, counts = np.unique(which[known] * _YEARS + _in_range(when[known]), return_counts=True)
        return cls(keys, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))

    @classmethod
    def from_arrays(cls, keys: NDArray[np.generic], totals: NDArray[np.generic]) -> Self:
        """Back from arrays. Raises ValueError where they do not belong together."""
        result = cls(keys.astype(np.int64), totals.astype(np.int64))
        if (
            result.totals.shape != (len(result.keys) + 1,)
            or (np.diff(result.keys) <= 0).any()
            or (result.totals < 0).any()
        ):
            raise ValueError("counts by year are damaged")
        return result

    def __len__(self) -> int:
        """All that ever happened."""
        return int(self.totals[-1])

    def before(self, things: ArrayLike, years: ArrayLike) -> Ints:
        """How often it happened to each of `things` before the year beside it; 0 for an unknown thing (-1)."""
        which = np.asarray(things, dtype=np.int64)
        first = np.searchsorted(self.keys, which * _YEARS)
        until = np.searchsorted(self.keys, which * _YEARS + _in_range(np.asarray(years, dtype=float)))
        counted: Ints = np.where(which < 0, 0, self.totals[until] - self.totals[first])
        return counted


def _in_range(years: Floats) -> Ints:
    return np.clip(years, 0, _YEARS - 1).astype(np.int64)
