"""A temporary file of JSON objects that do not fit in memory: objects are appended, and read by their position."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import orjson

from novum.training.reviews.raw import RawPaper, RawReview


class ObjectFile:
    """A file of JSON lines at `path`, in an existing folder. Raises OSError when the disk is full."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("w+b")
        self._end = 0

    def put(self, value: object) -> int:
        """Append `value` and return its position in bytes."""
        place = self._end
        self._file.seek(place)
        self._end += self._file.write(orjson.dumps(value) + b"\n")
        return place

    def get(self, place: int) -> Any:
        """The object at this position."""
        self._file.seek(place)
        return orjson.loads(self._file.readline())

    def paper(self, place: int) -> RawPaper:
        """The raw paper at this position."""
        return as_raw_paper(self.get(place))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def as_raw_paper(record: Mapping[str, Any]) -> RawPaper:
    """A raw paper from its JSON form."""
    reviews = [RawReview(**each) for each in record["reviews"]]
    return RawPaper(**{**record, "reviews": reviews})
