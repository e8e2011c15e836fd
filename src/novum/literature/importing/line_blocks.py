"""Splits a text stream with one record per line into blocks of records, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from novum.literature.importing.lenient_json import LONGEST_LINE
from novum.literature.importing.text_stream import TextStream

_MOST_LINES = 10_000
"""Lines of one block."""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive records, not parsed."""

    first: int
    """The number of the first one, from 1."""
    records: list[bytes]
    end: int
    """Where the text after them begins."""

    @property
    def next_record(self) -> int:
        """The number of the next record."""
        return self.first + len(self.records)


def line_blocks(text: TextStream, first: int = 1) -> Iterator[Block]:
    """Lines, numbered from `first`; a line that is too long is cut."""
    rest = b""
    while chunk := text.chunk():
        if not rest and not chunk.strip():
            first += chunk.count(b"\n")
            continue
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        if len(rest) > LONGEST_LINE:
            lines.append(rest[: LONGEST_LINE + 1])
            rest = _behind_the_line(text)
        yield from _in_pieces(first, lines, text.position - len(rest))
        first += len(lines)
    if rest and not text.damage:
        yield Block(first, [rest], text.position)


def _in_pieces(first: int, lines: list[bytes], end: int) -> Iterator[Block]:
    """Blocks of these lines, the last of which ends at `end`. A megabyte of short lines would be half a million."""
    if len(lines) <= _MOST_LINES:
        if lines:
            yield Block(first, lines, end)
        return
    after = sum(map(len, lines[_MOST_LINES:])) + len(lines) - _MOST_LINES
    for start in range(0, len(lines), _MOST_LINES):
        piece = lines[start : start + _MOST_LINES]
        yield Block(first + start, piece, end - after)
        following = lines[start + _MOST_LINES : start + 2 * _MOST_LINES]
        after -= sum(map(len, following)) + len(following)


def _behind_the_line(text: TextStream) -> bytes:
    """The text after the current line, as far as it was read."""
    while chunk := text.chunk():
        _, newline, rest = chunk.partition(b"\n")
        if newline:
            return rest
    return b""
