"""How a verb of the Python interface runs: its settings, its workplace, and its synchronous form."""

from __future__ import annotations

import asyncio
import difflib
import functools
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypedDict, TypeVar

from pydantic import ValidationError

from novum.errors import BadInput
from novum.lab import Workplace
from novum.ledger.run import Listener
from novum.runs.engine import OutcomeType, RunKind, TaskType, start
from novum.settings import Settings, load_settings

Given = ParamSpec("Given")
Returned = TypeVar("Returned")
RUN_ONLY = ("fresh", "listeners")
"""Keywords that are not settings: they control how a run is carried out."""
_SHORT_NAMES = {"model": "writer"}
"""Keywords named like options of the command line, with the names of their settings."""


class SettingOptions(TypedDict, total=False):
    """Settings of one call, instead of those of `novum.toml` and the environment (`novum config`)."""

    model: str
    """The model that writes, as `provider:model`."""
    reader: str
    judges: Sequence[str]
    home: str | Path
    library: str | Path
    ledger: str | Path
    prompts: str | Path
    embedder: str
    sources: Sequence[str]
    contact: str
    base_url: str
    temperature: float
    max_tokens: int
    seed: int
    deadline_seconds: float
    token_probabilities: bool
    in_flight: int
    requests_per_minute: float
    tokens_per_minute: float
    effort: str
    """Budget of the method: low, medium or high."""
    budget_usd: float
    budget_tokens: int
    budget_calls: int


class RunOptions(SettingOptions, total=False):
    """Settings, and how the run is carried out."""

    fresh: bool
    """Do not use the answers of other runs."""
    listeners: Sequence[Listener]
    """Called with every event of the run."""


def synchronous(work: Callable[Given, Coroutine[Any, Any, Returned]]) -> Callable[Given, Returned]:
    """The synchronous form of an asynchronous function. It works inside a running event loop too, as in a notebook."""

    @functools.wraps(work)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Returned:
        return _complete(work(*args, **kwargs))

    call.__name__ = call.__qualname__ = work.__name__.removesuffix("_async")
    return call


def split_options(given: Mapping[str, Any], of_method: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keywords as (settings, options of the method). Raises BadInput for one that is neither."""
    overrides: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for name, value in given.items():
        setting = _SHORT_NAMES.get(name, name)
        if name in of_method:
            options[name] = value
        elif setting in Settings.model_fields:
            overrides[setting] = str(value) if isinstance(value, Path) else value
        else:
            known = [*of_method, *Settings.model_fields, *_SHORT_NAMES]
            close = difflib.get_close_matches(name, known, n=3)
            hint = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(known)}."
            raise BadInput(f"There is no option or setting {name!r}. {hint}")
    return overrides, options


@dataclass(frozen=True)
class OpenWorkplace:
    """A workplace opened for one call, and how its runs are carried out."""

    workplace: Workplace
    fresh: bool = False
    listeners: Sequence[Listener] = ()

    async def start(self, kind: RunKind[TaskType, OutcomeType], task: TaskType) -> OutcomeType:
        """Starts a run and returns its outcome."""
        return await start(kind, self.workplace, task, self.listeners, fresh=self.fresh)


@asynccontextmanager
async def opened(given: Mapping[str, Any]) -> AsyncIterator[OpenWorkplace]:
    """The workplace under the settings in `given`, which may also hold `fresh` and `listeners`. Raises BadInput for a
    keyword that is no setting."""
    given = dict(given)
    fresh, listeners = bool(given.pop("fresh", False)), given.pop("listeners", ())
    overrides, _ = split_options(given, ())
    async with Workplace(load_settings(overrides)) as workplace:
        yield OpenWorkplace(workplace, fresh, listeners)


def checked(record: type[TaskType], **fields: Any) -> TaskType:
    """A record of a user's arguments. Raises BadInput where one cannot be used."""
    try:
        return record.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "This task"
        raise BadInput(f"{where} cannot be used: {first['msg'].removeprefix('Value error, ')}.") from error


def _complete(work: Coroutine[Any, Any, Returned]) -> Returned:
    """The result of `work`, from code that may itself run inside an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return _InThread(work).result()


class _InThread(Generic[Returned]):
    """Work in a thread with an event loop of its own; an interrupt of the waiting thread cancels it."""

    def __init__(self, work: Coroutine[Any, Any, Returned]) -> None:
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(work)
        self._thread = threading.Thread(target=self._run, name="novum-api")

    def result(self) -> Returned:
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
