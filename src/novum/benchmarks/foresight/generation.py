"""Ideas by one method on one topic under one cut-off, each written to the ledger as soon as it is there.

A run that is taken up again has them from there; only those who came to nothing are given another try.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from novum.benchmarks.foresight.records import Cutoff, Forecast
from novum.benchmarks.foresight.task import ForesightTask, options_for
from novum.concurrency import run_concurrently
from novum.core import Ideation, Topic
from novum.core.comparison import ArenaTopic, Entrant
from novum.errors import BudgetSpent
from novum.lab import Lab
from novum.ledger import Run
from novum.methods import get_method
from novum.runs.attempts import STEP, Attempts, kept_in

FORECAST = "foresight-idea"
AT_ONCE = 32
"""Methods at work: each asks several things at once."""
Key = tuple[str, str, str]
"""Cut-off, topic, method."""
Place = tuple[Cutoff, ArenaTopic, Entrant]


@dataclass
class Generating:
    """One session of work. `lab` None: nobody is asked, what is known is all there is."""

    task: ForesightTask
    run: Run
    lab: Lab | None = None
    stopped: str = ""
    """Why something was left undone; empty while nothing was."""
    _made: dict[Key, Forecast] = field(init=False)
    _attempts: Attempts | None = field(init=False)

    def __post_init__(self) -> None:
        self._made = _kept(self.run)
        self._attempts = Attempts(self.lab) if self.lab else None

    async def carry_out(self) -> None:
        """Works until every method has had its say, or nothing more may be asked."""
        owed = [place for place in self._places() if self._is_owed(place)]
        if not owed:
            return
        if self._attempts is None:
            cutoff, topic, method = owed[0]
            self.stopped = f"{method.name} has handed in nothing on «{topic.topic}» up to {cutoff.label} yet."
            return
        with self.run.step(STEP):
            queue = iter(owed)
            await run_concurrently(self._one_by_one(self._attempts, queue) for _ in range(min(AT_ONCE, len(owed))))

    @property
    def forecasts(self) -> tuple[Forecast, ...]:
        """In a fixed order, those that were given last; what was not reached is missing."""
        keys = (_key(place) for place in self._places())
        made = [self._made[key] for key in keys if key in self._made]
        given = [
            Forecast(cutoff=cutoff.label, entry=entry) for cutoff in self.task.cutoffs for entry in self.task.given
        ]
        return (*made, *given)

    def _places(self) -> Iterator[Place]:
        """Topic by topic, so that a run that is stopped has whole topics."""
        task = self.task
        return ((cut, topic, each) for topic in task.topics for cut in task.cutoffs for each in task.methods)

    def _is_owed(self, place: Place) -> bool:
        known = self._made.get(_key(place))
        return known is None or (self.lab is not None and bool(known.entry.forfeit))

    async def _one_by_one(self, attempts: Attempts, queue: Iterator[Place]) -> None:
        for place in queue:
            if self.stopped:
                return
            if (made := await self._enter(attempts, place)) is not None:
                self._made[_key(place)] = made
                self.run.emit(FORECAST, forecast=made.model_dump(mode="json"))

    async def _enter(self, attempts: Attempts, place: Place) -> Forecast | None:
        """None where the budget ended before it was done."""
        cutoff, topic, method = place

        async def work(lab: Lab) -> Ideation:
            return await get_method(method.method).generate(lab, Topic(text=topic.topic), options_for(method, cutoff))

        name = f"{method.name} up to {cutoff.label} on topic {self._numbers[topic.topic]}"
        try:
            return Forecast(cutoff=cutoff.label, entry=await attempts.entry(name, topic, method, work))
        except BudgetSpent as stop:
            self.stopped = self.stopped or str(stop)
            return None

    @property
    def _numbers(self) -> dict[str, int]:
        return {each.topic: number for number, each in enumerate(self.task.topics, 1)}


def _key(place: Place) -> Key:
    cutoff, topic, method = place
    return cutoff.label, topic.topic, method.name


def _kept(run: Run) -> dict[Key, Forecast]:
    """What the run's ledger has, the last word on each. Raises BadInput for that of another Novum."""
    events = (event for _, event in run.ledger.events(run.id))
    made = kept_in(events, FORECAST, "forecast", Forecast, "ideas")
    return {(each.cutoff, each.entry.topic, each.entry.entrant): each for each in made}
