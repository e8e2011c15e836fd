"""What reading needs: the library, the models and the run of a lab, and a search of live sources."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Protocol

from novum.ledger import Run
from novum.literature import PaperLibrary
from novum.llm import Models

LiveSearch = Callable[[str, dt.date | None], Awaitable[None]]
"""Adds papers for a query, public before the given day, to the library. Raises SourceError when all sources fail."""


class ReadingLab(Protocol):
    """The part of a lab that reading needs."""

    @property
    def library(self) -> PaperLibrary: ...

    @property
    def models(self) -> Models: ...

    @property
    def run(self) -> Run: ...
