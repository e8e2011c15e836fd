"""One session of work on an arena: entries are generated, and each pair is judged as soon as both entries exist.

The schedule decides which pairs come next. Its choice is written to the ledger before any request is sent, so that a
resumed run judges the same pairs, finds the stored verdicts, and continues. When the budget ends, the session finishes
with what is known: the arena is then smaller, not wrong.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue, NonNegativeInt, ValidationError

from novum.benchmarks.arena.entries import EntryKey, EntrySource
from novum.benchmarks.arena.judging import JudgePanel, has_content
from novum.benchmarks.arena.schedules import make_schedule
from novum.benchmarks.arena.schedules.schedule import (
    Pairing,
    PairingResult,
    PairingSpace,
    PairSchedule,
    pairing_results,
)
from novum.benchmarks.arena.task import ArenaTask
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant, JudgedPair
from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.errors import BadInput
from novum.ledger import Run
from novum.reports.phrases import count
from novum.runs.attempts import STEP

ENTRIES_AT_ONCE = 32
"""Generators working at the same time; each sends several requests at once."""
PAIRS_AT_ONCE = 128
"""Pairs being judged: enough to keep a server busy, few enough for the first requests to leave at once."""
PAIRS_CHOSEN = "arena-pairs"
FIXED_SCHEDULES = frozenset({"round-robin", "reference"})
"""Schedules whose choice does not depend on results."""
_PROGRESS_INTERVAL = 0.5
"""Seconds between two progress messages."""


class _ChosenPairs(Value):
    """A batch in the ledger: for each pair the positions of its topic and of its two entrants in the task."""

    pairs: tuple[tuple[NonNegativeInt, NonNegativeInt, NonNegativeInt], ...]


@dataclass
class ArenaSession:
    """One session of work. At its end `entries` and `judged_pairs` hold what is known, in a fixed order."""

    task: ArenaTask
    run: Run
    source: EntrySource
    panel: JudgePanel
    seed: int
    finished: str = ""
    """Why no more pairs were chosen; empty while more may come."""
    _judged: dict[Pairing, list[JudgedPair]] = field(default_factory=dict)
    _entries: dict[EntryKey, asyncio.Future[ArenaEntry | None]] = field(default_factory=dict)
    _pairs_done: int = 0
    _last_progress: float = 0.0

    def __post_init__(self) -> None:
        self._topic_at = {each.topic: position for position, each in enumerate(self.task.topics)}
        self._entrant_at = {each.name: position for position, each in enumerate(self.task.entrants)}

    async def carry_out(self) -> None:
        """Works until everything is known or no more requests may be sent."""
        self._slots = asyncio.Semaphore(PAIRS_AT_ONCE)
        new = asyncio.get_running_loop().create_future
        self._entries = {(topic.topic, each.name): new() for topic, each in self._wanted()}
        await run_concurrently([self._get_entries(), self._judge_all()])

    @property
    def stopped(self) -> str:
        """Why something was left undone; empty when nothing was."""
        return self.source.stopped or self.panel.stopped

    @property
    def entries(self) -> tuple[ArenaEntry, ...]:
        """By topic, then by entrant, without those that were not reached."""
        done = (future.result() for future in self._entries.values() if future.done())
        return tuple(entry for entry in done if entry is not None)

    @property
    def judged_pairs(self) -> tuple[JudgedPair, ...]:
        """In the order in which pairs were chosen."""
        return tuple(judged for every in self._judged.values() for judged in every)

    # -- entries ----------------------------------------------------------------------------------------------------

    def _wanted(self) -> Iterator[tuple[ArenaTopic, Entrant]]:
        """Topic by topic, so that an arena that is stopped has complete topics."""
        return ((topic, entrant) for topic in self.task.topics for entrant in self.task.entrants)

    async def _get_entries(self) -> None:
        missing: list[tuple[ArenaTopic, Entrant]] = []
        for topic, entrant in self._wanted():
            if (entry := self.source.known(topic, entrant)) is not None:
                self._entries[topic.topic, entrant.name].set_result(entry)
            else:
                missing.append((topic, entrant))
        if missing:
            with self.run.step(STEP):
                queue = iter(missing)
                await run_concurrently(self._generate(queue) for _ in range(min(ENTRIES_AT_ONCE, len(missing))))

    async def _generate(self, queue: Iterator[tuple[ArenaTopic, Entrant]]) -> None:
        for topic, entrant in queue:
            entry = await self.source.generate(topic, entrant)
            self._entries[topic.topic, entrant.name].set_result(entry)

    # -- pairs ------------------------------------------------------------------------------------------------------

    async def _judge_all(self) -> None:
        with self.run.step("judging"):
            for batch in self._stored_batches():
                await self._judge(batch)
            schedule = await self._schedule()
            while not self.stopped and not self.finished:
                results = self._results()
                pairs = await asyncio.to_thread(schedule.next_pairs, results)
                batch = [pair for pair in pairs if pair not in self._judged]
                if batch:
                    self.run.emit(PAIRS_CHOSEN, pairs=[self._positions(pair) for pair in batch])
                    await self._judge(batch)
                else:
                    self.finished = schedule.finished(results) or "no other pair was chosen"

    async def _schedule(self) -> PairSchedule[Any]:
        """A fixed schedule can start at once; the others need all entries first, to know who forfeits what."""
        task, forfeits = self.task, frozenset[EntryKey]()
        if task.schedule not in FIXED_SCHEDULES:
            entries = [await future for future in self._entries.values()]
            without_idea = [each for each in entries if each is not None and not has_content("idea", each)]
            forfeits = frozenset((each.topic, each.entrant) for each in without_idea)
        space = PairingSpace(
            tuple(each.name for each in task.entrants), tuple(each.topic for each in task.topics), forfeits
        )
        return make_schedule(
            task.schedule, space, self.seed, criteria=task.sure_about, level=task.level, budget=task.most_pairs
        )

    async def _judge(self, batch: Sequence[Pairing]) -> None:
        new = [pair for pair in batch if pair not in self._judged]
        self._judged |= {pair: [] for pair in new}
        await run_concurrently(self._judge_pair(pair) for pair in new)

    async def _judge_pair(self, pair: Pairing) -> None:
        """By every judge, in both orders, on each kind of content that both entries have."""
        first, second = [await self._entries[pair.topic, name] for name in (pair.first, pair.second)]
        if first is not None and second is not None:
            async with self._slots:
                kinds = [kind for kind in self.task.kinds if has_content(kind, first) and has_content(kind, second)]
                judged = await run_concurrently(
                    self.panel.judge(kind, first, second, judge) for kind in kinds for judge in self.panel.judges
                )
            self._judged[pair] += [each for both_orders in judged for each in both_orders]
        self._pairs_done += 1
        self._report_progress()

    def _results(self) -> list[PairingResult]:
        """Of every pair that was chosen, also without any verdict."""
        if self.task.schedule in FIXED_SCHEDULES:
            return [PairingResult(pair, {}) for pair in self._judged]
        results = pairing_results(self.judged_pairs, "idea", self.task.sure_about)
        known = {(each.pairing.topic, frozenset((each.pairing.first, each.pairing.second))) for each in results}
        without = (pair for pair in self._judged if (pair.topic, frozenset((pair.first, pair.second))) not in known)
        return [*results, *(PairingResult(pair, {}) for pair in without)]

    # -- the ledger -------------------------------------------------------------------------------------------------

    def _positions(self, pair: Pairing) -> JsonValue:
        return [self._topic_at[pair.topic], self._entrant_at[pair.first], self._entrant_at[pair.second]]

    def _stored_batches(self) -> list[list[Pairing]]:
        """The batches of earlier sessions. Raises BadInput when they do not fit the task."""
        topics, entrants = self.task.topics, self.task.entrants
        events = [event for _, event in self.run.ledger.events(self.run.id) if event.kind == PAIRS_CHOSEN]
        try:
            return [
                [
                    Pairing(topics[topic].topic, entrants[a].name, entrants[b].name)
                    for topic, a, b in _ChosenPairs.model_validate(event.data).pairs
                ]
                for event in events
            ]
        except (IndexError, ValidationError) as error:
            raise BadInput(
                f"Run {self.run.id} has pairs that another version of Novum wrote. Start a new arena: stored answers "
                "are used again."
            ) from error

    def _report_progress(self) -> None:
        now = time.monotonic()
        if now - self._last_progress < _PROGRESS_INTERVAL and self._pairs_done < len(self._judged):
            return
        self._last_progress = now
        self.run.note(f"{self._pairs_done:,} of {count(len(self._judged), 'pair')}")


def arena_notes(
    task: ArenaTask, entries: Sequence[ArenaEntry], judged_pairs: Sequence[JudgedPair], panel: JudgePanel
) -> tuple[str, ...]:
    """What did not succeed, in sentences."""
    without_idea = [each for each in entries if not has_content("idea", each)]
    forfeits = Counter(each.entrant for each in without_idea)
    notes = [
        f"{each.name} forfeits {forfeits[each.name]:,} of {count(len(task.topics), 'topic')}."
        for each in task.entrants
        if forfeits[each.name]
    ]
    failed = Counter(each.topic for each in without_idea)
    notes += [
        f"No entrant has an idea on «{each.topic}»." for each in task.topics if failed[each.topic] == len(task.entrants)
    ]
    if task.with_experiments:
        without = Counter(
            each.entrant for each in entries if has_content("idea", each) and not has_content("experiment", each)
        )
        notes += [f"{name} has no experiment for {count(number, 'idea')}." for name, number in without.items()]
    notes += [f"{judge} got no more requests: {why}" for judge, why in sorted(panel.lost.items())]
    unanswered = Counter(each.judge for each in judged_pairs if each.failure)
    notes += [f"{count(number, 'request')} to {judge} gave no verdict." for judge, number in sorted(unanswered.items())]
    if task.before is None and any(each.paper_id for each in task.topics):
        notes.append("Topics were taken from papers, and without --before the generators may read these papers.")
    return tuple(notes)
