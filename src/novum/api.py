"""The Python face: `novum.ideate("topic")` in a script or a notebook, `await novum.ideate_async("topic")` elsewhere."""

from __future__ import annotations

import asyncio
import difflib
import threading
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from novum.core import Experiment, Idea, IdeationReport
from novum.errors import BadInput
from novum.lab import Workplace
from novum.ledger.run import Listener
from novum.methods import get_method
from novum.methods.method import FROM_OPPORTUNITIES
from novum.reports import ReportFiles, render_card, write_report
from novum.runs.engine import start
from novum.runs.ideation import DEFAULT_METHOD, IDEATION, IdeationTask
from novum.settings import Settings, load_settings

Result = TypeVar("Result")
_SHORT_NAMES = {"model": "writer"}
"""Keywords that go by the names of the command line."""


@dataclass(frozen=True)
class IdeationResult:
    """What came out, best idea first. A notebook shows it as a card."""

    report: IdeationReport

    @property
    def ideas(self) -> tuple[Idea, ...]:
        """All ideas, best first."""
        return tuple(candidate.idea for candidate in self.report.ideation.candidates)

    @property
    def best(self) -> Idea | None:
        """The idea to pursue; None when the run ended without one."""
        return self.ideas[0] if self.ideas else None

    @property
    def experiment(self) -> Experiment | None:
        """The plan for testing the best idea."""
        return self.report.ideation.experiment

    @property
    def run_id(self) -> str:
        """For `novum runs show` and `novum runs export`."""
        return self.report.account.run_id

    def save(self, folder: str | Path) -> ReportFiles:
        """Writes the report as HTML, Markdown, JSON and BibTeX. Raises BadInput when the folder cannot be written."""
        return write_report(self.report, Path(folder))

    def _repr_html_(self) -> str:
        return render_card(self.report)

    def __repr__(self) -> str:
        best = repr(self.best.title) if self.best else None
        return f"IdeationResult(ideas={len(self.ideas)}, best={best}, run_id={self.run_id!r})"


def ideate(
    topic: str,
    *,
    method: str = DEFAULT_METHOD,
    out: str | Path | None = None,
    fresh: bool = False,
    listeners: Sequence[Listener] = (),
    **options: Any,
) -> IdeationResult:
    """Turns a topic into ranked research ideas; returns when the run is done.

    `options`: the method's own (`branches=2`, `before="2023-01-01"`, `from_opportunities=5`) and any setting by its
    name (`judges=[…]`, `model="openai:gpt-5.5"`, `home="…"`, `budget_usd=0.5`). `out`: a folder for the report.
    `listeners` hear every event of the run. Raises BadInput for an unusable topic, method or option, other
    NovumErrors as `novum.runs.engine.ideate` does. Works inside a running event loop too, as in a notebook.
    """
    return _complete(ideate_async(topic, method=method, out=out, fresh=fresh, listeners=listeners, **options))


async def ideate_async(
    topic: str,
    *,
    method: str = DEFAULT_METHOD,
    out: str | Path | None = None,
    fresh: bool = False,
    listeners: Sequence[Listener] = (),
    **options: Any,
) -> IdeationResult:
    """The same in an event loop of your own. Cancelling it stops the run, which can be resumed."""
    overrides, own = _sorted_out(options, get_method(method).options.model_fields)
    task = IdeationTask(topic=topic, method=method, options=own)
    async with Workplace(load_settings(overrides)) as workplace:
        result = IdeationResult(await start(IDEATION, workplace, task, listeners, fresh=fresh))
    if out is not None:
        result.save(out)
    return result


def _sorted_out(given: Mapping[str, Any], of_method: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keywords as (settings, options of the method). Raises BadInput for one that is neither."""
    overrides: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for name, value in given.items():
        setting = _SHORT_NAMES.get(name, name)
        if name in of_method or name == FROM_OPPORTUNITIES:  # a method that does not know it says what to do
            own[name] = value
        elif setting in Settings.model_fields:
            overrides[setting] = value
        else:
            known = [*of_method, *Settings.model_fields, *_SHORT_NAMES]
            close = difflib.get_close_matches(name, known, n=3)
            hint = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(known)}."
            raise BadInput(f"There is no option or setting {name!r}. {hint}")
    return overrides, own


def _complete(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of `work`, from code that may itself run inside an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return _Elsewhere(work).result()


class _Elsewhere(Generic[Result]):
    """Work in a thread with an event loop of its own; an interrupt of the waiting thread cancels it."""

    def __init__(self, work: Coroutine[Any, Any, Result]) -> None:
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(work)
        self._thread = threading.Thread(target=self._run, name="novum-ideate")

    def result(self) -> Result:
        self._thread.start()
        try:
            self._thread.join()
        except KeyboardInterrupt:
            self._loop.call_soon_threadsafe(self._task.cancel)
            self._thread.join()
            raise
        return self._task.result()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(asyncio.wait([self._task]))
