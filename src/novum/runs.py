"""Durable runs: started, followed, resumed, the same from every face.

A run's parameters hold everything needed to do it again. Resuming does exactly that: what was answered is replayed
from the ledger, and the work goes on from there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic import JsonValue, ValidationError

import novum
from novum.core import TOPIC_LIMIT, Account, IdeationReport, Topic
from novum.errors import BadInput, BudgetSpent, LibraryError, NovumError
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.ledger.run import Listener
from novum.literature import install_starter
from novum.llm.tariff import Tariff, unknown_price
from novum.methods import get_method

DEFAULT_METHOD = "chain-of-ideas"
STOPPED = "stopped by you"


@dataclass(frozen=True)
class IdeationRequest:
    """What a user asks for. `options` are the method's own, checked before anything is spent."""

    topic: str
    method: str = DEFAULT_METHOD
    options: Mapping[str, Any] = field(default_factory=dict)
    fresh: bool = False


async def ideate(workplace: Workplace, request: IdeationRequest, listeners: Sequence[Listener] = ()) -> IdeationReport:
    """Starts a run and works on it until it is done.

    Raises BadInput for an unusable topic, method or option; BudgetSpent when the budget stops it; other NovumErrors
    when models or library fail. Whatever it raises, the run is in the ledger and can be resumed.
    """
    topic = read_topic(request.topic)
    method = get_method(request.method)
    options = method.options_from(request.options)
    _fill_library(workplace)
    await _see_to_models(workplace)
    params: dict[str, JsonValue] = {
        "topic": topic.text,
        "method": method.name,
        "options": options.model_dump(mode="json"),
        "fresh": request.fresh,
        "settings": _settings_to_repeat(workplace),
    }
    record = workplace.ledger.start_run("ideate", topic.text, params)
    return await _work(workplace, record, listeners)


async def resume(
    workplace: Workplace, run_id: str, listeners: Sequence[Listener] = (), *, anyway: bool = False
) -> IdeationReport:
    """Takes a run up again; a finished one is handed back as it was. The workplace must be opened with the run's own
    settings. `anyway`: also when another process seems to be at it.
    """
    record = workplace.ledger.run(run_id)
    if record.status == "finished":
        return IdeationReport.model_validate_json(record.result)
    return await _work(workplace, workplace.ledger.reopen_run(record.id, anyway=anyway), listeners)


def settings_of(record: RunRecord) -> dict[str, Any]:
    """The settings that a run was started with, as overrides for opening its workplace again."""
    settings = record.params.get("settings")
    return dict(settings) if isinstance(settings, dict) else {}


def read_topic(text: str) -> Topic:
    """The topic, or BadInput that says what is wrong with it."""
    if not text.strip():
        raise BadInput('The topic is empty. Say in a phrase or two what the ideas should be about: novum ideate "…"')
    if len(text.strip()) > TOPIC_LIMIT:
        raise BadInput(
            f"The topic has {len(text.strip()):,} characters; at most {TOPIC_LIMIT:,} are read. Give the "
            "question; put documents into the library instead."
        )
    try:
        return Topic(text=" ".join(text.split()))
    except ValidationError as error:
        raise BadInput(f"The topic cannot be used: {error.errors()[0]['msg']}.") from error


async def _work(workplace: Workplace, record: RunRecord, listeners: Sequence[Listener]) -> IdeationReport:
    lab = workplace.lab(record, fresh=bool(record.params.get("fresh")))
    for listener in listeners:
        lab.run.listen(listener)
    began = time.perf_counter()
    try:
        report = await _generate(lab, record, began)
    except BudgetSpent as stop:
        workplace.ledger.end_run(record.id, "stopped", str(stop), seconds=time.perf_counter() - began)
        raise
    except (asyncio.CancelledError, KeyboardInterrupt):
        workplace.ledger.end_run(record.id, "stopped", STOPPED, seconds=time.perf_counter() - began)
        raise
    except Exception as error:
        reason = str(error) if isinstance(error, NovumError) else f"{type(error).__name__}: {error}"
        workplace.ledger.end_run(record.id, "failed", reason, seconds=time.perf_counter() - began)
        raise
    workplace.ledger.end_run(
        record.id, "finished", result=report.model_dump_json(), seconds=time.perf_counter() - began
    )
    return report


async def _generate(lab: Lab, record: RunRecord, began: float) -> IdeationReport:
    method = get_method(str(record.params["method"]))
    given = record.params["options"]
    options = method.options_from(given if isinstance(given, dict) else {})
    lab.run.emit("run-began", method=method.name, topic=str(record.params["topic"]))
    ideation = await method.generate(lab, Topic(text=str(record.params["topic"])), options)
    lab.run.emit("run-done", ideas=len(ideation.candidates))
    return IdeationReport(ideation=ideation, account=_account(lab, record, time.perf_counter() - began))


def _account(lab: Lab, record: RunRecord, seconds: float) -> Account:
    cast = lab.models.settings.cast
    return Account(
        run_id=record.id,
        novum_version=novum.__version__,
        started=datetime.fromtimestamp(record.started, UTC).isoformat(timespec="seconds"),
        seconds=round(record.seconds + seconds, 2),
        models=cast.names(),
        spend=lab.run.ledger.spend(record.id),
        demonstration=cast.writer.provider.name == "offline",
    )


def _fill_library(workplace: Workplace) -> None:
    """A first run finds the starter library; a library of the user's own is left as it is."""
    if workplace.library.is_empty():
        install_starter(workplace.library)
    if workplace.library.is_empty():
        raise LibraryError("The library is empty. Add papers: `novum library import FILE`.")


async def _see_to_models(workplace: Workplace) -> None:
    """A missing key or a model that is not installed shows before a run begins. Asks nobody anything."""
    cast = workplace.model_settings.cast
    tariff = Tariff(workplace.model_settings.prices)
    for model in dict.fromkeys((cast.writer, cast.reader, *cast.judges)):
        if workplace.settings.budget.usd is not None and tariff.usd(model, 1, 1) is None:
            raise unknown_price(model)
        await workplace.connections.endpoint(model)


def _settings_to_repeat(workplace: Workplace) -> dict[str, JsonValue]:
    """The settings that decide what comes out; keys and places stay out of it."""
    cast = workplace.model_settings.cast
    values = workplace.settings.values
    return {
        "writer": str(cast.writer),
        "reader": str(cast.reader),
        "judges": [str(judge) for judge in cast.judges],
        "embedder": values.embedder,
        "temperature": values.temperature,
        "max_tokens": values.max_tokens,
        "seed": values.seed,
        "prompts": str(values.prompts.resolve()) if values.prompts else "",
        "library": workplace.settings.library_url or str(workplace.settings.library_folder.resolve()),
        "budget_usd": values.budget_usd,
        "budget_tokens": values.budget_tokens,
        "budget_calls": values.budget_calls,
    }
