"""What a training process tells its parent: lines of JSON on its standard output, marked as ours among all others."""

from __future__ import annotations

import os
import threading
from typing import Any

import orjson

MARK = b"\x1enovum "


class EventWriter:
    """Writes whole lines past all buffers. When nobody listens any more, `deaf` is set and nothing is written."""

    def __init__(self, *, speaks: bool = True) -> None:
        self._speaks = speaks
        self.deaf = threading.Event()

    def __call__(self, kind: str, **told: Any) -> None:
        if not self._speaks or self.deaf.is_set():
            return
        try:
            os.write(1, b"\n" + MARK + orjson.dumps({"kind": kind, **told}) + b"\n")
        except OSError:
            self.deaf.set()


def parse_event(line: bytes) -> dict[str, Any] | None:
    """What a line tells, if it is one of ours."""
    if not line.startswith(MARK):
        return None
    try:
        found = orjson.loads(line[len(MARK) :])
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) and isinstance(found.get("kind"), str) else None
