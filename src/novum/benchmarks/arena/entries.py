"""The entries of an arena: what each entrant submits on each topic, or why it forfeits.

An entry is written to the ledger as soon as it is complete, and a resumed run reads it from there, even if the library
has changed since. Only forfeits are tried again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from novum.benchmarks.arena.common_form import cut_to_words, restate
from novum.benchmarks.arena.task import ArenaTask, options_for
from novum.core import Ideation, Topic, shorten
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.errors import BudgetSpent, ModelError, NoUsableAnswer
from novum.lab import Lab
from novum.ledger import Run
from novum.methods import get_method
from novum.runs.attempts import Attempts, recorded_in

ENTRY = "arena-entry"
MAX_FORFEIT = 1_000
"""Characters of the reason of a forfeit."""
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
        """The entry if it needs no model: read from a file, or stored and, in a live session, no forfeit."""
        key = topic.topic, entrant.name
        given = None if entrant.method else self._given_entry(topic, entrant)
        if given is not None and (given.idea is None or self.task.form != "restated"):
            return self._cut(given)
        stored = self.stored.get(key)
        return self._cut(stored) if stored is not None and (self.lab is None or not stored.forfeit) else None

    async def generate(self, topic: ArenaTopic, entrant: Entrant) -> ArenaEntry | None:
        """Generates the entry, and restates its idea where the task says so; None when the budget ends first. Called
        inside the step `attempts.STEP`."""
        if self.lab is None:
            self.stopped = self.stopped or f"{entrant.name} has no entry on «{topic.topic}» yet."
            return None
        name = f"{entrant.name} on topic {self._topic_numbers[topic.topic]}"
        try:
            entry = await self._written(name, topic, entrant)
            if self.task.form == "restated":
                entry = await self._restated(name, entry, self.lab)
        except BudgetSpent as stop:
            self.stopped = self.stopped or str(stop)
            return None
        self.run.emit(ENTRY, entry=entry.model_dump(mode="json"))
        return self._cut(entry)

    def _given_entry(self, topic: ArenaTopic, entrant: Entrant) -> ArenaEntry:
        missing = ArenaEntry(topic=topic.topic, entrant=entrant.name, forfeit=NO_IDEA_GIVEN)
        return self._given.get((topic.topic, entrant.name), missing)

    async def _written(self, name: str, topic: ArenaTopic, entrant: Entrant) -> ArenaEntry:
        """The entry as its method writes it, or as the file has it."""
        if not entrant.method:
            return self._given_entry(topic, entrant)
        assert self._attempts is not None, "there is a lab"

        async def work(lab: Lab) -> Ideation:
            options = options_for(entrant, topic, self.task)
            return await get_method(entrant.method).generate(lab, Topic(text=topic.topic), options)

        return await self._attempts.entry(name, topic, entrant, work)

    async def _restated(self, name: str, entry: ArenaEntry, lab: Lab) -> ArenaEntry:
        """The entry with its idea in the common form; a forfeit where that fails, which a later session tries again.

        It has a step of its own, so that the calls do not count as the method's.
        """
        if entry.idea is None:
            return entry
        try:
            with self.run.step(f"{name}, restated"):
                shown = await restate(lab.models, entry.idea, self.task.words)
        except (NoUsableAnswer, ModelError) as error:
            why = f"its idea could not be restated in the common form: {error}"
            return entry.model_copy(update={"idea": None, "experiment": None, "forfeit": shorten(why, MAX_FORFEIT)})
        return entry.model_copy(update={"shown": shown})

    def _cut(self, entry: ArenaEntry) -> ArenaEntry:
        if self.task.form != "cut" or entry.idea is None:
            return entry
        return entry.model_copy(update={"shown": cut_to_words(entry.idea, self.task.words)})
