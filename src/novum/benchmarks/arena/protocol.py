"""The arena carried out: entrants hand in their ideas, and each pair is judged as soon as both are there.

Which pairs come next is the schedule's affair. What it chose is written to the ledger before anybody is asked, so that
a run that died plays the same pairs again, finds them judged, and goes on. Where the budget ends, the work goes on with
what is known already: what is then missing is a smaller arena, not a wrong one.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue, NonNegativeInt, ValidationError

from novum.benchmarks.arena.entries import Entering, Key
from novum.benchmarks.arena.judging import Panel, has
from novum.benchmarks.arena.schedules.names import make_schedule
from novum.benchmarks.arena.schedules.schedule import Field, Pairing, PairSchedule, Result, results_of
from novum.benchmarks.arena.task import Assignment
from novum.core.comparison import ArenaTopic, Entrant, Entry, JudgedPair
from novum.core.record import Value
from novum.errors import BadInput
from novum.http import together
from novum.ledger import Run
from novum.reports.phrases import count
from novum.runs.attempts import STEP

ENTRIES_AT_ONCE = 32
"""Generators at work: each asks several things at once."""
PAIRS_AT_ONCE = 128
"""Pairs before the judges: enough to keep a server busy, few enough for the first questions to leave at once."""
PAIRS = "arena-pairs"
_TOLD_EVERY = 0.5
"""Seconds between two words on the progress."""


class _Chosen(Value):
    """A batch in the ledger: for each pair the places of its topic and of its two entrants."""

    pairs: tuple[tuple[NonNegativeInt, NonNegativeInt, NonNegativeInt], ...]


@dataclass
class Competition:
    """One session of work on one arena. At its end `entries` and `bouts` hold what is known, in a fixed order."""

    assignment: Assignment
    run: Run
    entering: Entering
    panel: Panel
    seed: int
    over: str = ""
    """Why no more pairs were chosen; empty while some may be."""
    _played: dict[Pairing, list[JudgedPair]] = field(default_factory=dict)
    _coming: dict[Key, asyncio.Future[Entry | None]] = field(default_factory=dict)
    _judged: int = 0
    _told: float = 0.0

    async def carry_out(self) -> None:
        """Works until everything is known, or nothing more may be asked."""
        self._room = asyncio.Semaphore(PAIRS_AT_ONCE)
        new = asyncio.get_running_loop().create_future
        self._coming = {(topic.topic, each.name): new() for topic, each in self._places()}
        await together([self._enter_all(), self._judge_all()])

    @property
    def stopped(self) -> str:
        """Why something was left undone; empty while nothing was."""
        return self.entering.stopped or self.panel.stopped

    @property
    def entries(self) -> tuple[Entry, ...]:
        """By topic, then by entrant; those that were not reached are missing."""
        done = (future.result() for future in self._coming.values() if future.done())
        return tuple(entry for entry in done if entry is not None)

    @property
    def bouts(self) -> tuple[JudgedPair, ...]:
        """In the order in which pairs were chosen."""
        return tuple(bout for bouts in self._played.values() for bout in bouts)

    # -- entries ----------------------------------------------------------------------------------------------------

    def _places(self) -> Iterator[tuple[ArenaTopic, Entrant]]:
        """Topic by topic, so that an arena that is stopped has whole topics."""
        return ((topic, entrant) for topic in self.assignment.topics for entrant in self.assignment.entrants)

    async def _enter_all(self) -> None:
        owed: list[tuple[ArenaTopic, Entrant]] = []
        for topic, entrant in self._places():
            if (entry := self.entering.at_hand(topic, entrant)) is not None:
                self._coming[topic.topic, entrant.name].set_result(entry)
            else:
                owed.append((topic, entrant))
        if owed:
            with self.run.step(STEP):
                queue = iter(owed)
                await together(self._one_by_one(queue) for _ in range(min(ENTRIES_AT_ONCE, len(owed))))

    async def _one_by_one(self, queue: Iterator[tuple[ArenaTopic, Entrant]]) -> None:
        for topic, entrant in queue:
            entry = await self.entering.enter(topic, entrant)
            self._coming[topic.topic, entrant.name].set_result(entry)

    # -- pairs ------------------------------------------------------------------------------------------------------

    async def _judge_all(self) -> None:
        with self.run.step("judging"):
            for batch in self._chosen_before():
                await self._play(batch)
            schedule = await self._schedule()
            while not self.stopped and not self.over:
                results = self._results()
                chosen = await asyncio.to_thread(schedule.next_pairs, results)
                batch = [pair for pair in chosen if pair not in self._played]
                if batch:
                    self.run.emit(PAIRS, pairs=[self._told_as(pair) for pair in batch])
                    await self._play(batch)
                else:
                    self.over = schedule.finished(results) or "no other pair was chosen"

    async def _schedule(self) -> PairSchedule[Any]:
        """Everybody against everybody can begin at once; other schedules have to know first who forfeits what."""
        given, forfeits = self.assignment, frozenset[Key]()
        if given.schedule != "round-robin":
            entries = [await coming for coming in self._coming.values()]
            absent = [each for each in entries if each is not None and not has("idea", each)]
            forfeits = frozenset((each.topic, each.entrant) for each in absent)
        field = Field(tuple(each.name for each in given.entrants), tuple(each.topic for each in given.topics), forfeits)
        return make_schedule(
            given.schedule, field, self.seed, criteria=given.sure_about, level=given.level, budget=given.most_pairs
        )

    async def _play(self, batch: Sequence[Pairing]) -> None:
        fresh = [pair for pair in batch if pair not in self._played]
        self._played |= {pair: [] for pair in fresh}
        await together(self._pair(pair) for pair in fresh)

    async def _pair(self, pair: Pairing) -> None:
        """Every judge, both orders, on all that both have."""
        first, second = [await self._coming[pair.topic, name] for name in (pair.first, pair.second)]
        if first is not None and second is not None:
            async with self._room:
                asked = [kind for kind in self.assignment.kinds if has(kind, first) and has(kind, second)]
                found = await together(
                    self.panel.judge(kind, first, second, judge) for kind in asked for judge in self.panel.judges
                )
            self._played[pair] += [bout for bouts in found for bout in bouts]
        self._judged += 1
        self._tell()

    def _results(self) -> list[Result]:
        """Of every pair that was played, or could not be."""
        if self.assignment.schedule == "round-robin":  # goes by no result: whatever was played is done
            return [Result(pair, {}) for pair in self._played]
        found = results_of(self.bouts, "idea", self.assignment.sure_about)
        known = {(each.pairing.topic, frozenset((each.pairing.first, each.pairing.second))) for each in found}
        silent = (pair for pair in self._played if (pair.topic, frozenset((pair.first, pair.second))) not in known)
        return [*found, *(Result(pair, {}) for pair in silent)]

    # -- the ledger -------------------------------------------------------------------------------------------------

    def _told_as(self, pair: Pairing) -> JsonValue:
        """Three numbers: of the topic, and of the entrants."""
        return [self._topic_at[pair.topic], self._entrant_at[pair.first], self._entrant_at[pair.second]]

    def _chosen_before(self) -> list[list[Pairing]]:
        """The batches of earlier sessions of work. Raises BadInput where they are of another arena."""
        topics, entrants = self.assignment.topics, self.assignment.entrants
        events = [event for _, event in self.run.ledger.events(self.run.id) if event.kind == PAIRS]
        try:
            batches = [_Chosen.model_validate(event.data).pairs for event in events]
            return [
                [Pairing(topics[topic].topic, entrants[a].name, entrants[b].name) for topic, a, b in batch]
                for batch in batches
            ]
        except (IndexError, ValidationError) as error:
            raise BadInput(f"Run {self.run.id} holds pairs of another Novum, which cannot be read.") from error

    def __post_init__(self) -> None:
        self._topic_at = {each.topic: place for place, each in enumerate(self.assignment.topics)}
        self._entrant_at = {each.name: place for place, each in enumerate(self.assignment.entrants)}

    def _tell(self) -> None:
        """A word to whoever follows the run, now and then."""
        now = time.monotonic()
        if now - self._told < _TOLD_EVERY and self._judged < len(self._played):
            return
        self._told = now
        text = f"{self._judged:,} of {count(len(self._played), 'pair')}"
        self.run.say(text)


def notes_of(
    assignment: Assignment, entries: Sequence[Entry], bouts: Sequence[JudgedPair], panel: Panel
) -> tuple[str, ...]:
    """What did not go as asked, in plain sentences."""
    forfeits = Counter(each.entrant for each in entries if not has("idea", each))
    notes = [
        f"{each.name} forfeits {forfeits[each.name]:,} of {count(len(assignment.topics), 'topic')}."
        for each in assignment.entrants
        if forfeits[each.name]
    ]
    notes += [f"Nobody has an idea on «{topic}»." for topic in topics_without_ideas(assignment, entries)]
    if assignment.with_experiments:
        without = Counter(each.entrant for each in entries if has("idea", each) and not has("experiment", each))
        notes += [f"{name} has no experiment for {count(number, 'idea')}." for name, number in without.items()]
    notes += [f"{judge} could not be asked any more: {why}" for judge, why in sorted(panel.lost.items())]
    failed = Counter(each.judge for each in bouts if each.failure)
    notes += [f"{count(number, 'asking')} of {judge} brought no verdict." for judge, number in sorted(failed.items())]
    if assignment.before is None and any(each.paper_id for each in assignment.topics):
        notes.append(
            "Topics were taken from papers, and without a day before which to read, the papers may be read too."
        )
    return tuple(notes)


def topics_without_ideas(assignment: Assignment, entries: Sequence[Entry]) -> list[str]:
    """Topics that everybody forfeits."""
    failed = Counter(each.topic for each in entries if not has("idea", each))
    return [each.topic for each in assignment.topics if failed[each.topic] == len(assignment.entrants)]
