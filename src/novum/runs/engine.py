"""Durable runs: started, followed, resumed, the same from every face.

A run's parameters hold everything needed to do it again. Resuming does exactly that: what was answered is replayed
from the ledger, and the work goes on from there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

import novum
from novum.core import TOPIC_LIMIT, Account, Exploration, ExplorationReport, IdeationReport, Topic
from novum.errors import BadInput, BudgetSpent, LibraryError, NovumError
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.ledger.run import Listener
from novum.literature import install_starter
from novum.llm import ModelName, PriceTable
from novum.llm.prices import unknown_price
from novum.methods import get_method
from novum.methods.method import FROM_OPPORTUNITIES
from novum.methods.opportunities import FoundOpenings, openings_of
from novum.reading.exploration import ExploreOptions, LiveSearch, Session, ask
from novum.reading.live_library import LiveLibrary

DEFAULT_METHOD = "chain-of-ideas"
STOPPED = "stopped by you"
QUESTION_LIMIT = 2_000
"""Characters of a question to the literature."""
MEASUREMENT = "liveidea"
"""Kind of the runs that `novum.benchmarks.liveidea.durable` starts and goes on with."""
ARENA, ARENA_TOPICS = "arena", "arena-topics"
"""Kinds of the runs of `novum.benchmarks.arena.durable`."""
JUDGING = "judge"
"""Kind of the runs of `novum.runs.judge`."""
REVIEWING, FILTERING = "review", "filter"
"""Kinds of the runs of `novum.runs.review` and `novum.runs.filter`."""
BULK = "bulk"
"""Kind of the runs of `novum.runs.bulk`."""
FORESIGHT = "foresight"
"""Kind of the runs of `novum.benchmarks.foresight.durable`."""
JUDGE_DATA = "judge-data"
"""Kind of the runs of `novum.training.reviews.durable`."""
JUDGE_EVALUATION = "judge-evaluation"
"""Kind of the runs of `novum.benchmarks.judge_evaluation.durable`."""
_OF_THEIR_OWN = {
    MEASUREMENT: "a measurement of models: resume it by `novum liveidea resume`, read it by `novum liveidea score`",
    ARENA: "an arena: resume it by `novum arena resume`, read it by `novum arena score`",
    JUDGING: "a judging of ideas: go on with it, or read it again, by `novum runs resume`",
    REVIEWING: "a review of ideas: go on with it, or read it again, by `novum runs resume`",
    FILTERING: "a filter of ideas: go on with it, or write its files again, by `novum runs resume`",
    BULK: "a making of ideas in bulk: go on with it, or write its table again, by `novum runs resume`",
    FORESIGHT: "a study of foresight: resume it by `novum runs resume`, read it by `novum foresight report`",
    JUDGE_DATA: "a set for reviewers: go on with it by `novum runs resume`",
    JUDGE_EVALUATION: "an evaluation of reviewers: go on by `novum runs resume`, read it by `novum judge report`",
    ARENA_TOPICS: "a search for topics: begin it again by `novum arena topics`, and what was answered is used",
}
_ASKED = "asked"
OPENINGS_WITHIN = 20.0
"""Seconds that openings at the head of a report may take after its ideas are done; once for a library."""

RunReport = IdeationReport | ExplorationReport
NextQuestion = Callable[[Exploration], Awaitable[str]]
"""Is shown an answer and gives the question that follows it up, empty when there is none."""
Outcome = TypeVar("Outcome", bound=BaseModel)
CarryOut = Callable[[Lab, RunRecord, float], Awaitable[Outcome]]


@dataclass(frozen=True)
class IdeationRequest:
    """What a user asks for. `options` are the method's own, checked before anything is spent."""

    topic: str
    method: str = DEFAULT_METHOD
    options: Mapping[str, Any] = field(default_factory=dict)
    fresh: bool = False


@dataclass(frozen=True)
class ExplorationRequest:
    """What a user asks the literature. `options`: those of `ExploreOptions`, checked before anything is spent."""

    question: str
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
    ensure_library(workplace)
    await check_models(workplace, _cast(workplace))
    params: dict[str, JsonValue] = {
        "topic": topic.text,
        "method": method.name,
        "options": options.model_dump(mode="json"),
        "fresh": request.fresh,
        "settings": settings_to_repeat(workplace),
    }
    record = workplace.ledger.start_run("ideate", topic.text, params)
    return await run_session(workplace, record, listeners, _generate)


async def explore(
    workplace: Workplace,
    request: ExplorationRequest,
    listeners: Sequence[Listener] = (),
    *,
    live: LiveSearch | None = None,
    ask_on: NextQuestion | None = None,
) -> ExplorationReport:
    """Starts a run that answers a question from the literature, and those that `ask_on` follows it up with.

    `live`: brings papers of other sources into the library. Raises as `ideate` does; the run can be resumed likewise,
    with the follow-ups that had been asked.
    """
    question = read_question(request.question)
    options = ExploreOptions.from_given(request.options)
    ensure_library(workplace)
    await check_models(workplace, _cast(workplace))
    params: dict[str, JsonValue] = {
        "question": question,
        "options": options.model_dump(mode="json"),
        "fresh": request.fresh,
        "settings": settings_to_repeat(workplace),
    }
    record = workplace.ledger.start_run("explore", question, params)
    return await run_session(workplace, record, listeners, _conversation(live, ask_on))


async def resume(
    workplace: Workplace,
    run_id: str,
    listeners: Sequence[Listener] = (),
    *,
    anyway: bool = False,
    live: LiveSearch | None = None,
) -> RunReport:
    """Takes a run up again; a finished one is handed back as it was. The workplace must be opened with the run's own
    settings. `anyway`: also when another process seems to be at it. `live`: as for `explore`.
    """
    record = workplace.ledger.run(run_id)
    _check_kind(record)
    if record.status == "finished":
        return report_of(record)
    reopened = workplace.ledger.reopen_run(record.id, anyway=anyway)
    if record.kind == "explore":
        return await run_session(workplace, reopened, listeners, _conversation(live))
    return await run_session(workplace, reopened, listeners, _generate)


def report_of(record: RunRecord) -> RunReport:
    """What a finished run came to. Raises BadInput for a measurement of models or an arena, whose records are another
    thing.
    """
    _check_kind(record)
    form = ExplorationReport if record.kind == "explore" else IdeationReport
    return form.model_validate_json(record.result)


def _check_kind(record: RunRecord) -> None:
    """Raises BadInput for a run that is gone on with, and told of, elsewhere."""
    if record.kind in _OF_THEIR_OWN:
        raise BadInput(f"{record.id} is {_OF_THEIR_OWN[record.kind]}.")


def settings_of(record: RunRecord) -> dict[str, Any]:
    """The settings that a run was started with, as overrides for opening its workplace again."""
    settings = record.params.get("settings")
    return dict(settings) if isinstance(settings, dict) else {}


def seed_of(record: RunRecord) -> int:
    """The seed of a run's draws."""
    return int(str(settings_of(record).get("seed") or 0))


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


def read_question(text: str) -> str:
    """The question on one line, or BadInput that says what is wrong with it."""
    question = " ".join(text.split())
    if not question:
        raise BadInput('The question is empty. Say what you want to know of the literature: novum explore "…"')
    if len(question) > QUESTION_LIMIT:
        raise BadInput(
            f"The question has {len(question):,} characters; at most {QUESTION_LIMIT:,} are read. Ask one thing, and "
            "put documents into the library instead."
        )
    return question


async def run_session(
    workplace: Workplace, record: RunRecord, listeners: Sequence[Listener], carry_out: CarryOut[Outcome]
) -> Outcome:
    """One session of work on a run, its end told to the ledger however it comes. Raises what `carry_out` raises."""
    lab = workplace.lab(record, fresh=bool(record.params.get("fresh")))
    for listener in listeners:
        lab.run.listen(listener)
    began = time.perf_counter()
    try:
        report = await carry_out(lab, record, began)
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
    topic, wanted = Topic(text=str(record.params["topic"])), bool(getattr(options, FROM_OPPORTUNITIES, 0))
    opening = asyncio.create_task(openings_of(lab, topic.text, options.before, asked=wanted))
    try:
        if lab.live:
            lab = replace(lab, library=LiveLibrary(lab.library, lab.run, lab.live))
        ideation = await method.generate(lab, topic, options)
        found = await _in_time(lab, opening)
    finally:
        opening.cancel()
    if lab.live:
        ideation = ideation.but(notes=(*ideation.notes, *lab.live.notes))
    lab.run.emit("run-done", ideas=len(ideation.candidates))
    account = account_of(lab, record, time.perf_counter() - began)
    return IdeationReport(ideation=ideation, account=account, openings=found.openings, without_openings=found.why)


async def _in_time(lab: Lab, opening: asyncio.Task[FoundOpenings]) -> FoundOpenings:
    """What was computed beside the ideas; they do not wait long for it."""
    if not opening.done():
        lab.run.say("openings: the concepts of the library are still being counted")
    await asyncio.wait([opening], timeout=OPENINGS_WITHIN)
    if not opening.done():
        return FoundOpenings(why="Computing them took longer than the ideas: `novum opportunities` shows them.")
    return opening.result()


def _conversation(live: LiveSearch | None, ask_on: NextQuestion | None = None) -> CarryOut[ExplorationReport]:
    """A question and what follows it up: first what was asked in earlier sessions of work, then what is asked now."""

    async def carry_out(lab: Lab, record: RunRecord, began: float) -> ExplorationReport:
        given = record.params["options"]
        options = ExploreOptions.from_given(given if isinstance(given, dict) else {})
        session = Session(lab, options, live or lab.live)
        events = [event for _, event in lab.run.ledger.events(record.id)]
        repeated = [str(event.data["question"]) for event in events if event.kind == _ASKED]
        lab.run.emit("run-began", method=record.kind, topic=str(record.params["question"]))
        told = await ask(session, str(record.params["question"]))
        while words := repeated.pop(0) if repeated else await _asked_next(lab, told, ask_on):
            with lab.run.step(f"follow-up {len(session.explorations)}"):
                told = await ask(session, words)
        lab.run.emit("run-done", snippets=sum(len(each.evidence) for each in session.explorations))
        account = account_of(lab, record, time.perf_counter() - began)
        told_of = (*lab.live.notes,) if lab.live else ()
        explorations = [each.but(notes=(*each.notes, *told_of)) for each in session.explorations[:1]]
        return ExplorationReport(explorations=(*explorations, *session.explorations[1:]), account=account)

    return carry_out


async def _asked_next(lab: Lab, told: Exploration, ask_on: NextQuestion | None) -> str:
    """The next question of a person, noted down before it is worked on."""
    words = await ask_on(told) if ask_on else ""
    if words:
        lab.run.emit(_ASKED, question=words)
    return words


def account_of(lab: Lab, record: RunRecord, seconds: float) -> Account:
    """What a run took so far, `seconds` of this session included."""
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


def ensure_library(workplace: Workplace) -> None:
    """A first run finds the starter library; a library of the user's own is left as it is."""
    if workplace.library.is_empty():
        install_starter(workplace.library)
    if workplace.library.is_empty():
        raise LibraryError("The library is empty. Add papers: `novum library import FILE`.")


async def check_models(workplace: Workplace, models: Iterable[ModelName]) -> None:
    """A missing key, a price that a budget in dollars needs, or a model that is not installed shows before a run
    begins. Asks nobody anything. Raises ModelRefusedUs or BadInput.
    """
    tariff = PriceTable(workplace.model_settings.prices)
    for model in dict.fromkeys(models):
        if workplace.settings.budget.usd is not None and tariff.usd(model, 1, 1) is None:
            raise unknown_price(model)
        await workplace.connections.endpoint(model)


def _cast(workplace: Workplace) -> tuple[ModelName, ...]:
    cast = workplace.model_settings.cast
    return cast.writer, cast.reader, *cast.judges


def settings_to_repeat(workplace: Workplace) -> dict[str, JsonValue]:
    """The settings that decide what comes out; keys and places stay out of it."""
    cast = workplace.model_settings.cast
    values = workplace.settings.values
    return {
        "writer": str(cast.writer),
        "reader": str(cast.reader),
        "judges": [str(judge) for judge in cast.judges],
        "embedder": values.embedder,
        "sources": list(values.sources),
        "temperature": values.temperature,
        "max_tokens": values.max_tokens,
        "seed": values.seed,
        "token_probabilities": values.token_probabilities,
        "prompts": str(values.prompts.resolve()) if values.prompts else "",
        "library": workplace.settings.library_url or str(workplace.settings.library_folder.resolve()),
        "budget_usd": values.budget_usd,
        "budget_tokens": values.budget_tokens,
        "budget_calls": values.budget_calls,
    }
