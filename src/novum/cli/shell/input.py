"""Reads lines from standard input without blocking the event loop or the end of the program."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Final

_STDIN: Final = 0
_AT_ONCE = 65_536
_LONGEST = 100_000
"""Bytes of a line at most; the rest becomes another line."""


class TypedLines:
    """Lines of standard input. A reading thread would keep a stopped program waiting for a line that never comes."""

    def __init__(self) -> None:
        self._read = b""
        self._ended = False

    async def next(self, prompt: str) -> str:
        """The next line that is not blank, after showing `prompt` on stderr; empty when there are no more."""
        while True:
            print(prompt, end="", file=sys.stderr, flush=True)
            line = await self._line()
            if line is None:
                return ""
            if line.strip():
                return line.strip()

    async def _line(self) -> str | None:
        while b"\n" not in self._read and len(self._read) < _LONGEST and not self._ended:
            await _until_readable()
            more = os.read(_STDIN, _AT_ONCE)
            self._ended = not more
            self._read += more
        if not self._read:
            return None
        line, _, self._read = self._read.partition(b"\n") if b"\n" in self._read else (self._read, b"", b"")
        return line.decode("utf-8", "replace")


async def _until_readable() -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(_STDIN, ready.set)
    except PermissionError:  # a file: reading it never blocks
        return
    try:
        await ready.wait()
    finally:
        loop.remove_reader(_STDIN)
