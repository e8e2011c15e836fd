"""The engine of durable runs: every kind of run is started, resumed and replayed by the functions of this module.

    ARENA = RunKind("arena", "arena", ArenaTask, ArenaRun, prepare=…, carry_out=…, replay=…)

    async with Workplace(load_settings()) as workplace:
        run = await start(ARENA, workplace, ArenaTask(topics=…, entrants=…, judges=…))

The parameters of a run in the ledger hold everything that is needed to do it again. Resuming does exactly that: answers
that were recorded are taken from the ledger, and the work continues from there. `novum.runs.kinds` lists all kinds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from novum.core import Account
from novum.core.version import installed_version
from novum.errors import BadInput, BudgetSpent, LedgerError, LibraryError, NovumError
from novum.lab import Lab, Workplace, sentence_encoder
from novum.ledger import Ledger, RunRecord
from novum.ledger.run import Listener
from novum.literature import StaticEmbedder, install_starter
from novum.llm import ModelName, PriceTable
from novum.llm.prices import unknown_price
from novum.settings import HOME_LIBRARY, NO_SOURCES, LoadedSettings

STOPPED = "stopped by you"
PROMPTS_CHANGED = (
    "The prompts of Novum have changed since this run began: a question whose prompt has changed is asked again."
)
NOT_FINISHED = "The run has not ended."
"""Why the outcome of a run is not whole, where its record gives no reason."""

TaskType = TypeVar("TaskType", bound=BaseModel)
OutcomeType = TypeVar("OutcomeType", bound=BaseModel)


@dataclass(frozen=True)
class RunHeader(Generic[TaskType]):
    """What the ledger stores about a new run beside its task."""

    title: str
    options: Mapping[str, JsonValue] = field(default_factory=dict)
    """The choices that `novum runs show` lists."""
    method: str = ""
    """The name shown beside the options; empty: the name of the kind."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    """Settings that the run is resumed with instead of those of the workplace, such as the task's own judges."""
    task: TaskType | None = None
    """The task to store, where preparing it settled something; None: as it was given."""


@dataclass(frozen=True)
class SessionResult(Generic[OutcomeType]):
    """What one session of work came to."""

    outcome: OutcomeType
    stored: OutcomeType | None = None
    """What is stored with a finished run, where that is less than the outcome: without what the ledger holds anyway,
    answer by answer."""
    stopped: str = ""
    """Why the run could not be finished; empty when it is."""
    count: int = 0
    """Ideas, papers or passages that it came to, for listeners of the run."""


@dataclass(frozen=True)
class RunKind(Generic[TaskType, OutcomeType]):
    """A kind of durable run.

    `name`: as the ledger stores it. `noun`: what one such run is called in messages. `task`: the frozen record of what
    is to be done, stored with the run. `outcome`: the record that it comes to.
    """

    name: str
    noun: str
    task: type[TaskType]
    outcome: type[OutcomeType]
    prepare: Callable[[Workplace, TaskType], Awaitable[RunHeader[TaskType]]]
    """Checks everything before anything is spent, and describes the run."""
    carry_out: Callable[[Lab, RunRecord, TaskType], Awaitable[SessionResult[OutcomeType]]]
    """One session of work, from wherever earlier sessions came to."""
    replay: Callable[[Workplace, RunRecord, TaskType], Awaitable[OutcomeType]] | None = None
    """Makes the outcome anew from the ledger, as far as the run came, without asking any model. None: the outcome is
    stored whole with a finished run, and an unfinished one has none."""
    task_key: str = "task"
    """The parameter of the run that holds the task; empty: the fields of the task are parameters themselves."""
    continues_finished: bool = False
    """Whether resuming a finished run tries again what failed in it; else its stored outcome is returned."""


async def start(
    kind: RunKind[TaskType, OutcomeType],
    workplace: Workplace,
    task: TaskType,
    listeners: Sequence[Listener] = (),
    *,
    fresh: bool = False,
) -> OutcomeType:
    """Starts a run and works on it until it is done or its budget ends. `fresh`: answers of other runs are not used.

    Raises BadInput for a task that cannot be carried out, ModelRefusedUs when a model has no key, BudgetSpent when the
    budget ended before there was an outcome; other NovumErrors when models or the library fail. Whatever is raised
    after the start, the run is in the ledger and can be resumed.
    """
    header = await kind.prepare(workplace, task)
    task = header.task or task
    fields: Any = task.model_dump(mode="json")
    params: dict[str, JsonValue] = {
        "method": header.method or kind.name,
        "options": dict(header.options),
        "fresh": fresh,
        "prompt_digest": workplace.prompts.digest,
        "settings": settings_to_repeat(workplace) | dict(header.settings),
        **({kind.task_key: fields} if kind.task_key else fields),
    }
    record = workplace.ledger.start_run(kind.name, header.title, params)
    return await _run_session(kind, workplace, record, task, listeners)


async def resume(
    kind: RunKind[TaskType, OutcomeType],
    workplace: Workplace,
    run_id: str,
    listeners: Sequence[Listener] = (),
    *,
    force: bool = False,
) -> OutcomeType:
    """Continues a run. The workplace must be opened with the run's own settings (`settings_of`).

    `force`: also when another process seems to be working on it. Raises BadInput for a run of another kind, and
    otherwise as `start` does.
    """
    record = workplace.ledger.run(run_id)
    task = task_of(kind, record)
    finished = record.status == "finished"
    if finished and not kind.continues_finished:
        return stored_outcome(kind, record)
    try:
        reopened = workplace.ledger.reopen_run(record.id, force=force)
    except LedgerError:
        if not finished:
            raise
        return await replay(kind, workplace, run_id)  # a ledger that may only be read shows what it holds
    return await _run_session(kind, workplace, reopened, task, listeners)


async def replay(kind: RunKind[TaskType, OutcomeType], workplace: Workplace, run_id: str) -> OutcomeType:
    """The outcome of a run as far as it came, from the ledger alone: no request is sent. Raises BadInput for a run of
    another kind, and for an unfinished one of a kind whose outcome is only stored at the end.
    """
    record = workplace.ledger.run(run_id)
    task = task_of(kind, record)
    if kind.replay is not None:
        return await kind.replay(workplace, record, task)
    return stored_outcome(kind, record)


def task_of(kind: RunKind[TaskType, Any], record: RunRecord) -> TaskType:
    """The task of a stored run. Raises BadInput for a run of another kind, or one that cannot be read any more."""
    if record.kind != kind.name:
        raise BadInput(f"Run {record.id} is not a run of this kind: {kind.noun} was expected, it is {record.kind!r}.")
    names = [name for name in kind.task.model_fields if name in record.params]
    with _readable(record):
        return kind.task.model_validate(
            record.params.get(kind.task_key) if kind.task_key else {name: record.params[name] for name in names}
        )


def stored_outcome(kind: RunKind[Any, OutcomeType], record: RunRecord) -> OutcomeType:
    """The outcome stored with a finished run. Raises BadInput where there is none."""
    if not record.result:
        raise BadInput(
            f"Run {record.id} has no result yet. Finish it with `novum runs resume {record.id}`, or export its calls "
            f"with `novum runs export {record.id} --calls`."
        )
    with _readable(record):
        return kind.outcome.model_validate_json(record.result)


@contextmanager
def _readable(record: RunRecord) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise BadInput(
            f"Run {record.id} was written by another version of Novum and cannot be read: {error.errors()[0]['msg']}. "
            "Start a new run: recorded answers are used again."
        ) from error


async def _run_session(
    kind: RunKind[TaskType, OutcomeType],
    workplace: Workplace,
    record: RunRecord,
    task: TaskType,
    listeners: Sequence[Listener],
) -> OutcomeType:
    """One session of work on a run. However it ends is recorded in the ledger; a run whose budget ended is stopped, and
    its outcome so far is returned."""
    lab = workplace.lab(record, fresh=bool(record.params.get("fresh")))
    for listener in listeners:
        lab.run.listen(listener)
    ledger = workplace.ledger
    try:
        lab.run.emit("run-began", method=str(record.params.get("method") or kind.name), topic=record.title)
        if record.params.get("prompt_digest", workplace.prompts.digest) != workplace.prompts.digest:
            lab.run.emit("prompts-changed", text=PROMPTS_CHANGED)
        if isinstance(embedder := lab.library.embedder, StaticEmbedder):
            await embedder.load()
        result = await kind.carry_out(lab, record, task)
        if not result.stopped:
            if not kind.continues_finished:  # else failures are part of the outcome, and resuming tries them again
                lab.models.session.check()
            lab.run.emit("run-done", ideas=result.count)
    except BudgetSpent as stop:
        ledger.end_run(record.id, "stopped", str(stop), seconds=lab.seconds)
        raise
    except (asyncio.CancelledError, KeyboardInterrupt):
        ledger.end_run(record.id, "stopped", STOPPED, seconds=lab.seconds)
        raise
    except Exception as error:
        reason = str(error) if isinstance(error, NovumError) else f"{type(error).__name__}: {error}"
        ledger.end_run(record.id, "failed", reason, seconds=lab.seconds)
        raise
    finally:
        if lab.live:
            await lab.live.close()
    if result.stopped:
        ledger.end_run(record.id, "stopped", result.stopped, seconds=lab.seconds)
    else:
        stored = (result.stored or result.outcome).model_dump_json()
        ledger.end_run(record.id, "finished", result=stored, seconds=lab.seconds)
    return result.outcome


# -- what kinds share ------------------------------------------------------------------------------------------------


def settings_of(record: RunRecord) -> dict[str, Any]:
    """The settings that a run was started with, as overrides for opening its workplace again."""
    settings = record.params.get("settings")
    if not isinstance(settings, dict):
        return {}
    # Earlier versions had no second stage of searches, and no services unless they were named.
    sources = settings.get("sources") or [NO_SOURCES]
    return {"reranker": "none", **settings, "sources": sources, "library": _library_of(settings)}


def settings_to_resume(record: RunRecord) -> dict[str, Any]:
    """As `settings_of`. Raises BadInput where the library of the run is not there: an empty one would be made."""
    settings = settings_of(record)
    if _is_lost(library := str(settings.get("library") or "")):
        raise BadInput(
            f"The library of run {record.id} is not there: {library}. Put it back, or start the run anew with another "
            "one: recorded answers are used."
        )
    return settings


def _library_of(settings: Mapping[str, Any]) -> str:
    """The library of a run. Earlier versions stored that of the home with its place, and the home may have moved."""
    library = str(settings.get("library") or "")
    return HOME_LIBRARY if _is_lost(library) and Path(library).name == "library" else library


def _is_lost(library: str) -> bool:
    if not library or "://" in library or library == HOME_LIBRARY:
        return False
    try:
        return not Path(library).exists()
    except OSError:  # in a folder of somebody else
        return True


def seed_of(record: RunRecord) -> int:
    """The seed of a run's random draws."""
    return int(str(settings_of(record).get("seed") or 0))


def iso(seconds: float) -> str:
    """Seconds since the epoch as ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


async def account_of(lab: Lab, record: RunRecord) -> Account:
    """What a run took so far, this session included."""
    await lab.run.ledger.written()
    roles = lab.models.settings.roles
    offline = roles.writer.provider.name == "offline"
    return _account(lab.run.ledger, record, record.seconds + lab.seconds, roles.names(), offline)


def replayed_account(ledger: Ledger, record: RunRecord) -> Account:
    """What a run took, from the ledger, with the writer and the reader that its parameters name."""
    settings = settings_of(record)
    named = {role: str(settings.get(role) or "") for role in ("writer", "reader")}
    models = {role: ModelName.parse(name).short for role, name in named.items() if name}
    return _account(ledger, record, record.seconds, models)


def _account(
    ledger: Ledger, record: RunRecord, seconds: float, models: Mapping[str, str], demonstration: bool = False
) -> Account:
    return Account(
        run_id=record.id,
        novum_version=installed_version(),
        started=iso(record.started),
        seconds=round(seconds, 2),
        models=dict(models),
        spend=ledger.spend(record.id),
        demonstration=demonstration,
    )


def ensure_library(workplace: Workplace) -> None:
    """Installs the starter library where the library is empty. Raises LibraryError where it still is."""
    if workplace.library.is_empty():
        install_starter(workplace.library)
    if workplace.library.is_empty():
        raise LibraryError("The library is empty. Add papers: `novum library import FILE`.")


async def check_models(workplace: Workplace, models: Iterable[ModelName]) -> None:
    """Finds a missing key, an unknown price where the budget is in dollars, and a model that is not installed before a
    run starts. Sends no request to a model. Raises ModelRefusedUs or BadInput.
    """
    prices = PriceTable(workplace.model_settings.prices)
    for model in dict.fromkeys(models):
        if workplace.settings.budget.usd is not None and prices.usd(model, 1, 1) is None:
            raise unknown_price(model)
        await workplace.connections.endpoint(model)


def role_models(workplace: Workplace) -> tuple[ModelName, ...]:
    """The writer, the reader and the judges of the settings."""
    roles = workplace.model_settings.roles
    return roles.writer, roles.reader, *roles.judges


def settings_to_repeat(workplace: Workplace) -> dict[str, JsonValue]:
    """The settings that decide what a run comes to. Keys and folders are left out, but for prompts and library."""
    roles = workplace.model_settings.roles
    values = workplace.settings.values
    on_server = workplace.settings.library_url is not None
    return {
        "writer": str(roles.writer),
        "reader": str(roles.reader),
        "judges": [str(judge) for judge in roles.judges],
        "embedder": values.embedder,
        "reranker": "auto" if sentence_encoder(workplace.settings) else "none",
        "sources": list(values.sources) or [NO_SOURCES],
        "temperature": values.temperature,
        "max_tokens": values.max_tokens,
        "seed": values.seed,
        "token_probabilities": values.token_probabilities,
        "prompts": str(values.prompts.resolve()) if values.prompts else "",
        "library": values.library if on_server else _stored_library(workplace.settings),
        "budget_usd": values.budget_usd,
        "budget_tokens": values.budget_tokens,
        "budget_calls": values.budget_calls,
    }


def _stored_library(settings: LoadedSettings) -> str:
    """The folder of the library, or that it is the one of the home, whose ledger has the run."""
    home, library, ledger = settings.values.home, settings.library_folder, settings.ledger_place
    is_of_home = library.resolve() == (home / "library").resolve()
    if is_of_home and isinstance(ledger, Path) and ledger.resolve().is_relative_to(home.resolve()):
        return HOME_LIBRARY
    return str(library.resolve())
