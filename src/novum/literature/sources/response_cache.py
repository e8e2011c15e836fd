"""Answers of services, kept on disk: a run that died asks nothing again that was answered."""

from __future__ import annotations

import hashlib
import os
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import orjson

from novum.literature.sources.source import Request

WEEK = 7 * 24 * 3600.0
LARGEST = 64_000_000
"""Bytes of an answer."""
_ROOM_FOR_QUESTION = 2_000_000


class ResponseCache:
    """A folder of answers, one compressed file each, named by a hash of its question.

    A question holds no key, and so neither does a file. Whatever cannot be read, is too old or belongs to another
    question is as if it were not there. Any number of processes may share a folder.
    """

    def __init__(self, folder: Path, age: float = WEEK, now: Callable[[], float] = time.time) -> None:
        """`age`: seconds after which an answer is forgotten; `now`: seconds since 1970."""
        self._folder = folder
        self._age = age
        self._now = now

    def get(self, request: Request, age: float | None = None) -> bytes | None:
        """The answer that was kept, if it is young enough, and no older than `age` seconds."""
        try:
            packed = self._place(request).read_bytes()
            unpacking = zlib.decompressobj()
            whole = unpacking.decompress(packed, LARGEST + _ROOM_FOR_QUESTION)
        except (OSError, zlib.error):
            return None
        head, _, answer = whole.partition(b"\n")
        oldest = self._age if age is None else min(age, self._age)
        return answer if unpacking.eof and self._holds(head, request, oldest) else None

    def put(self, request: Request, answer: bytes) -> None:
        """Keep an answer. Where the disk refuses, it is simply not kept, and would be asked for again."""
        head = orjson.dumps({"at": self._now(), "question": request_key(request).decode()})
        place = self._place(request)
        half = place.with_name(f".{place.name}.{os.getpid()}")
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            half.write_bytes(zlib.compress(head + b"\n" + answer, level=6))
            half.replace(place)

    def sweep(self) -> None:
        """Remove what is too old to be used, and what a killed process left half-written."""
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
    """What is asked, as JSON: address, parameters in the order of their names, body."""
    body = request.body.decode("utf-8", "backslashreplace")
    return orjson.dumps([request.url, sorted(request.parameters.items()), body])
