"""Methods applied to topics for a benchmark: the entry of each, what it cost, or why the method forfeits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pydantic import ValidationError

from novum.core import Cost, Ideation, shorten
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.core.record import Value
from novum.errors import BadInput, BudgetSpent, LedgerError, NovumError
from novum.lab import Lab
from novum.ledger import Event
from novum.ledger.run import STEP_SEPARATOR
from novum.llm import ModelName, PriceTable
from novum.reading.live_library import LiveLibrary

STEP = "entries"
"""The step of a run in which methods are applied."""
_LONGEST_FORFEIT = 1_000
Recorded = TypeVar("Recorded", bound=Value)


@dataclass
class CostMeter:
    """A listener that adds up the cost of each entry. Answers of other runs count too."""

    prices: PriceTable
    costs: dict[str, Cost] = field(default_factory=dict)
    """By the name of the step of the entry."""
    seconds: dict[str, float] = field(default_factory=dict)

    def __call__(self, event: Event) -> None:
        """Adds one event."""
        place = event.step.split(STEP_SEPARATOR, 2)
        if event.kind != "call" or len(place) < 2 or place[0] != STEP:
            return
        step, seconds = place[1], _number(event.data.get("seconds"))
        self.seconds[step] = self.seconds.get(step, 0.0) + seconds
        known = self.costs.get(step, Cost())
        added = self._cost(event, seconds).model_dump()
        self.costs[step] = Cost(**{name: getattr(known, name) + value for name, value in added.items()})

    def _cost(self, event: Event, seconds: float) -> Cost:
        read, written = (int(_number(event.data.get(name))) for name in ("prompt_tokens", "completion_tokens"))
        usd = event.data.get("usd")
        footprint = self.prices.footprint(ModelName.parse(str(event.data["model"])), written, seconds)
        return Cost(
            calls=1,
            prompt_tokens=read,
            completion_tokens=written,
            usd=_number(usd),
            usd_unknown=usd is None,
            energy_kwh=footprint.energy_kwh if footprint else 0.0,
            co2_kg=footprint.co2_kg if footprint else 0.0,
            footprint_unknown=footprint is None,
        )


@dataclass
class Attempts:
    """Applies methods in one session of work on a run, inside the step `STEP`."""

    lab: Lab
    _meter: CostMeter = field(init=False)

    def __post_init__(self) -> None:
        self._meter = CostMeter(PriceTable(self.lab.models.settings.prices))
        self.lab.run.listen(self._meter)
        if self.lab.live:
            self.lab = replace(self.lab, library=LiveLibrary(self.lab.library.stored, self.lab.run, self.lab.live))

    async def entry(
        self, name: str, topic: ArenaTopic, entrant: Entrant, work: Callable[[Lab], Awaitable[Ideation]]
    ) -> ArenaEntry:
        """The entry that `work` comes to, in a step of this `name`, which must be unique in the run. A forfeit where it
        fails. Raises BudgetSpent where the budget ended first, and LedgerError."""
        try:
            with self.lab.run.step(name):
                entry = _entry_of(await work(self.lab), topic, entrant)
        # A method of another package may raise anything: it forfeits, and the others continue.
        except Exception as raised:
            error = decisive_error(raised)
            if isinstance(error, LedgerError | BudgetSpent):
                raise error from None
            why = str(error) if isinstance(error, NovumError) else f"{type(error).__name__}: {error}"
            entry = ArenaEntry(topic=topic.topic, entrant=entrant.name, forfeit=shorten(why, _LONGEST_FORFEIT))
        cost, seconds = self._meter.costs.get(name, Cost()), self._meter.seconds.get(name, 0.0)
        return entry.model_copy(update={"cost": cost, "seconds": round(seconds, 3)})


def recorded_in(events: Iterable[Event], kind: str, name: str, form: type[Recorded], what: str) -> Iterator[Recorded]:
    """The records that events of this kind hold under `name`, in their order. Raises BadInput, naming them as `what`,
    for those that another version of Novum wrote in another form."""
    for event in events:
        if event.kind == kind:
            try:
                yield form.model_validate(event.data[name])
            except (KeyError, ValidationError) as error:
                raise BadInput(
                    f"Run {event.run_id} holds {what} of another version of Novum, which cannot be read. Start a new "
                    "run: recorded answers are used again."
                ) from error


def _entry_of(ideation: Ideation, topic: ArenaTopic, entrant: Entrant) -> ArenaEntry:
    """The best idea of a method with its experiment; a forfeit with the notes of the method where there is none."""
    best = ideation.best
    if best is None:
        why = " ".join(ideation.notes) or "it had no idea"
        return ArenaEntry(topic=topic.topic, entrant=entrant.name, forfeit=shorten(why, _LONGEST_FORFEIT))
    return ArenaEntry(
        topic=topic.topic,
        entrant=entrant.name,
        idea=best.idea,
        experiment=ideation.experiment,
        notes=ideation.notes,
    )


def decisive_error(raised: Exception) -> Exception:
    """The error itself; of a group, the one that ends the run if there is one, else the first."""
    if not isinstance(raised, ExceptionGroup):
        return raised
    errors = [decisive_error(each) for each in raised.exceptions]
    return min(errors, key=lambda each: (not isinstance(each, LedgerError), not isinstance(each, BudgetSpent)))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
