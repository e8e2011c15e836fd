"""What all pages work with: settings, ledger and library opened once, jobs, live feeds, and the guard's memory."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import orjson
from fastapi import Depends, Request
from pydantic import JsonValue

from novum.core import Spend
from novum.errors import NovumError
from novum.lab import Workplace
from novum.ledger import Ledger, RunRecord
from novum.methods import get_method, method_names
from novum.runs.engine import ensure_library
from novum.runs.stored import status_of
from novum.settings import LoadedSettings, load_settings
from novum.web.live.boards import Boards
from novum.web.live.cleaning import clean
from novum.web.live.exports import Exports
from novum.web.live.feed import Feeds, Render
from novum.web.live.job_files import UPLOADS
from novum.web.live.jobs import Jobs
from novum.web.live.scoring import Scoring
from novum.web.marks import Marks
from novum.web.options import WebOptions
from novum.web.rendering import prepare_templates
from novum.web.security.audit import AuditLog
from novum.web.security.keys import Keys
from novum.web.security.rates import RateLimit

FOLDER = "workbench"
"""The folder of the workbench in the home folder of Novum."""
_MOST_SUMMARIES = 500
REPORTS = "reports"
_CLEANING = 600.0
"""Seconds between two times at which old files are removed."""
_SUPERVISION = 2.0
"""Seconds between two looks for jobs whose process is gone."""


@dataclass(frozen=True)
class RunSummary:
    """A run in a list: its record without the outcome, its status, its cost, and the title of its best idea."""

    record: RunRecord
    status: str
    spend: Spend
    best: str


class NotFound(NovumError):
    """There is no such page, run or paper."""


class Workbench:
    """Opened when the server starts. All methods may be called from any route."""

    def __init__(self, options: WebOptions, settings: LoadedSettings | None = None) -> None:
        self.options = options
        self.settings = settings or load_settings()
        self.folder: Path = self.settings.values.home / FOLDER
        self.keys = Keys.stored_in(self.folder)
        self.audit = AuditLog(self.folder / "audit.jsonl")
        self.jobs = Jobs(self.folder / "jobs")
        self.exports = Exports(self.folder / REPORTS)
        self.boards = Boards(self.exports)
        self.scoring = Scoring(self.settings.metrics_folder)
        self.marks = Marks(self.folder / "marks.sqlite")
        self.starts = RateLimit(options.starts_a_minute)
        self.failure: NovumError | None = None
        """Why it could not be opened."""
        self._titles: OrderedDict[tuple[str, float], str] = OrderedDict()
        self._place: Workplace | None = None
        self._feeds: Feeds | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, render: Render) -> None:
        """Opens ledger and library, and starts jobs again whose process is gone."""
        self._place = await Workplace(self.settings).__aenter__()
        self._feeds = Feeds(self.ledger, render, self.jobs.reap)
        if self.options.warm:
            await self._warm_up()
        self._tasks = [asyncio.create_task(self.jobs.supervise(_SUPERVISION)), asyncio.create_task(self._clean())]

    async def close(self) -> None:
        """Closes everything. Jobs go on by themselves."""
        for task in self._tasks:
            task.cancel()
        self.jobs.let_go()
        if self._place is not None:
            await self._place.close()

    async def _warm_up(self) -> None:
        """Loads what the first pages would else wait for."""
        ensure_library(self.place)
        await self.place.library.search("graph", 1)
        await asyncio.to_thread(prepare_templates)
        for name in method_names():
            get_method(name)
        self.settings.model_roles()
        self.recent(1)

    async def _clean(self) -> None:
        while True:
            uploads, reports = self.folder / UPLOADS, self.folder / REPORTS
            await asyncio.to_thread(clean, self.jobs, uploads, reports, time.time())
            await asyncio.sleep(_CLEANING)

    @property
    def place(self) -> Workplace:
        assert self._place is not None, "the workbench is not open"
        return self._place

    @property
    def ledger(self) -> Ledger:
        return self.place.ledger

    @property
    def feeds(self) -> Feeds:
        assert self._feeds is not None, "the workbench is not open"
        return self._feeds

    def form_token(self, request: Request) -> str:
        """What the forms of this browser must carry."""
        return self.keys.form_token(request.state.session)

    def job_settings(self, given: dict[str, JsonValue] | None = None) -> dict[str, JsonValue]:
        """The settings of a job: those of the form, without credentials in addresses, and the folder of this workbench.
        Raises BadInput for one that cannot be used."""
        home = str(self.settings.values.home)
        values = load_settings({**(given or {}), "home": home}).values
        return {"home": home, **values.model_dump(mode="json", include=set(given or {}))}

    # -- runs -------------------------------------------------------------------------------------------------------

    def record(self, run_id: str, *, result: bool = False) -> RunRecord:
        """The run with exactly this id. Raises NotFound."""
        found = [each for each in self.ledger.runs(limit=2, prefix=run_id, results=result) if each.id == run_id]
        if not found:
            raise NotFound(f"There is no run {run_id[:80]!r}. The start page lists the recent ones.")
        return found[0]

    def recent(self, limit: int = 25) -> Sequence[RunSummary]:
        """The newest runs of all kinds."""
        self.jobs.reap()
        return [self.summary(each) for each in self.ledger.runs(limit, results=False)]

    def summary(self, record: RunRecord) -> RunSummary:
        """A run in a list."""
        best = self._best_title(record) if record.status == "finished" else ""
        return RunSummary(record, status_of(record), self.ledger.spend(record.id), best)

    def _best_title(self, record: RunRecord) -> str:
        """The title of the best idea of a finished run; remembered, since outcomes are long."""
        key = (record.id, record.updated)
        if key not in self._titles:
            self._titles[key] = best_title(self.ledger.run(record.id).result)
            while len(self._titles) > _MOST_SUMMARIES:
                self._titles.popitem(last=False)
        return self._titles[key]


def best_title(result: str) -> str:
    """The title of the first idea of a stored outcome; empty where it has none."""
    try:
        outcome: Any = orjson.loads(result or "{}")
        candidates = outcome.get("ideation", {}).get("candidates", ())
        return str(candidates[0]["idea"]["title"]) if candidates else ""
    except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError, IndexError):
        return ""


def workbench_of(request: Request) -> Workbench:
    """The workbench of a request."""
    found: Workbench = request.app.state.workbench
    return found


Bench = Annotated[Workbench, Depends(workbench_of)]
