"""What an exploration works with: the library, models and run of a lab, and the way to live sources."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Protocol

from novum.ledger import Run
from novum.literature import PaperLibrary
from novum.llm import Models

LiveSearch = Callable[[str, dt.date | None], Awaitable[None]]
"""Brings papers for a query into the library, none from the given day on. Raises SourceError when no source answers."""


class Desk(Protocol):
    """As much of a lab as reading needs."""

    @property
    def library(self) -> PaperLibrary: ...

    @property
    def models(self) -> Models: ...

    @property
    def run(self) -> Run: ...
