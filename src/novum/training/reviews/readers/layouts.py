"""Determine the layout of a record from its content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from novum.literature.importing.record import UnusableRecord
from novum.training.reviews.raw import RawPaper
from novum.training.reviews.readers import chat, nlpeer, openreview, paperlists, peerread, plain
from novum.training.reviews.readers.place import Place

ReviewRecord = Mapping[str, object]


@dataclass(frozen=True)
class Layout:
    """A layout of review data: its name, a test, and a reader."""

    name: str
    fits: Callable[[ReviewRecord], bool]
    read: Callable[[ReviewRecord, Place], Iterator[RawPaper]]


LAYOUTS = (
    Layout("OpenReview API", openreview.fits, openreview.read),
    Layout("NLPeer", nlpeer.fits, nlpeer.read),
    Layout("PeerRead", peerread.fits, peerread.read),
    Layout("paper list", paperlists.fits, paperlists.read),
    Layout("paper with reviews", plain.fits, plain.read),
    Layout("conversations", chat.fits, chat.read),
)
"""More specific layouts come first."""


def layout_of(record: object) -> Layout:
    """The layout of a record. Raises UnusableRecord if none fits."""
    if not isinstance(record, Mapping):
        raise UnusableRecord("not a JSON object")
    layout = next((layout for layout in LAYOUTS if layout.fits(record)), None)
    if layout is None:
        raise UnusableRecord(f"no known layout of reviews has these fields: {', '.join(sorted(map(str, record))[:8])}")
    return layout
