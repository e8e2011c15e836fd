"""The phrases of papers: up to three consecutive words without a stop word or full stop between them.

Three word numbers are packed into one integer, so that phrases are counted, compared and split by arithmetic on
columns. Before anything is sorted, phrases of too few papers are excluded by a table of counters of fixed size, which
bounds memory by the number of remaining phrases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novum.core.arrays import Bools, Ints, positions_in
from novum.opportunities.tokens import FIRST, GIST, KEYWORDS, Tokens

BITS = 21
_MASK = (1 << BITS) - 1
_LONGEST = 3
IN_TITLE, IN_GIST, IN_KEYWORDS, CLOSED, WHOLE = 1, 2, 4, 8, 16
"""Marks of a phrase in a paper: where it occurs; that it occurs with no word after it, or with none on either side."""
_AT_ONCE = 2_000_000
"""Words that are processed together."""
_FEWEST_BITS, _MOST_BITS = 12, 27
"""Limits of the number of bits of a counter's index."""
_MIX = np.uint64(0x9E3779B97F4A7C15)

Places = NDArray[np.int32]
Flags = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class TokenText:
    """The words of papers and how to read them. `forms`: the number of the form that replaces each word; `weak`:
    whether a word means nothing without another one, both by word number; `unread`: marks of the parts that are
    skipped, abstracts or keywords."""

    tokens: Tokens
    forms: NDArray[np.int32]
    weak: Bools
    unread: int


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """Phrases and the papers that contain them. `keys`: packed phrases, ascending, shape (p,). The other columns have
    one entry for each phrase in a paper, ordered by paper: the row of the paper, the index of the phrase in `keys`, and
    the marks."""

    keys: Ints
    paper: NDArray[np.int32]
    phrase: NDArray[np.int32]
    marks: Flags

    @classmethod
    def of(cls, text: TokenText, fewest: int) -> PhraseTable:
        """The phrases that may be in at least `fewest` papers."""
        bits = int(np.clip(len(text.tokens.words).bit_length() + 2, _FEWEST_BITS, _MOST_BITS))
        counters = np.zeros(1 << bits, np.uint32)
        for block in _blocks(text.tokens):
            for keys, _, _ in _groups(text, block):
                np.add.at(counters, _slot(keys, bits), 1)
        enough = counters >= fewest
        del counters
        raw = [_phrases_of_papers(text, block, enough) for block in _blocks(text.tokens)]
        keys = _frequent((part[0] for part in raw), fewest)
        numbered = [_numbered(keys, *raw.pop(0)) for _ in range(len(raw))]  # frees the memory of each part
        phrase, paper, marks = (np.concatenate(column) for column in zip(*numbered, strict=True))
        return cls(keys, paper, phrase, marks)

    def before(self, papers: int) -> slice:
        """The entries of the first `papers` papers."""
        return slice(0, int(np.searchsorted(self.paper, papers)))


def words_of(keys: Ints) -> Ints:
    """The word numbers of packed phrases, shape (n, 3); 0 after the last word of a phrase."""
    return np.stack([(keys >> (BITS * place)) & _MASK for place in range(_LONGEST)], axis=1)


def packed(words: Ints) -> Ints:
    """Packs word numbers of shape (n, up to 3) into phrases, shape (n,); shorter phrases end in zeros."""
    keys = np.zeros(len(words), np.int64)
    for place in range(words.shape[1]):
        keys |= words[:, place] << (BITS * place)
    return keys


def _frequent(parts: Iterable[Ints], fewest: int) -> Ints:
    """The phrases that occur at least `fewest` times in all parts, ascending."""
    keys, counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for part in parts:
        new, times = np.unique(part, return_counts=True)
        merged, place = np.unique(np.concatenate([keys, new]), return_inverse=True)
        counts = np.bincount(place, np.concatenate([counts, times]), len(merged)).astype(np.int64)
        keys = merged
    return keys[counts >= fewest]


def _numbered(keys: Ints, raw: Ints, paper: Places, marks: Flags) -> tuple[Places, Places, Flags]:
    """The entries whose phrase is in `keys`, with its index there instead of the phrase."""
    place = positions_in(keys, raw)
    known = place >= 0
    return place[known].astype(np.int32), paper[known], marks[known]


def _slot(keys: Ints, bits: int) -> Ints:
    mixed = (keys.astype(np.uint64) * _MIX) >> np.uint64(64 - bits)
    return mixed.astype(np.int64)


def _blocks(tokens: Tokens) -> Iterator[slice]:
    """Slices of papers whose words fit into memory together, at least one paper each."""
    begin = 0
    while begin < len(tokens):
        base = int(tokens.words_to[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(tokens.words_to, base + _AT_ONCE, side="right")), begin + 1)
        yield slice(begin, end)
        begin = end
    if not len(tokens):
        yield slice(0, 0)


def _groups(text: TokenText, block: slice) -> Iterator[tuple[Ints, Ints, Flags]]:
    """The occurrences of phrases of one, two and three words: packed phrases, rows of papers, and marks."""
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
        inside, has_meaning = is_word[: len(owner)] & read, ~weakness[: len(owner)]
        for step in range(1, size):
            inside &= is_word[step : len(owner) + step]
            has_meaning |= ~weakness[step : len(owner) + step]
        at = np.flatnonzero(inside & has_meaning)
        closed = ends[at + size - 1]
        marks = place[at] | np.where(closed, CLOSED, 0) | np.where(closed & begins[at], WHOLE, 0)
        keys = packed(np.stack([words[at + step] for step in range(size)], axis=1))
        yield keys, owner[at], marks.astype(np.uint8)


def _place(raw: NDArray[np.int32], counts: Ints) -> NDArray[np.uint8]:
    """The part of the paper that each word is in: title, gist or keywords, as a mark."""
    passed = np.cumsum((raw == GIST) | (raw == KEYWORDS))
    first = np.cumsum(counts) - counts
    before = np.where(first > 0, passed[first - 1], 0) if len(passed) else first
    section = passed - np.repeat(before, counts)
    place: Flags = np.array([IN_TITLE, IN_GIST, IN_KEYWORDS], np.uint8)[np.minimum(section, 2)]
    return place


def _phrases_of_papers(text: TokenText, block: slice, enough: Bools) -> tuple[Ints, NDArray[np.int32], Flags]:
    """Each phrase once for each paper, with all its marks: packed phrases, rows of papers, and marks."""
    results = []
    for all_keys, all_owners, all_marks in _groups(text, block):
        frequent = enough[_slot(all_keys, len(enough).bit_length() - 1)]
        results.append((all_keys[frequent], all_owners[frequent], all_marks[frequent]))
    keys, owner, marks = (np.concatenate(column) for column in zip(*results, strict=True))
    order = np.lexsort((keys, owner))
    keys, owner, marks = keys[order], owner[order], marks[order]
    new = np.ones(len(keys), bool)
    new[1:] = (keys[1:] != keys[:-1]) | (owner[1:] != owner[:-1])
    starts = np.flatnonzero(new)
    all_marks = np.bitwise_or.reduceat(marks, starts) if len(starts) else marks
    return keys[starts], owner[starts].astype(np.int32), all_marks
