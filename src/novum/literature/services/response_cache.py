"""Responses of services on disk, so that an interrupted command does not repeat its requests."""

from __future__ import annotations

import asyncio
import hashlib
import time
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import orjson

from novum.files.atomic import atomic_path
from novum.files.inputs import read_plain
from novum.files.locks import lock_if_free
from novum.files.private import make_private_folder
from novum.literature.sources.source import Request

WEEK = 7 * 24 * 3600.0
LARGEST = 64_000_000
"""Bytes of an answer."""
_ROOM_FOR_QUESTION = 2_000_000
_POLL = 0.1
"""Seconds between two looks at a request of another process."""


class ResponseCache:
    """A folder of responses, each in a compressed file that is named by a hash of its request.

    Requests contain no keys, and so neither do the files. A file that cannot be read, is too old or belongs to another
    request is ignored. Any number of processes may share a folder.
    """

    def __init__(self, folder: Path, age: float = WEEK, now: Callable[[], float] = time.time) -> None:
        """`age`: seconds for which a response is used; `now`: returns seconds since 1970."""
        self._folder = folder
        self._age = age
        self._now = now

    def get(self, request: Request, age: float | None = None) -> bytes | None:
        """The stored response, if it is not older than `age` seconds and than the age of the cache."""
        try:
            packed = read_plain(self._place(request))
            unpacking = zlib.decompressobj()
            whole = unpacking.decompress(packed, LARGEST + _ROOM_FOR_QUESTION)
        except (OSError, zlib.error):
            return None
        head, _, answer = whole.partition(b"\n")
        oldest = self._age if age is None else min(age, self._age)
        return answer if unpacking.eof and self._holds(head, request, oldest) else None

    def put(self, request: Request, answer: bytes) -> None:
        """Stores a response. When it cannot be written, it is not stored."""
        head = orjson.dumps({"at": self._now(), "question": request_key(request).decode()})
        place = self._place(request)
        with suppress(OSError):
            make_private_folder(place.parent)
            with atomic_path(place) as draft:
                draft.write_bytes(zlib.compress(head + b"\n" + answer, level=6))

    @asynccontextmanager
    async def claim(self, request: Request, longest: float) -> AsyncIterator[None]:
        """Entered by one task at a time, of all processes that share the folder: the others wait, as its response may
        be stored then. After `longest` seconds they wait no more. A claim ends with its process."""
        place, end = self._place(request).with_suffix(".claim"), time.monotonic() + longest
        with suppress(OSError):
            make_private_folder(place.parent)
        while True:
            with lock_if_free(place) as ours:
                if ours or time.monotonic() > end:
                    yield
                    return
            await asyncio.sleep(_POLL)

    def sweep(self) -> None:
        """Removes files that are too old, also unfinished files of killed processes."""
        oldest = self._now() - self._age
        for file in self._folder.glob("*/*"):
            with suppress(OSError):
                if file.stat().st_mtime < oldest:
                    file.unlink()

    def _place(self, request: Request) -> Path:
        name = hashlib.blake2b(request_key(request), digest_size=20).hexdigest()
        return self._folder / name[:2] / f"{name[2:]}.z"

    def _holds(self, head: bytes, request: Request, oldest: float) -> bool:
        try:
            known = orjson.loads(head)
            age = self._now() - float(known["at"])
            return bool(0 <= age <= oldest and known["question"] == request_key(request).decode())
        except (ValueError, TypeError, KeyError):
            return False


def request_key(request: Request) -> bytes:
    """A request as JSON: address, parameters sorted by name, body."""
    body = request.body.decode("utf-8", "backslashreplace")
    return orjson.dumps([request.url, sorted(request.parameters.items()), body])
