"""The live feed of a run: one reader of the ledger for any number of viewers.

The ledger numbers the events of a run. A viewer that was cut off names the last number it saw and receives everything
after it, so no event is lost, whichever process works on the run and however often the pages are restarted.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import orjson
from pydantic import ValidationError

from novum.core import Chain, Link, Paper
from novum.errors import NovumError
from novum.ledger import Event, Ledger, RunRecord, StepCost
from novum.runs.progress import RunProgress
from novum.runs.stored import status_of

INTERVAL = 0.4
"""Seconds between two looks at a run under way."""
_LINE_ENDS = re.compile("\r\n|\r|\n")
"""Those that the format knows; others, such as U+2028, stay inside a line."""
_HELD = 2_000
"""Frames in memory; who is further behind is served from the ledger."""


@dataclass(frozen=True)
class Frame:
    """One message to a viewer. `number`: of the last event of the run that it covers."""

    number: int
    name: str
    data: str

    @cached_property
    def encoded(self) -> bytes:
        """The message as server-sent event, made once for all viewers."""
        lines = "".join(f"data: {line}\r\n" for line in _LINE_ENDS.split(self.data))
        return f"id: {self.number}\r\nevent: {self.name}\r\n{lines}\r\n".encode("utf-8", "replace")


@dataclass(frozen=True)
class RunView:
    """A run at one moment: its record without the outcome, its status, and its steps."""

    record: RunRecord
    status: str
    progress: RunProgress
    chains: Mapping[str, Chain] = field(default_factory=dict)
    """Chains of papers as far as they have grown, by the name of their branch."""

    @property
    def active(self) -> bool:
        return self.status == "running"


@dataclass(frozen=True)
class _Look:
    record: RunRecord
    events: list[tuple[int, Event]]
    costs: list[StepCost]


Render = Callable[[RunView], str]


class RunFeed:
    """The feed of one run. It reads the ledger while somebody watches and the run is under way."""

    def __init__(self, ledger: Ledger, run_id: str, render: Render, *, reap: Callable[[], None] = lambda: None) -> None:
        self.run_id = run_id
        self._ledger, self._render, self._reap = ledger, render, reap
        self._frames: deque[Frame] = deque(maxlen=_HELD)
        self._sent = 0
        """Frames made so far; the first one held has the position `_sent - len(_frames)`."""
        self._number = 0
        self._progress = RunProgress(run_id)
        self._chains: dict[str, Chain] = {}
        self._shown = ""
        self._ended = False
        self._changed = asyncio.Condition()
        self._reader: asyncio.Task[None] | None = None
        self.viewers = 0

    async def follow(self, after: int = 0) -> AsyncIterator[Frame]:
        """Everything after event number `after`, then whatever happens, until the viewer leaves."""
        async with aclosing(self.batches(after)) as batches:
            async for batch in batches:
                for frame in batch:
                    yield frame

    async def batches(self, after: int = 0) -> AsyncGenerator[list[Frame]]:
        """As `follow`, with everything that is there at a moment together."""
        self.viewers += 1
        try:
            self._read_on()
            await self._first_look()
            position, number = self._sent, self._number
            events = await asyncio.to_thread(self._ledger.events, self.run_id, after)
            missed = [_event_frame(*each) for each in events if each[0] <= number]
            end = [Frame(number, "ended", "")] if self._ended else []
            yield [*missed, Frame(number, "progress", self._shown), *end]
            async for batch in self._from(position):
                yield batch
        finally:
            self.viewers -= 1
            if not self.viewers and self._reader:
                self._reader.cancel()
                self._reader = None

    async def announce(self, name: str, data: str = "") -> None:
        """Sends a message that is not about the progress of the run to everybody who watches."""
        await self._send([Frame(self._number, name, data)])

    async def _from(self, position: int) -> AsyncIterator[list[Frame]]:
        while True:
            async with self._changed:
                while self._sent <= position:
                    await self._changed.wait()
            first = self._sent - len(self._frames)
            if position < first:  # too slow a reader: it starts anew from the last number it saw
                yield [Frame(self._number, "again", "")]
                return
            batch = list(islice(self._frames, position - first, None))
            position += len(batch)
            yield batch

    def wake(self) -> None:
        """Looks at the run again: it was resumed."""
        if self.viewers:
            self._read_on()

    def _read_on(self) -> None:
        if self._reader is None or self._reader.done():
            self._ended = False
            self._reader = asyncio.create_task(self._read())

    async def _first_look(self) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: bool(self._shown))

    async def _read(self) -> None:
        """Looks at the run again and again until it is no longer under way."""
        while True:
            try:
                view = await self._look()
            except NovumError:  # the ledger is busy or being moved: the next look may succeed
                await asyncio.sleep(1.0)
                continue
            if not view.active:
                self._ended = True
                await self._send([Frame(self._number, "ended", "")])
                return
            await asyncio.sleep(INTERVAL)

    async def _look(self) -> RunView:
        self._reap()
        look = await asyncio.to_thread(self._read_ledger)
        frames = []
        for number, event in look.events:
            self._progress(event)
            if event.kind == "chain" and (chain := chain_of(event)):
                self._chains[str(event.data.get("branch"))] = chain
            self._number = number
            frames.append(_event_frame(number, event))
        self._progress.recount(look.costs)
        view = RunView(look.record, status_of(look.record), self._progress, self._chains)
        if not view.active:
            self._progress.mark_unfinished()
        text = self._render(view)
        if text != self._shown:
            self._shown = text
            frames.append(Frame(self._number, "progress", text))
        await self._send(frames)
        return view

    def _read_ledger(self) -> _Look:
        record = self._ledger.runs(prefix=self.run_id, results=False)[0]
        events = list(self._ledger.events(self.run_id, self._number))
        return _Look(record, events, self._ledger.step_costs(self.run_id))

    async def _send(self, frames: list[Frame]) -> None:
        async with self._changed:
            self._frames.extend(frames)
            self._sent += len(frames)
            self._changed.notify_all()


class Feeds:
    """The feeds of all runs that somebody watches."""

    def __init__(self, ledger: Ledger, render: Render, reap: Callable[[], None]) -> None:
        self._ledger, self._render, self._reap = ledger, render, reap
        self._feeds: dict[str, RunFeed] = {}

    def of(self, run_id: str) -> RunFeed:
        """The feed of a run. Those that nobody watches any more are let go."""
        for each in [each for each in self._feeds.values() if not each.viewers and each.run_id != run_id]:
            del self._feeds[each.run_id]
        if run_id not in self._feeds:
            self._feeds[run_id] = RunFeed(self._ledger, run_id, self._render, reap=self._reap)
        return self._feeds[run_id]

    def wake(self, run_id: str) -> None:
        """Looks again at a run that was resumed."""
        if run_id in self._feeds:
            self._feeds[run_id].wake()

    async def announce(self, run_id: str, name: str, data: str = "") -> None:
        """Tells who watches a run that something of it changed."""
        with suppress(KeyError):
            await self._feeds[run_id].announce(name, data)


def chain_of(event: Event) -> Chain | None:
    """The chain that an event tells of; None where it holds none."""
    papers = event.data.get("papers")
    if not isinstance(papers, list):
        return None
    try:
        links = [
            Link(
                paper=Paper.model_validate({name: each[name] for name in ("title", "year", "authors")}),
                direction=each["direction"], reason=each["reason"],
            )
            for each in papers
            if isinstance(each, dict)
        ]  # fmt: skip
        return Chain(topic="", query=str(event.data.get("query") or ""), links=tuple(links))
    except (ValidationError, KeyError):
        return None


def _event_frame(number: int, event: Event) -> Frame:
    return Frame(number, "event", orjson.dumps({"number": number, "kind": event.kind, "step": event.step}).decode())
