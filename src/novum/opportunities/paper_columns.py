"""A library's papers as columns, in one pass; what was read before is not read again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Ints
from novum.literature import Library
from novum.literature.changes import all_links, current_change, last_change, removed_since, written_since
from novum.opportunities.tokens import Lexicon, Reader, Tokens

Progress = Callable[[str, int], None]
"""Hears which step it is at, and how much of it is done."""


def ignore_progress(_: str, __: int) -> None:
    """Who wants to hear nothing."""


@dataclass(frozen=True, eq=False)
class PaperColumns:
    """All papers of a library as of a change, in order of their years, those without one first. `links`: row numbers of
    the library, citing beside cited."""

    tokens: Tokens
    words: Lexicon = field(default_factory=Lexicon)
    filed: Lexicon = field(default_factory=Lexicon)
    venues: Lexicon = field(default_factory=Lexicon)
    links: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    change: int = -1
    library: str = ""


def read_columns(
    library: Library, before: PaperColumns | None = None, progress: Progress = ignore_progress
) -> PaperColumns:
    """The library as it is now. `before`: as it was; only papers written since are read. Raises LibraryError."""
    change, whose = last_change(library), current_change(library)
    if before is None or before.library != whose or before.change > change:
        before = PaperColumns(Tokens.empty())
    if before.change == change:
        return before
    reader = Reader(before.words, before.filed, before.venues)
    parts, done = [Tokens.empty()], 0
    for page in written_since(library, before.change, change):
        parts.append(reader.read(page))
        done += len(page)
        progress("reading papers", done)
    news = _together(parts)
    replaced = np.concatenate([news.number, np.array(removed_since(library, before.change), np.int64)])
    selected = np.flatnonzero(~np.isin(before.tokens.number, replaced))
    tokens = (before.tokens.chosen(selected) if len(before.tokens) else before.tokens).joined(news)
    del before, news, parts
    tokens = tokens.chosen(np.lexsort((tokens.number, tokens.year)))
    words, filed, venues = tokens.renumber(reader.words, reader.filed, reader.venues)
    return PaperColumns(tokens, words, filed, venues, all_links(library), change, whose)


def _together(parts: list[Tokens]) -> Tokens:
    """Joined by halves, so that no column is copied more often than a logarithm."""
    while len(parts) > 1:
        parts = [one.joined(other) for one, other in zip(parts[::2], parts[1::2], strict=False)] + (
            parts[-1:] if len(parts) % 2 else []
        )
    return parts[0]


@dataclass(frozen=True, eq=False)
class DatedPapers:
    """The papers that have a year, in order of their years, those of one year in order of arrival. `cites`: rows that
    each paper cites, each paper's up to `cites_to`; `undated`: papers left out, which belong to no time."""

    tokens: Tokens
    cites: NDArray[np.int32]
    cites_to: Ints
    undated: int

    @classmethod
    def of(cls, papers: PaperColumns) -> DatedPapers:
        """In order of time."""
        dated, undated = _dated(papers)
        cites, cites_to = _cites(dated.number, papers.links)
        return cls(dated, cites, cites_to, undated)

    @classmethod
    def from_stored(cls, papers: PaperColumns, cites: NDArray[np.int32], cites_to: Ints) -> DatedPapers:
        """The same with links that were kept. Raises ValueError where these are damaged."""
        dated, undated = _dated(papers)
        if cites.ndim != 1 or cites_to.shape != (len(dated),) or {cites.dtype.kind, cites_to.dtype.kind} != {"i"}:
            raise ValueError("the links between its papers are damaged")
        ends = np.concatenate([[0], cites_to])
        beyond = len(cites) and (cites.min() < 0 or cites.max() >= len(dated))
        if ends[-1] != len(cites) or (np.diff(ends) < 0).any() or beyond:
            raise ValueError("the links between its papers are damaged")
        return cls(dated, cites, cites_to, undated)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def years(self) -> NDArray[np.int16]:
        """Shape (n,), ascending."""
        return self.tokens.year

    def until(self, year: int) -> int:
        """How many papers there are up to the end of a year: their rows come first."""
        return int(np.searchsorted(self.years, year, side="right"))

    def filed(self) -> tuple[NDArray[np.int32], Ints]:
        """What each paper is filed under, all one after the other, and to which row each entry belongs."""
        counts = np.diff(self.tokens.fields_to, prepend=0)
        return self.tokens.fields, np.repeat(np.arange(len(self)), counts)


def _dated(papers: PaperColumns) -> tuple[Tokens, int]:
    """Those with a year, and how many have none."""
    undated = int(np.searchsorted(papers.tokens.year, 0, side="right"))
    return papers.tokens.since(undated), undated


def _cites(numbers: Ints, links: Ints) -> tuple[NDArray[np.int32], Ints]:
    """Row numbers of the library as rows of the shelf; links of papers that are not on it are left out."""
    by_number = np.argsort(numbers)
    ranked = numbers[by_number]
    rows = np.stack([_found(ranked, by_number, links[:, side]) for side in (0, 1)], axis=1)
    rows = rows[(rows >= 0).all(axis=1)]
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    return rows[:, 1].astype(np.int32), np.cumsum(np.bincount(rows[:, 0], minlength=len(numbers)))


def _found(ranked: Ints, order: Ints, wanted: Ints) -> Ints:
    if not len(ranked):
        return np.full(len(wanted), -1)
    place = np.minimum(np.searchsorted(ranked, wanted), len(ranked) - 1)
    return np.where(ranked[place] == wanted, order[place], -1)
