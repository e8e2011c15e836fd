"""One entrant on one topic: what it hands in, what that took, or why it forfeits.

An entry is written to the ledger as soon as it is there. A run that is taken up again has it from there, whatever has
become of the library since; only those who forfeited are given another try.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pydantic import ValidationError

from novum.benchmarks.arena.assignment import Assignment, options_for
from novum.benchmarks.arena.records import Entrant, Entry
from novum.benchmarks.arena.topics import ArenaTopic
from novum.core import Cost, Ideation, Topic, shorten
from novum.errors import BadInput, BudgetSpent, LedgerError, NovumError
from novum.lab import Lab
from novum.ledger import Event, Run
from novum.ledger.run import STEP_SEPARATOR
from novum.llm import ModelName, Tariff
from novum.methods import get_method
from novum.reading.live_library import LiveLibrary

STEP, ENTRY = "entries", "arena-entry"
NOTHING_BROUGHT = "no idea on this topic was brought"
_LONGEST_FORFEIT = 1_000
Key = tuple[str, str]
"""Topic and entrant."""


@dataclass
class Kept:
    """The entries of a run as its ledger has them, the last word on each."""

    entries: dict[Key, Entry] = field(default_factory=dict)

    @classmethod
    def of(cls, events: Iterable[Event]) -> Kept:
        """Raises BadInput for entries of another Novum."""
        kept = cls()
        for event in events:
            if event.kind == ENTRY:
                try:
                    entry = Entry.model_validate(event.data["entry"])
                except (KeyError, ValidationError) as error:
                    raise BadInput(
                        f"Run {event.run_id} holds entries of another Novum, which cannot be read. Begin a new run: "
                        "what was answered is used again."
                    ) from error
                kept.entries[entry.topic, entry.entrant] = entry
        return kept


@dataclass
class Till:
    """Listens to a run, and adds up what each entry took: whoever paid for an answer, it counts."""

    tariff: Tariff
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
class Entering:
    """Gets entries for one session of work. `lab` None: nobody is asked, what is known is all there is."""

    assignment: Assignment
    run: Run
    lab: Lab | None = None
    stopped: str = ""
    """Why something was left undone; empty while nothing was."""
    kept: Kept = field(init=False)
    _given: dict[Key, Entry] = field(init=False)
    _numbers: dict[str, int] = field(init=False)
    _till: Till | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.kept = Kept.of(event for _, event in self.run.ledger.events(self.run.id))
        self._numbers = {each.topic: number for number, each in enumerate(self.assignment.topics, 1)}
        self._given = {(each.topic, each.entrant): each for each in self.assignment.given}
        if self.lab is not None:
            self._till = Till(Tariff(self.lab.models.settings.prices))
            self.run.listen(self._till)
            if self.lab.live:
                self.lab = replace(self.lab, library=LiveLibrary(self.lab.library, self.run, self.lab.live))

    def at_hand(self, topic: ArenaTopic, entrant: Entrant) -> Entry | None:
        """The entry, where nobody needs to be asked for it."""
        key = topic.topic, entrant.name
        if not entrant.method:
            return self._given.get(key) or Entry(topic=key[0], entrant=key[1], forfeit=NOTHING_BROUGHT)
        known = self.kept.entries.get(key)
        return known if known is not None and (self.lab is None or not known.forfeit) else None

    async def enter(self, topic: ArenaTopic, entrant: Entrant) -> Entry | None:
        """The entry, generated now; None where the budget ended before it was done. Called inside the step `STEP`."""
        if self.lab is None:
            self.stopped = self.stopped or f"{entrant.name} has handed in nothing on «{topic.topic}» yet."
            return None
        step = f"{entrant.name} on topic {self._numbers[topic.topic]}"
        try:
            with self.run.step(step):
                entry = entry_of(await self._generate(self.lab, topic, entrant), topic, entrant)
        # A method may be another package's and raise whatever it likes: that costs its entry, and the others go on.
        except Exception as raised:
            error = decisive(raised)
            if isinstance(error, LedgerError):
                raise error from None
            if isinstance(error, BudgetSpent):
                self.stopped = self.stopped or str(error)
                return None
            why = str(error) if isinstance(error, NovumError) else f"{type(error).__name__}: {error}"
            entry = Entry(topic=topic.topic, entrant=entrant.name, forfeit=shorten(why, _LONGEST_FORFEIT))
        entry = entry.model_copy(update=self._took(step))
        self.run.emit(ENTRY, entry=entry.model_dump(mode="json"))
        return entry

    async def _generate(self, lab: Lab, topic: ArenaTopic, entrant: Entrant) -> Ideation:
        method = get_method(entrant.method)
        return await method.generate(lab, Topic(text=topic.topic), options_for(entrant, topic, self.assignment))

    def _took(self, step: str) -> dict[str, Cost | float]:
        assert self._till is not None, "there is a till where there is a lab"
        return {
            "cost": self._till.costs.get(step, Cost()),
            "seconds": round(self._till.seconds.get(step, 0.0), 3),
        }


def entry_of(ideation: Ideation, topic: ArenaTopic, entrant: Entrant) -> Entry:
    """The idea that a method would pursue, with its experiment; a forfeit with the method's own words where there is
    none.
    """
    best = ideation.best
    if best is None:
        why = " ".join(ideation.notes) or "it came to no idea"
        return Entry(topic=topic.topic, entrant=entrant.name, forfeit=shorten(why, _LONGEST_FORFEIT))
    return Entry(
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
