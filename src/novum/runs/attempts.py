"""A method of the house tried on a topic for a benchmark: what it hands in, what that took, or why it forfeits."""

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
"""The step of a run in which methods are tried."""
_LONGEST_FORFEIT = 1_000
Kept = TypeVar("Kept", bound=Value)


@dataclass
class CostMeter:
    """Listens to a run, and adds up what each entry took: whoever paid for an answer, it counts."""

    tariff: PriceTable
    costs: dict[str, Cost] = field(default_factory=dict)
    """By the name of the entry's step."""
    seconds: dict[str, float] = field(default_factory=dict)

    def __call__(self, event: Event) -> None:
        """Takes in one event."""
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
        footprint = self.tariff.footprint(ModelName.parse(str(event.data["model"])), written, seconds)
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
    """Tries methods in one session of work on a run, inside the step `STEP`."""

    lab: Lab
    _till: CostMeter = field(init=False)

    def __post_init__(self) -> None:
        self._till = CostMeter(PriceTable(self.lab.models.settings.prices))
        self.lab.run.listen(self._till)
        if self.lab.live:
            self.lab = replace(self.lab, library=LiveLibrary(self.lab.library.stored, self.lab.run, self.lab.live))

    async def entry(
        self, name: str, topic: ArenaTopic, entrant: Entrant, work: Callable[[Lab], Awaitable[Ideation]]
    ) -> ArenaEntry:
        """What comes of `work`, under a step of this `name`, which no other attempt of the run has; a forfeit where it
        fails. Raises BudgetSpent where the budget ended before it was done, and LedgerError."""
        try:
            with self.lab.run.step(name):
                entry = _entry_of(await work(self.lab), topic, entrant)
        # A method may be another package's and raise whatever it likes: that costs its entry, and the others go on.
        except Exception as raised:
            error = decisive(raised)
            if isinstance(error, LedgerError | BudgetSpent):
                raise error from None
            why = str(error) if isinstance(error, NovumError) else f"{type(error).__name__}: {error}"
            entry = ArenaEntry(topic=topic.topic, entrant=entrant.name, forfeit=shorten(why, _LONGEST_FORFEIT))
        cost, seconds = self._till.costs.get(name, Cost()), self._till.seconds.get(name, 0.0)
        return entry.model_copy(update={"cost": cost, "seconds": round(seconds, 3)})


def kept_in(events: Iterable[Event], kind: str, name: str, form: type[Kept], what: str) -> Iterator[Kept]:
    """The records that events of this kind hold under `name`, in their order. Raises BadInput for those of another
    Novum; `what` they are."""
    for event in events:
        if event.kind == kind:
            try:
                yield form.model_validate(event.data[name])
            except (KeyError, ValidationError) as error:
                raise BadInput(
                    f"Run {event.run_id} holds {what} of another Novum, which cannot be read. Begin a new run: what "
                    "was answered is used again."
                ) from error


def _entry_of(ideation: Ideation, topic: ArenaTopic, entrant: Entrant) -> ArenaEntry:
    """The idea that a method would pursue, with its experiment; a forfeit with the method's own words where there is
    none.
    """
    best = ideation.best
    if best is None:
        why = " ".join(ideation.notes) or "it came to no idea"
        return ArenaEntry(topic=topic.topic, entrant=entrant.name, forfeit=shorten(why, _LONGEST_FORFEIT))
    return ArenaEntry(
        topic=topic.topic,
        entrant=entrant.name,
        idea=best.idea,
        experiment=ideation.experiment,
        notes=ideation.notes,
    )


def decisive(raised: Exception) -> Exception:
    """Of a group of errors, the one that decides what becomes of the run; else the first."""
    if not isinstance(raised, ExceptionGroup):
        return raised
    errors = [decisive(each) for each in raised.exceptions]
    return min(errors, key=lambda each: (not isinstance(each, LedgerError), not isinstance(each, BudgetSpent)))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
