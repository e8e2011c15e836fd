"""One entrant on one topic: what it hands in, what that took, or why it forfeits.

An entry is written to the ledger as soon as it is there. A run that is taken up again has it from there, whatever has
become of the library since; only those who forfeited are given another try.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from novum.benchmarks.arena.task import Assignment, options_for
from novum.core import Ideation, Topic
from novum.core.comparison import ArenaTopic, Entrant, Entry
from novum.errors import BudgetSpent
from novum.lab import Lab
from novum.ledger import Run
from novum.methods import get_method
from novum.runs.attempts import Attempts, kept_in

ENTRY = "arena-entry"
NOTHING_BROUGHT = "no idea on this topic was brought"
Key = tuple[str, str]
"""Topic and entrant."""


@dataclass
class Entering:
    """Gets entries for one session of work. `lab` None: nobody is asked, what is known is all there is."""

    assignment: Assignment
    run: Run
    lab: Lab | None = None
    stopped: str = ""
    """Why something was left undone; empty while nothing was."""
    kept: dict[Key, Entry] = field(init=False)
    """What the run's ledger has, the last word on each."""
    _given: dict[Key, Entry] = field(init=False)
    _numbers: dict[str, int] = field(init=False)
    _attempts: Attempts | None = field(init=False)

    def __post_init__(self) -> None:
        events = (event for _, event in self.run.ledger.events(self.run.id))
        entries = kept_in(events, ENTRY, "entry", Entry, "entries")
        self.kept = {(each.topic, each.entrant): each for each in entries}
        self._numbers = {each.topic: number for number, each in enumerate(self.assignment.topics, 1)}
        self._given = {(each.topic, each.entrant): each for each in self.assignment.given}
        self._attempts = Attempts(self.lab) if self.lab else None

    def at_hand(self, topic: ArenaTopic, entrant: Entrant) -> Entry | None:
        """The entry, where nobody needs to be asked for it."""
        key = topic.topic, entrant.name
        if not entrant.method:
            return self._given.get(key) or Entry(topic=key[0], entrant=key[1], forfeit=NOTHING_BROUGHT)
        known = self.kept.get(key)
        return known if known is not None and (self.lab is None or not known.forfeit) else None

    async def enter(self, topic: ArenaTopic, entrant: Entrant) -> Entry | None:
        """The entry, generated now; None where the budget ended before it was done. Called inside the step `STEP`."""
        if self._attempts is None:
            self.stopped = self.stopped or f"{entrant.name} has handed in nothing on «{topic.topic}» yet."
            return None

        async def work(lab: Lab) -> Ideation:
            options = options_for(entrant, topic, self.assignment)
            return await get_method(entrant.method).generate(lab, Topic(text=topic.topic), options)

        name = f"{entrant.name} on topic {self._numbers[topic.topic]}"
        try:
            entry = await self._attempts.entry(name, topic, entrant, work)
        except BudgetSpent as stop:
            self.stopped = self.stopped or str(stop)
            return None
        self.run.emit(ENTRY, entry=entry.model_dump(mode="json"))
        return entry
