"""Which papers hold which phrases: groups of up to three words that no stop word and no full stop parts.

Three word numbers make one whole number, so that phrases are counted, compared and taken apart by arithmetic on
columns. What too few papers hold is left out by a table of counters of fixed size before anything is sorted: memory is
bounded by what is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Ints
from novum.opportunities.tokens import FIRST, GIST, KEYWORDS, Tokens

BITS = 21
_MASK = (1 << BITS) - 1
_LONGEST = 3
IN_TITLE, IN_GIST, IN_KEYWORDS, CLOSED, WHOLE = 1, 2, 4, 8, 16
"""Marks of a phrase in a paper: where it stands; that somewhere no word follows it, or none stands beside it."""
_AT_ONCE = 2_000_000
"""Words looked at together."""
_FEWEST_BITS, _MOST_BITS = 12, 27
"""Of the number of a counter."""
_MIX = np.uint64(0x9E3779B97F4A7C15)

Places = NDArray[np.int32]
Flags = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class TokenText:
    """Papers as they are read. `forms`: the number that stands for each word; `weak`: words that tell nothing without
    another, both by word number; `unread`: marks of the places that are not read, abstracts or keywords."""

    tokens: Tokens
    forms: NDArray[np.int32]
    weak: Bools
    unread: int


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """`keys`: phrases, ascending, shape (p,). Each of the others has one entry for a phrase in a paper, ordered by
    paper: its row, the place of the phrase in `keys`, and the marks."""

    keys: Ints
    paper: NDArray[np.int32]
    phrase: NDArray[np.int32]
    marks: Flags

    @classmethod
    def found(cls, text: TokenText, fewest: int) -> PhraseTable:
        """Those that `fewest` of the papers or more may hold."""
        bits = int(np.clip(len(text.tokens.words).bit_length() + 2, _FEWEST_BITS, _MOST_BITS))
        counters = np.zeros(1 << bits, np.uint32)
        for block in _blocks(text.tokens):
            for keys, _, _ in _groups(text, block):
                np.add.at(counters, _slot(keys, bits), 1)
        enough = counters >= fewest
        del counters
        raw = [_kept(text, block, enough) for block in _blocks(text.tokens)]
        keys = _frequent((part[0] for part in raw), fewest)
        numbered = [_numbered(keys, *raw.pop(0)) for _ in range(len(raw))]  # what is done with is let go
        phrase, paper, marks = (np.concatenate(column) for column in zip(*numbered, strict=True))
        return cls(keys, paper, phrase, marks)

    def before(self, papers: int) -> slice:
        """The entries of the first so many papers."""
        return slice(0, int(np.searchsorted(self.paper, papers)))


def words_of(keys: Ints) -> Ints:
    """The word numbers of phrases, shape (n, 3), 0 where there is none."""
    return np.stack([(keys >> (BITS * place)) & _MASK for place in range(_LONGEST)], axis=1)


def packed(words: Ints) -> Ints:
    """Phrases of word numbers, shape (n, up to 3), those of shorter ones first and then 0."""
    keys = np.zeros(len(words), np.int64)
    for place in range(words.shape[1]):
        keys |= words[:, place] << (BITS * place)
    return keys


def _frequent(parts: Iterable[Ints], fewest: int) -> Ints:
    """Those that stand in the parts so often, ascending."""
    keys, counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for part in parts:
        fresh, times = np.unique(part, return_counts=True)
        together, place = np.unique(np.concatenate([keys, fresh]), return_inverse=True)
        counts = np.bincount(place, np.concatenate([counts, times]), len(together)).astype(np.int64)
        keys = together
    return keys[counts >= fewest]


def _numbered(keys: Ints, raw: Ints, paper: Places, marks: Flags) -> tuple[Places, Places, Flags]:
    """The entries of these keys, each by its place among them."""
    place = np.minimum(np.searchsorted(keys, raw), max(len(keys) - 1, 0)).astype(np.int32)
    known = keys[place] == raw if len(keys) else np.zeros(len(raw), bool)
    return place[known], paper[known], marks[known]


def _slot(keys: Ints, bits: int) -> Ints:
    mixed = (keys.astype(np.uint64) * _MIX) >> np.uint64(64 - bits)
    return mixed.astype(np.int64)


def _blocks(tokens: Tokens) -> Iterator[slice]:
    """Rows whose words fit into memory together; one row at least."""
    begin = 0
    while begin < len(tokens):
        base = int(tokens.words_to[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(tokens.words_to, base + _AT_ONCE, side="right")), begin + 1)
        yield slice(begin, end)
        begin = end
    if not len(tokens):
        yield slice(0, 0)


def _groups(text: TokenText, block: slice) -> Iterator[tuple[Ints, Ints, Flags]]:
    """Phrases of one, two and three words where they stand: the phrase, the row, the marks."""
    tokens = text.tokens
    base = int(tokens.words_to[block.start - 1]) if block.start else 0
    counts = np.diff(tokens.words_to[block], prepend=base)
    raw = np.concatenate([np.asarray(tokens.words[base : base + int(counts.sum())]), np.zeros(_LONGEST, np.int32)])
    words = text.forms[raw].astype(np.int64)
    owner = np.repeat(np.arange(block.start, block.stop), counts)
    is_word, weakness = raw >= FIRST, text.weak[words]
    ends = is_word & ~np.append(is_word[1:], False)
    begins = is_word & ~np.append(False, is_word[:-1])
    place = _place(raw[: len(owner)], counts)
    read = (place & text.unread) == 0
    for size in range(1, _LONGEST + 1):
        inside, values = is_word[: len(owner)] & read, ~weakness[: len(owner)]
        for step in range(1, size):
            inside &= is_word[step : len(owner) + step]
            values |= ~weakness[step : len(owner) + step]
        at = np.flatnonzero(inside & values)
        closed = ends[at + size - 1]
        marks = place[at] | np.where(closed, CLOSED, 0) | np.where(closed & begins[at], WHOLE, 0)
        keys = packed(np.stack([words[at + step] for step in range(size)], axis=1))
        yield keys, owner[at], marks.astype(np.uint8)


def _place(raw: NDArray[np.int32], counts: Ints) -> NDArray[np.uint8]:
    """Where each word stands: title, gist, keywords."""
    passed = np.cumsum((raw == GIST) | (raw == KEYWORDS))
    first = np.cumsum(counts) - counts
    before = np.where(first > 0, passed[first - 1], 0) if len(passed) else first
    section = passed - np.repeat(before, counts)
    place: Flags = np.array([IN_TITLE, IN_GIST, IN_KEYWORDS], np.uint8)[np.minimum(section, 2)]
    return place


def _kept(text: TokenText, block: slice, enough: Bools) -> tuple[Ints, NDArray[np.int32], Flags]:
    """Each phrase once a paper, its marks together."""
    results = []
    for all_keys, all_owners, all_marks in _groups(text, block):
        may = enough[_slot(all_keys, len(enough).bit_length() - 1)]
        results.append((all_keys[may], all_owners[may], all_marks[may]))
    keys, owner, marks = (np.concatenate(column) for column in zip(*results, strict=True))
    order = np.lexsort((keys, owner))
    keys, owner, marks = keys[order], owner[order], marks[order]
    new = np.ones(len(keys), bool)
    new[1:] = (keys[1:] != keys[:-1]) | (owner[1:] != owner[:-1])
    starts = np.flatnonzero(new)
    together = np.bitwise_or.reduceat(marks, starts) if len(starts) else marks
    return keys[starts], owner[starts].astype(np.int32), together
