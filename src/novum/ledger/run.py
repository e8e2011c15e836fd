"""A run in progress: its steps and events, and the listeners that follow them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from pydantic import JsonValue

from novum.ledger.ledger import Ledger
from novum.ledger.records import Call, Event, RunRecord

Listener = Callable[[Event], None]
STEP_SEPARATOR = " / "

_here: ContextVar[tuple[str, ...]] = ContextVar("novum_step", default=())
"""Step names from the outside in. A context variable, so that branches running at once each know their own place."""


class Run:
    """One session of work on a run. `fresh`: answers of other runs are not used."""

    def __init__(self, ledger: Ledger, record: RunRecord, *, fresh: bool = False) -> None:
        self.ledger = ledger
        self.record = record
        self.fresh = fresh
        self._listeners: list[Listener] = []
        self._earlier: dict[str, list[Event]] = {}

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def here(self) -> str:
        """The current step, from the outside in."""
        return STEP_SEPARATOR.join(_here.get())

    def listen(self, listener: Listener) -> None:
        """`listener` is called with every event from now on, in this process."""
        self._listeners.append(listener)

    @property
    def has_listeners(self) -> bool:
        """Whether anybody would receive an event."""
        return bool(self._listeners)

    def earlier(self, kind: str) -> Sequence[Event]:
        """Events of this kind from earlier sessions of work on the run, oldest first. They are read once: a run of
        thousands of parts would otherwise read all of them for each part.
        """
        if kind not in self._earlier:
            self._earlier[kind] = [event for _, event in self.ledger.events(self.id, kind=kind)]
        return self._earlier[kind]

    def reuse(self, call: Call) -> None:
        """Notes that the run used an answer that was there already."""
        self.ledger.reuse(call, self.id)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Marks what happens inside as one step; steps nest."""
        token = _here.set((*_here.get(), name))
        began = time.perf_counter()
        self.emit("step-began")
        try:
            yield
        except BaseException as error:
            self.emit("step-broke", error=type(error).__name__)
            raise
        else:
            self.emit("step-done", seconds=round(time.perf_counter() - began, 3))
        finally:
            _here.reset(token)

    def emit(self, kind: str, **data: JsonValue) -> None:
        """Writes an event at the current step and passes it to the listeners."""
        event = Event(run_id=self.id, at=time.time(), kind=kind, step=self.here, data=data)
        self.ledger.emit(event)
        self.notify(event)

    def note(self, text: str) -> None:
        """A note for whoever follows the run; it is not written to the ledger."""
        self.notify(Event(run_id=self.id, at=time.time(), kind="note", step=self.here, data={"text": text}))

    def notify(self, event: Event) -> None:
        """Passes an event to the listeners only, for what the ledger holds already in another form."""
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except OSError:  # nobody reads the terminal any more: the work continues
                self._listeners.remove(listener)
