"""The start page: a topic, the choices of a run with an estimate of its cost, and the recent runs of every kind."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from novum.core import TOPIC_LIMIT
from novum.errors import BadInput
from novum.literature.sources import sources
from novum.methods import get_method, method_names
from novum.methods.effort import has_effort
from novum.runs.ideation import default_method, read_topic
from novum.settings import load_settings
from novum.web.live.job_files import JobRequest
from novum.web.rendering import page
from novum.web.routes.progress import estimate_of
from novum.web.workbench import Bench, Workbench

router = APIRouter()
PATIENCE = 20.0
"""Seconds that a browser waits for a run to begin before it is shown the waiting page."""


class RunForm(BaseModel):
    """What the form of the start page holds. Empty fields are left to the settings."""

    model_config = ConfigDict(extra="ignore")

    topic: str = Field("", max_length=4 * TOPIC_LIMIT)
    goal: str = Field("ideas", pattern="^(ideas|answer)$")
    method: str = Field("", max_length=60)
    effort: str = Field("", pattern="^(low|medium|high)?$")
    model: str = Field("", max_length=300)
    judges: str = Field("", max_length=1_000)
    before: str = Field("", pattern=r"^(\d{4}-\d{2}-\d{2})?$")
    sources: str = Field("", max_length=200)
    budget_usd: str = Field("", max_length=20)
    budget_calls: str = Field("", max_length=20)
    force: bool = False

    @property
    def settings(self) -> dict[str, JsonValue]:
        """The settings that the form changes. Raises BadInput for a budget that is no number."""
        given: dict[str, JsonValue] = {
            "writer": self.model.strip(), "judges": self.judges.strip(), "effort": self.effort,
            "sources": self.sources.strip(), "budget_usd": read_amount(self.budget_usd, "The budget in dollars"),
            "budget_calls": read_count(self.budget_calls, "The budget in calls"),
        }  # fmt: skip
        return {name: value for name, value in given.items() if value not in ("", None)}

    @property
    def options(self) -> dict[str, JsonValue]:
        """The options of the method or the exploration."""
        return {"before": self.before} if self.before else {}

    @property
    def request(self) -> JobRequest:
        """The run as a job, without settings of the workbench. Raises BadInput."""
        topic = read_topic(self.topic).text
        if self.goal == "answer":
            task: dict[str, JsonValue] = {"question": topic, "options": self.options, "force": self.force}
            return JobRequest(work="start", kind="explore", task=task, settings=self.settings)
        if self.method:
            get_method(self.method)
        task = {"topic": topic, "method": self.method, "options": self.options, "force": self.force}
        return JobRequest(work="start", kind="ideate", task=task, settings=self.settings)


@router.get("/")
async def start_page(request: Request, bench: Bench, topic: str = "") -> Response:
    """The form and the recent runs."""
    roles = bench.settings.model_roles()
    offline = roles.writer.provider.name == "offline"
    return page(
        request, "start.html.j2", topic=topic[:TOPIC_LIMIT], roles=roles, methods=_methods(),
        default=default_method((), offline=offline), demonstration=offline,
        sources=list(sources.names()), live=bench.settings.live_sources(), runs=bench.recent(),
        papers=bench.place.library.size().papers,
    )  # fmt: skip


@router.get("/estimate")
async def estimate(request: Request, bench: Bench, form: Annotated[RunForm, Form()]) -> Response:
    """What the run of the form would take: calls, tokens, price and time. A part of the start page."""
    return _estimate(request, bench, form)


@router.post("/estimate")
async def estimate_of_form(request: Request, bench: Bench, form: Annotated[RunForm, Form()]) -> Response:
    """As `estimate`, for a form that is sent in the body."""
    return _estimate(request, bench, form)


@router.post("/runs", status_code=303)
async def start_run(request: Request, bench: Bench, form: Annotated[RunForm, Form()]) -> Response:
    """Starts a run and leads to its page."""
    check_rate(request, bench)
    wanted = form.request
    load_settings(bench.job_settings(wanted.settings)).model_roles()  # a wrong name is refused before a process starts
    return await begin(request, bench, wanted)


@router.get("/jobs/{name}")
async def waiting_page(request: Request, bench: Bench, name: str) -> Response:
    """A run that has not begun yet, or why it could not begin."""
    state = bench.jobs.state(name)
    if state is None:
        raise HTTPException(404, "There is no such job.")
    if state.run_id:
        return RedirectResponse(f"/runs/{state.run_id}", 303)
    return page(request, "waiting.html.j2", 400 if state.problem else 200, state=state, name=name)


async def begin(request: Request, bench: Workbench, wanted: JobRequest) -> Response:
    """Launches a job and leads to the page of its run, to the waiting page, or to the problem."""
    settings = bench.job_settings(wanted.settings)
    name = bench.jobs.launch(wanted.model_copy(update={"settings": settings}))
    state = await bench.jobs.run_id(name, PATIENCE)
    bench.jobs.reap()
    if state.problem and not state.run_id:
        raise BadInput(state.problem)
    place = f"/runs/{state.run_id}" if state.run_id else f"/jobs/{name}"
    if request.headers.get("hx-request"):
        return Response(status_code=204, headers={"HX-Redirect": place})
    return RedirectResponse(place, 303)


def check_rate(request: Request, bench: Workbench) -> None:
    """Raises HTTPException 429 for a browser that starts too many runs."""
    client = request.client.host if request.client else "unknown"
    if wait := bench.starts.wait(client):
        raise HTTPException(429, f"Too many runs in a minute. Try again in {wait:.0f} seconds; nothing was started.")


def _estimate(request: Request, bench: Workbench, form: RunForm) -> Response:
    given = bench.job_settings(form.settings)
    offline = load_settings(given).model_roles().writer.provider.name == "offline"
    method = form.method or default_method((), offline=offline)
    found = estimate_of(method, given) if form.goal == "ideas" else None
    ignored = bool(form.effort) and form.goal == "ideas" and not has_effort(method)
    return page(request, "estimate.html.j2", estimate=found, form=form, method=method, effort_ignored=ignored)


def _methods() -> list[tuple[str, str]]:
    return [(name, get_method(name).doc.partition("\n")[0]) for name in method_names()]


def read_amount(text: str, what: str) -> float | None:
    """A number in a field of a form; None where it is empty. Raises BadInput."""
    try:
        return float(text) if text.strip() else None
    except ValueError:
        raise BadInput(f"{what} is no number: {text[:20]!r}. Write 0.50, or leave it empty.") from None


def read_count(text: str, what: str) -> int | None:
    """A whole number in a field of a form; None where it is empty. Raises BadInput."""
    if text.strip() and not text.strip().isdecimal():
        raise BadInput(f"{what} is no whole number: {text[:20]!r}. Write 40, or leave it empty.")
    return int(text) if text.strip() else None
