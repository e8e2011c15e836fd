"""How much one PDF may cost. A PDF is a program for a machine that draws pages: it can run for ever."""

from __future__ import annotations

from novum.core import Value


class Unreadable(ValueError):
    """Nothing can be read from this file; the message says why, and what to do where there is something."""


class PdfLimits(Value):
    """Of one PDF."""

    memory: int = 2 << 30
    """Bytes, on top of what the child takes to start. Held on Linux; elsewhere the time limits alone hold."""
    cpu: int = 60
    """Seconds of computing."""
    seconds: float = 120.0
    """From the beginning to the end of its reading, waiting included."""
    pages: int = 300
    """Read from its beginning."""
