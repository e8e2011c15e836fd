"""What does not fit in memory waits in a file: objects are put in one after the other, and read again by place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import orjson

from novum.training.reviews.raw import RawPaper, RawReview


class ObjectFile:
    """A file of JSON lines at `path`, in a folder that is there. Raises OSError when the disk is full."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("w+b")
        self._end = 0

    def put(self, value: object) -> int:
        """Where it stands from now on."""
        place = self._end
        self._file.seek(place)
        self._end += self._file.write(orjson.dumps(value) + b"\n")
        return place

    def get(self, place: int) -> Any:
        """What was put there."""
        self._file.seek(place)
        return orjson.loads(self._file.readline())

    def paper(self, place: int) -> RawPaper:
        """A raw paper that was put there."""
        return as_raw_paper(self.get(place))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def as_raw_paper(found: Mapping[str, Any]) -> RawPaper:
    """A raw paper from its JSON form."""
    reviews = [RawReview(**each) for each in found["reviews"]]
    return RawPaper(**{**found, "reviews": reviews})
