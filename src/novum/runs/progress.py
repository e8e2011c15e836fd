"""A run as a tree of steps, built from its events; it knows nothing of terminals and pages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from novum.ledger import Event, StepCost
from novum.ledger.run import STEP_SEPARATOR
from novum.reports.phrases import count, duration

State = Literal["running", "done", "broke"]
_ENDS: dict[str, State] = {"step-done": "done", "step-broke": "broke"}


@dataclass
class StepTally:
    """Calls, tokens and cost of a step with all steps inside it. `usd_unknown`: paid calls without a known price."""

    calls: int = 0
    reused: int = 0
    failed: int = 0
    tokens: int = 0
    usd: float = 0.0
    usd_unknown: int = 0


@dataclass
class Step:
    """One step. `began`: seconds since the epoch. `seconds`: time taken so far, without the present visit."""

    name: str
    state: State = "running"
    began: float = 0.0
    seconds: float = 0.0
    note: str = ""
    """The last note of the method about it."""
    tally: StepTally = field(default_factory=StepTally)
    inner: dict[str, Step] = field(default_factory=dict)

    def elapsed(self, now: float) -> float:
        """Seconds spent in the step, over all its visits."""
        return self.seconds + (max(0.0, now - self.began) if self.state == "running" and self.began else 0.0)


class Pace:
    """The progress of long work: what is done, how fast, and what is left. The speed is that of the last 100 events, as
    answers from the ledger come faster than those of models.
    """

    def __init__(self) -> None:
        self._recent: deque[tuple[float, int]] = deque(maxlen=100)

    def text_of(self, event: Event) -> str:
        """`412 of 1,000 ideas, 23 a minute, 25 min 40 s left, 2 failed`."""
        done, of = _whole(event.data.get("done")), _whole(event.data.get("of"))
        failed, noun = _whole(event.data.get("failed")), str(event.data.get("noun") or "")
        self._recent.append((event.at, done))
        (began, before) = self._recent[0]
        seconds = event.at - began
        parts = [f"{done:,} of {of:,} {noun}"]
        if seconds >= _SHORTEST and done > before:
            speed = (done - before) / seconds
            parts += [f"{60 * speed:,.3g} a minute", f"{duration((of - done) / speed)} left"] if done < of else []
        return ", ".join([*parts, *([f"{count(failed, 'turn')} failed"] if failed else [])])


_SHORTEST = 2.0
"""Seconds after which a speed is shown."""


class RunProgress:
    """Listens to a run. `root` stands for the run itself; its inner steps are the top-level steps."""

    def __init__(self, run_id: str = "") -> None:
        self.root = Step("run")
        self.run_id = run_id
        self.method = ""
        self._pace = Pace()

    def __call__(self, event: Event) -> None:
        """Updates the tree with one event."""
        self.run_id = event.run_id
        if event.kind == "run-began":
            self.method = str(event.data.get("method", ""))
            self.root.state, self.root.began = "running", event.at
        elif event.kind == "step-began":
            self._begin(event)
        elif event.kind in _ENDS:
            self._end(event, _ENDS[event.kind])
        elif event.kind == "waiting":
            seconds = event.data.get("seconds")
            wait = "waiting" if seconds is None else f"waiting {seconds} s"
            self.root.note = f"{wait}, {event.data.get('why')}"
        elif event.kind == "call":
            self.root.note = ""
            self._call(event.step, event.data)
        elif event.kind == "no-answer":
            for step in self._along(event.step):
                step.tally.failed += 1
        elif event.kind == "progress":
            list(self._along(event.step))[-1].note = self._pace.text_of(event)
        elif event.kind in ("note", "prompts-changed"):
            list(self._along(event.step))[-1].note = str(event.data.get("text") or "")
        elif event.kind == "run-done":
            self.root.seconds, self.root.state = self.root.elapsed(event.at), "done"

    def recount(self, costs: Iterable[StepCost]) -> None:
        """Sets what each step took to these costs of the ledger, which does not store calls as events."""
        self.forget_costs()
        for cost in costs:
            for step in self._along(cost.step):
                tally = step.tally
                tally.calls += cost.calls
                tally.tokens += cost.tokens
                tally.usd += cost.usd
                tally.usd_unknown += cost.usd_unknown

    def forget_costs(self) -> None:
        """Sets the counts of all steps to zero, but for answers without use, which events tell."""
        open_steps = [self.root]
        while open_steps:
            step = open_steps.pop()
            open_steps += step.inner.values()
            step.tally = StepTally(failed=step.tally.failed)

    def mark_unfinished(self) -> None:
        """Marks steps that never ended as failed: no process works on the run any more."""
        open_steps = [self.root]
        while open_steps:
            step = open_steps.pop()
            open_steps += step.inner.values()
            if step.state == "running":
                step.state = "broke"

    def _begin(self, event: Event) -> None:
        step = list(self._along(event.step))[-1]
        step.state, step.began = "running", event.at

    def _end(self, event: Event, state: State) -> None:
        step = list(self._along(event.step))[-1]
        step.seconds, step.state = step.elapsed(event.at), state

    def _call(self, path: str, data: dict[str, JsonValue]) -> None:
        usd, reused = data.get("usd"), bool(data.get("reused"))
        for step in self._along(path):
            tally = step.tally
            tally.calls += 1
            tally.reused += reused
            if not reused:
                tally.tokens += _whole(data.get("prompt_tokens")) + _whole(data.get("completion_tokens"))
                tally.usd += float(usd) if isinstance(usd, int | float) else 0.0
                tally.usd_unknown += usd is None

    def _along(self, path: str) -> Iterator[Step]:
        """The root, then every step on the way to `path`, created if missing."""
        step = self.root
        yield step
        for name in path.split(STEP_SEPARATOR) if path else ():
            step = step.inner.setdefault(name, Step(name))
            yield step


def _whole(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0
