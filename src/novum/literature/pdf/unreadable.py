"""Why a PDF could not become a paper."""

from __future__ import annotations


class Unreadable(ValueError):
    """Nothing can be read from this file; the message says why, and what to do where there is something."""
