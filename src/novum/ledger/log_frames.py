"""The log beside an SQLite file: which pages stand in it, and how many of them SQLite passes over. SQLite stops reading
at the first frame whose checksum is wrong, as after a loss of power; what follows a damaged byte is passed over too.

After the description of the log at sqlite.org/fileformat2.html, section 4.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_ORDER_OF_CHECKSUM = {0x377F0682: "<II", 0x377F0683: ">II"}
_HEADER, _FRAME_HEADER = 32, 24


@dataclass(frozen=True)
class LogFrame:
    """One page in the log."""

    place: int
    """Counted from 1."""
    page: int
    """The number of the page in the database."""
    commits: bool
    """Whether a transaction ends with it."""
    start: int
    """Where it begins in the log, in bytes."""


def present_frames(log: bytes, page_size: int) -> Iterator[LogFrame]:
    """All whole frames that were written since the log was begun anew, whatever their checksums. Behind them may stand
    those of earlier rounds."""
    length = _FRAME_HEADER + page_size
    starts = range(_HEADER, len(log) - length + 1, length)
    mark = _mark_of_round(log, starts)
    for place, start in enumerate(starts, 1):
        page, pages_after_commit = struct.unpack_from(">II", log, start)
        if log[start + 8 : start + 16] == mark:
            yield LogFrame(place, page, pages_after_commit > 0, start)


def _mark_of_round(log: bytes, starts: range) -> bytes:
    """The eight bytes that all frames of a round have: those of the header, unless it is damaged."""
    marks = Counter(log[start + 8 : start + 16] for start in starts)
    return log[16:24] if log[16:24] in marks or not marks else marks.most_common(1)[0][0]


def lost_frames(log: bytes, page_size: int, accepted: int) -> int:
    """How many frames of finished transactions SQLite passes over, when it accepts this many: 0 unless the log is
    damaged.

    Behind the accepted ones may stand a transaction that was not finished. The end of a finished one shows the damage.
    A single end that is not whole itself, with frames of earlier rounds behind it, is none: there a process was ended
    while it wrote.
    """
    ends = [frame for frame in present_frames(log, page_size) if frame.commits and frame.place > accepted]
    stops_there = len(ends) == 1 and ends[0].start + _FRAME_HEADER + page_size < len(log)
    if not ends or (stops_there and not _is_whole(log, ends[0], page_size)):
        return 0
    return ends[-1].place - accepted


def committed_pages(log: bytes, page_size: int) -> Mapping[int, bytes]:
    """The newest content of each page in a log, of finished transactions and frames that are not damaged."""
    pages: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for frame in present_frames(log, page_size):
        if _is_whole(log, frame, page_size):
            content = frame.start + _FRAME_HEADER
            pending[frame.page] = log[content : content + page_size]
        if frame.commits:
            pages |= pending
            pending = {}
    return pages


def _is_whole(log: bytes, frame: LogFrame, page_size: int) -> bool:
    """Whether the checksum of a frame, which goes on from that of the frame before, is right."""
    order = _ORDER_OF_CHECKSUM.get(int.from_bytes(log[:4], "big"), "<II")
    before = frame.start - page_size - 8 if frame.place > 1 else _HEADER - 8
    first, second = struct.unpack_from(">II", log, before)
    content = frame.start + _FRAME_HEADER
    for summed in (log[frame.start : frame.start + 8], log[content : content + page_size]):
        for even, odd in struct.iter_unpack(order, summed):
            first = (first + even + second) & 0xFFFFFFFF
            second = (second + odd + first) & 0xFFFFFFFF
    return (first, second) == struct.unpack_from(">II", log, frame.start + 16)
