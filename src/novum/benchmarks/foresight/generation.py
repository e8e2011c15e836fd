"""Generate the ideas of a study: one by each method on each topic under each cut-off, recorded in the ledger at once.

A resumed run reads them from the ledger, and repeats only what failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from novum.benchmarks.foresight.records import Cutoff, CutoffEntry
from novum.benchmarks.foresight.task import ForesightTask, options_for
from novum.core import Ideation, Topic
from novum.core.comparison import ArenaTopic, Entrant
from novum.core.concurrency import run_concurrently
from novum.errors import BudgetSpent
from novum.lab import Lab
from novum.ledger import Run
from novum.llm import ModelName
from novum.methods import get_method
from novum.runs.attempts import STEP, Attempts, recorded_in

FORECAST = "foresight-idea"
CONCURRENCY = 32
"""Methods that run concurrently; each makes several calls at once."""
_Key = tuple[str, str, str]
"""Cut-off, topic, method."""
_Job = tuple[Cutoff, ArenaTopic, Entrant]


@dataclass
class EntryGeneration:
    """One session of generation. Without `lab` only recorded ideas are read."""

    task: ForesightTask
    run: Run
    lab: Lab | None = None
    stopped: str = ""
    """Why ideas are missing; empty when none is."""
    _entries: dict[_Key, CutoffEntry] = field(init=False)
    _attempts: Attempts | None = field(init=False)

    def __post_init__(self) -> None:
        self._entries = _recorded(self.run)
        self._attempts = Attempts(self.lab) if self.lab else None

    async def carry_out(self) -> None:
        """Generates all missing ideas, until the budget ends."""
        missing = [job for job in self._jobs() if self._is_missing(job)]
        if not missing:
            return
        if self._attempts is None:
            cutoff, topic, method = missing[0]
            self.stopped = f"{method.name} has no idea on «{topic.topic}» up to {cutoff.label} yet."
            return
        with self.run.step(STEP):
            queue = iter(missing)
            await run_concurrently(self._work(self._attempts, queue) for _ in range(min(CONCURRENCY, len(missing))))

    @property
    def entries(self) -> tuple[CutoffEntry, ...]:
        """All ideas in a fixed order, given ones last; without those that were not reached."""
        keys = (_key(job) for job in self._jobs())
        generated = [self._entries[key] for key in keys if key in self._entries]
        given = [
            CutoffEntry(cutoff=cutoff.label, entry=entry) for cutoff in self.task.cutoffs for entry in self.task.given
        ]
        return (*generated, *given)

    def _jobs(self) -> Iterator[_Job]:
        """Topic by topic, so that a stopped run has complete topics."""
        task = self.task
        return ((cut, topic, each) for topic in task.topics for cut in task.cutoffs for each in task.methods)

    def _is_missing(self, job: _Job) -> bool:
        known = self._entries.get(_key(job))
        return known is None or (self.lab is not None and bool(known.entry.forfeit))

    async def _work(self, attempts: Attempts, queue: Iterator[_Job]) -> None:
        for job in queue:
            if self.stopped:
                return
            if (entry := await self._generate(attempts, job)) is not None:
                self._entries[_key(job)] = entry
                self.run.emit(FORECAST, forecast=entry.model_dump(mode="json"))

    async def _generate(self, attempts: Attempts, job: _Job) -> CutoffEntry | None:
        """None where the budget ended first."""
        cutoff, topic, method = job

        async def work(lab: Lab) -> Ideation:
            if writer := self.task.writers.get(cutoff.label):
                lab = replace(lab, models=lab.models.written_by(ModelName.parse(writer)))
            return await get_method(method.method).generate(lab, Topic(text=topic.topic), options_for(method, cutoff))

        name = f"{method.name} up to {cutoff.label} on topic {self._numbers[topic.topic]}"
        try:
            return CutoffEntry(cutoff=cutoff.label, entry=await attempts.entry(name, topic, method, work))
        except BudgetSpent as stop:
            self.stopped = self.stopped or str(stop)
            return None

    @property
    def _numbers(self) -> dict[str, int]:
        return {each.topic: number for number, each in enumerate(self.task.topics, 1)}


def _key(job: _Job) -> _Key:
    cutoff, topic, method = job
    return cutoff.label, topic.topic, method.name


def _recorded(run: Run) -> dict[_Key, CutoffEntry]:
    """The ideas in the ledger of the run, the last one for each job. Raises BadInput for records of another version."""
    events = (event for _, event in run.ledger.events(run.id))
    entries = recorded_in(events, FORECAST, "forecast", CutoffEntry, "ideas")
    return {(each.cutoff, each.entry.topic, each.entry.entrant): each for each in entries}
