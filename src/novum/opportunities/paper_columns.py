"""A library's papers as columns, read in one pass. Papers of the last build are not read again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Ints, positions_in
from novum.literature import Library
from novum.literature.changes import all_links, current_change, last_change, removed_since, written_since
from novum.opportunities.tokens import Lexicon, Reader, Tokens

Progress = Callable[[str, int], None]
"""A function that is called with the present step and the number of things done in it."""


def ignore_progress(_: str, __: int) -> None:
    """Does nothing."""


@dataclass(frozen=True, eq=False)
class PaperColumns:
    """All papers of a library as of a change, ordered by year, those without a year first. `links`: numbers of citing
    and cited papers in the library, shape (links, 2)."""

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
    """The papers of the library. `before`: the columns of an earlier state; only papers written since are read. Raises
    LibraryError."""
    change, version = last_change(library), current_change(library)
    if before is None or before.library != version or before.change > change:
        before = PaperColumns(Tokens.empty())
    if before.change == change:
        return before
    reader = Reader(before.words, before.filed, before.venues)
    parts, done = [Tokens.empty()], 0
    for page in written_since(library, before.change, change):
        parts.append(reader.read(page))
        done += len(page)
        progress("reading papers", done)
    new = _concatenated(parts)
    replaced = np.concatenate([new.number, np.array(removed_since(library, before.change), np.int64)])
    unchanged = np.flatnonzero(~np.isin(before.tokens.number, replaced))
    tokens = (before.tokens.take(unchanged) if len(before.tokens) else before.tokens).followed_by(new)
    del before, new, parts
    tokens = tokens.take(np.lexsort((tokens.number, tokens.year)))
    words, filed, venues = tokens.renumber(reader.words, reader.filed, reader.venues)
    return PaperColumns(tokens, words, filed, venues, all_links(library), change, version)


def _concatenated(parts: list[Tokens]) -> Tokens:
    """All parts, joined in pairs, so that no column is copied more than log₂(number of parts) times."""
    while len(parts) > 1:
        parts = [one.followed_by(other) for one, other in zip(parts[::2], parts[1::2], strict=False)] + (
            parts[-1:] if len(parts) % 2 else []
        )
    return parts[0]


@dataclass(frozen=True, eq=False)
class DatedPapers:
    """The papers that have a year, ordered by year, then by arrival; a paper is its row. `cites`: rows of the papers
    that each paper cites, concatenated, those of paper i ending at `cites_to[i]`; `undated`: number of papers left
    out."""

    tokens: Tokens
    cites: NDArray[np.int32]
    cites_to: Ints
    undated: int

    @classmethod
    def of(cls, papers: PaperColumns) -> DatedPapers:
        """The dated papers of all papers."""
        tokens, undated = _dated(papers)
        cites, cites_to = _cites(tokens.number, papers.links)
        return cls(tokens, cites, cites_to, undated)

    @classmethod
    def from_stored(cls, papers: PaperColumns, cites: NDArray[np.int32], cites_to: Ints) -> DatedPapers:
        """The same with stored links. Raises ValueError where these are damaged."""
        tokens, undated = _dated(papers)
        if cites.ndim != 1 or cites_to.shape != (len(tokens),) or {cites.dtype.kind, cites_to.dtype.kind} != {"i"}:
            raise ValueError("the links between its papers are damaged")
        ends = np.concatenate([[0], cites_to])
        beyond = len(cites) and (cites.min() < 0 or cites.max() >= len(tokens))
        if ends[-1] != len(cites) or (np.diff(ends) < 0).any() or beyond:
            raise ValueError("the links between its papers are damaged")
        return cls(tokens, cites, cites_to, undated)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def years(self) -> NDArray[np.int16]:
        """Years, ascending, shape (n,)."""
        return self.tokens.year

    def until(self, year: int) -> int:
        """The number of papers up to the end of a year; their rows come first."""
        return int(np.searchsorted(self.years, year, side="right"))

    def filed(self) -> tuple[NDArray[np.int32], Ints]:
        """The field numbers of all papers, concatenated, and the row of the paper of each."""
        counts = np.diff(self.tokens.fields_to, prepend=0)
        return self.tokens.fields, np.repeat(np.arange(len(self)), counts)


def _dated(papers: PaperColumns) -> tuple[Tokens, int]:
    """The papers with a year, and the number of those without."""
    undated = int(np.searchsorted(papers.tokens.year, 0, side="right"))
    return papers.tokens.since(undated), undated


def _cites(numbers: Ints, links: Ints) -> tuple[NDArray[np.int32], Ints]:
    """Links between papers of the given `numbers` as rows, without links of other papers: cited rows, and the end of
    each citing paper's."""
    by_number = np.argsort(numbers)
    place = positions_in(numbers[by_number], links)
    rows = by_number[place[(place >= 0).all(axis=1)]]
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    return rows[:, 1].astype(np.int32), np.cumsum(np.bincount(rows[:, 0], minlength=len(numbers)))
