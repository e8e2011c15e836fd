"""Ideas by one method on one topic under one cut-off, each written to the ledger as soon as it is there.

A run that is taken up again has them from there; only those who came to nothing are given another try.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pydantic import ValidationError

from novum.benchmarks.arena.entering import STEP, Till, decisive, entry_of
from novum.benchmarks.arena.topics import ArenaTopic
from novum.benchmarks.foresight.task import ForesightTask, options_for
from novum.core import Cost, Topic, shorten
from novum.core.arena import Entrant, Entry
from novum.core.foresight import Cutoff, Forecast
from novum.errors import BadInput, BudgetSpent, LedgerError, NovumError
from novum.lab import Lab
from novum.ledger import Run
from novum.llm import Tariff
from novum.methods import get_method
from novum.reading.live_library import LiveLibrary
from novum.transport import together

FORECAST = "foresight-idea"
AT_ONCE = 32
"""Methods at work: each asks several things at once."""
_LONGEST_FORFEIT = 1_000
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
    _till: Till | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._made = _kept(self.run)
        if self.lab is not None:
            self._till = Till(Tariff(self.lab.models.settings.prices))
            self.run.listen(self._till)
            if self.lab.live:
                self.lab = replace(self.lab, library=LiveLibrary(self.lab.library, self.run, self.lab.live))

    async def carry_out(self) -> None:
        """Works until every method has had its say, or nothing more may be asked."""
        owed = [place for place in self._places() if self._is_owed(place)]
        if not owed:
            return
        if self.lab is None:
            cutoff, topic, method = owed[0]
            self.stopped = f"{method.name} has handed in nothing on «{topic.topic}» up to {cutoff.label} yet."
            return
        with self.run.step(STEP):
            queue = iter(owed)
            await together(self._one_by_one(self.lab, queue) for _ in range(min(AT_ONCE, len(owed))))

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

    async def _one_by_one(self, lab: Lab, queue: Iterator[Place]) -> None:
        for place in queue:
            if self.stopped:
                return
            if (made := await self._enter(lab, place)) is not None:
                self._made[_key(place)] = made
                self.run.emit(FORECAST, forecast=made.model_dump(mode="json"))

    async def _enter(self, lab: Lab, place: Place) -> Forecast | None:
        """None where the budget ended before it was done."""
        cutoff, topic, method = place
        step = f"{method.name} up to {cutoff.label} on topic {self._numbers[topic.topic]}"
        try:
            with self.run.step(step):
                given = Topic(text=topic.topic)
                made = await get_method(method.method).generate(lab, given, options_for(method, cutoff))
                entry = entry_of(made, topic, method)
        # A method may be another package's and raise whatever it likes: that costs its entry, and the others go on.
        except Exception as raised:
            error = decisive(raised)
            if isinstance(error, LedgerError):
                raise error from None
            if isinstance(error, BudgetSpent):
                self.stopped = self.stopped or str(error)
                return None
            why = str(error) if isinstance(error, NovumError) else f"{type(error).__name__}: {error}"
            entry = Entry(topic=topic.topic, entrant=method.name, forfeit=shorten(why, _LONGEST_FORFEIT))
        return Forecast(cutoff=cutoff.label, entry=entry.model_copy(update=self._took(step)))

    @property
    def _numbers(self) -> dict[str, int]:
        return {each.topic: number for number, each in enumerate(self.task.topics, 1)}

    def _took(self, step: str) -> dict[str, Cost | float]:
        assert self._till is not None, "there is a till where there is a lab"
        return {"cost": self._till.costs.get(step, Cost()), "seconds": round(self._till.seconds.get(step, 0.0), 3)}


def _key(place: Place) -> Key:
    cutoff, topic, method = place
    return cutoff.label, topic.topic, method.name


def _kept(run: Run) -> dict[Key, Forecast]:
    """What the run's ledger has, the last word on each. Raises BadInput for that of another Novum."""
    kept: dict[Key, Forecast] = {}
    for _, event in run.ledger.events(run.id):
        if event.kind == FORECAST:
            try:
                made = Forecast.model_validate(event.data["forecast"])
            except (KeyError, ValidationError) as error:
                raise BadInput(
                    f"Run {run.id} holds ideas of another Novum, which cannot be read. Begin a new run: what was "
                    "answered is used again."
                ) from error
            kept[made.cutoff, made.entry.topic, made.entry.entrant] = made
    return kept
