"""Which layout a record is of, by its content alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from novum.literature.importing.record import UnusableRecord
from novum.training.reviews.raw import RawPaper
from novum.training.reviews.readers import chat, nlpeer, openreview, paperlists, peerread
from novum.training.reviews.readers import plain as house
from novum.training.reviews.readers.place import Place

ReviewRecord = Mapping[str, object]


@dataclass(frozen=True)
class Layout:
    """A way in which reviews are handed on."""

    name: str
    fits: Callable[[ReviewRecord], bool]
    read: Callable[[ReviewRecord, Place], Iterator[RawPaper]]


LAYOUTS = (
    Layout("OpenReview API", openreview.fits, openreview.read),
    Layout("NLPeer", nlpeer.fits, nlpeer.read),
    Layout("PeerRead", peerread.fits, peerread.read),
    Layout("paper list", paperlists.fits, paperlists.read),
    Layout("paper with reviews", house.fits, house.read),
    Layout("conversations", chat.fits, chat.read),
)
"""The more particular ones first."""


def layout_of(record: object) -> Layout:
    """Raises Unusable where it is of none."""
    if not isinstance(record, Mapping):
        raise UnusableRecord("not a JSON object")
    found = next((layout for layout in LAYOUTS if layout.fits(record)), None)
    if found is None:
        raise UnusableRecord(
            f"no layout with reviews is known that has these fields: {', '.join(sorted(map(str, record))[:8])}"
        )
    return found
