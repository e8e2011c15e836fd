"""Events that a training process sends to its parent: marked lines of JSON on standard output."""

from __future__ import annotations

import os
import threading
from typing import Any

import orjson

MARK = b"\x1enovum "


class EventWriter:
    """Writes one event a line, unbuffered. If the parent closed the pipe, `closed` is set and nothing is written."""

    def __init__(self, *, enabled: bool = True) -> None:
        self._enabled = enabled
        self.closed = threading.Event()

    def __call__(self, kind: str, **payload: Any) -> None:
        if not self._enabled or self.closed.is_set():
            return
        try:
            os.write(1, b"\n" + MARK + orjson.dumps({"kind": kind, **payload}) + b"\n")
        except OSError:
            self.closed.set()


def parse_event(line: bytes) -> dict[str, Any] | None:
    """The event in a line of output; None for any other line."""
    if not line.startswith(MARK):
        return None
    try:
        event = orjson.loads(line[len(MARK) :])
    except orjson.JSONDecodeError:
        return None
    return event if isinstance(event, dict) and isinstance(event.get("kind"), str) else None
