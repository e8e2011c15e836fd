"""The entries of an arena: what each entrant submits on each topic, or why it forfeits.

An entry is written to the ledger as soon as it is complete, and a resumed run reads it from there, even if the library
has changed since. Only forfeits are tried again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from novum.benchmarks.arena.task import ArenaTask, options_for
from novum.core import Ideation, Topic
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.errors import BudgetSpent
from novum.lab import Lab
from novum.ledger import Run
from novum.methods import get_method
from novum.runs.attempts import Attempts, recorded_in

ENTRY = "arena-entry"
NO_IDEA_GIVEN = "the file has no idea on this topic"
EntryKey = tuple[str, str]
"""Topic and entrant."""


@dataclass
class EntrySource:
    """Provides entries for one session of work; without a `lab` only those that are stored already."""

    task: ArenaTask
    run: Run
    lab: Lab | None = None
    stopped: str = ""
    """Why entries are missing; empty when none is."""
    stored: dict[EntryKey, ArenaEntry] = field(init=False)
    """Of the run's ledger; of several for one key the last."""
    _given: dict[EntryKey, ArenaEntry] = field(init=False)
    _topic_numbers: dict[str, int] = field(init=False)
    _attempts: Attempts | None = field(init=False)

    def __post_init__(self) -> None:
        events = (event for _, event in self.run.ledger.events(self.run.id))
        entries = recorded_in(events, ENTRY, "entry", ArenaEntry, "entries")
        self.stored = {(each.topic, each.entrant): each for each in entries}
        self._topic_numbers = {each.topic: number for number, each in enumerate(self.task.topics, 1)}
        self._given = {(each.topic, each.entrant): each for each in self.task.given}
        self._attempts = Attempts(self.lab) if self.lab else None

    def known(self, topic: ArenaTopic, entrant: Entrant) -> ArenaEntry | None:
        """The entry if it needs no generation: read from a file, or stored and, in a live session, no forfeit."""
        key = topic.topic, entrant.name
        if not entrant.method:
            return self._given.get(key) or ArenaEntry(topic=key[0], entrant=key[1], forfeit=NO_IDEA_GIVEN)
        stored = self.stored.get(key)
        return stored if stored is not None and (self.lab is None or not stored.forfeit) else None

    async def generate(self, topic: ArenaTopic, entrant: Entrant) -> ArenaEntry | None:
        """Generates the entry; None when the budget ends first. Called inside the step `attempts.STEP`."""
        if self._attempts is None:
            self.stopped = self.stopped or f"{entrant.name} has no entry on «{topic.topic}» yet."
            return None

        async def work(lab: Lab) -> Ideation:
            options = options_for(entrant, topic, self.task)
            return await get_method(entrant.method).generate(lab, Topic(text=topic.topic), options)

        name = f"{entrant.name} on topic {self._topic_numbers[topic.topic]}"
        try:
            entry = await self._attempts.entry(name, topic, entrant, work)
        except BudgetSpent as stop:
            self.stopped = self.stopped or str(stop)
            return None
        self.run.emit(ENTRY, entry=entry.model_dump(mode="json"))
        return entry
