"""The page of a run: live progress for any number of viewers, what it came to, and its report in every format."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Header, HTTPException, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import JsonValue, ValidationError
from sse_starlette import EventSourceResponse

from novum.core import ExplorationReport, IdeationReport
from novum.errors import BadInput
from novum.ledger import RunRecord
from novum.reports.exploration.page import page_context as exploration_context
from novum.reports.files import report_contents
from novum.reports.ideation.page import page_context as ideation_context
from novum.reports.ideation.versions import versions
from novum.reports.pdf import pdf_of
from novum.runs.engine import settings_of
from novum.runs.kinds import entry_of
from novum.runs.stored import INTERRUPTED, progress_of, status_of
from novum.web.live.boards import NATIVE
from novum.web.live.exports import MEDIA, OUTCOME, as_zip, main_page
from novum.web.live.feed import RunView, chain_of
from novum.web.live.job_files import JobRequest
from novum.web.rendering import page
from novum.web.routes.progress import render_progress
from novum.web.routes.start import begin, check_rate, read_amount, read_count
from novum.web.routes.steering import parents_of, steering_context
from novum.web.workbench import Bench, Workbench

router = APIRouter()
IDEAS, ANSWERS = ("ideate", "steer"), ("explore",)
_PING = 15
_LAST = 2**53
"""The largest number of an event, which JavaScript and databases can both count to."""
_POLICY = re.compile(r"script-src ('sha256-[A-Za-z0-9+/=]+')")
Report = IdeationReport | ExplorationReport


@router.get("/runs")
async def run_list(request: Request, bench: Bench, limit: Annotated[int, Query(ge=1, le=500)] = 100) -> Response:
    """The runs of all kinds, newest first."""
    return page(request, "runs.html.j2", runs=bench.recent(limit))


@router.get("/runs/{run_id}")
async def run_page(request: Request, bench: Bench, run_id: str) -> Response:
    """A run: its progress while it is under way, then what it came to."""
    record = bench.record(run_id, result=True)
    view = await asyncio.to_thread(_view, bench, record)
    shared: dict[str, Any] = {
        "record": record, "view": view, "live": render_progress(view), "summary": bench.summary(record),
        "description": entry_of(record).description, "can_stop": _working_job(bench, record) is not None,
        "budget": _budget(record),
    }  # fmt: skip
    report = await asyncio.to_thread(report_of, record)
    if isinstance(report, IdeationReport):
        task: Any = record.params.get("task") if record.kind == "steer" else {}
        steered = {"parents": parents_of(record), "wish": task.get("wish", ""), "remark": task.get("comment", "")}
        return page(
            request, "run_ideas.html.j2", **shared, **ideation_context(report), **steering_context(bench, record),
            **steered, versions=versions,
        )  # fmt: skip
    if isinstance(report, ExplorationReport):
        return page(request, "run_answer.html.j2", **shared, **exploration_context(report))
    restarting = view.status == INTERRUPTED and await asyncio.to_thread(bench.jobs.goes_on, record.id)
    return page(request, "run.html.j2", **shared, native=record.kind in NATIVE, restarting=restarting)


@router.get("/runs/{run_id}/outcome")
async def outcome(request: Request, bench: Bench, run_id: str) -> Response:
    """The report of a finished run as a part of its page: in a frame, or as text and files where it has no page."""
    record = bench.record(run_id)
    files = await bench.exports.files(record, bench.settings.values.home)
    text = await asyncio.to_thread(files[OUTCOME].read_text, "utf-8") if OUTCOME in files else ""
    sizes = [(name, path.stat().st_size) for name, path in files.items() if name != OUTCOME]
    return page(request, "run_outcome.html.j2", record=record, main=main_page(files), text=text, files=sizes)


@router.get("/runs/{run_id}/events", response_class=EventSourceResponse)
async def events(
    bench: Bench, run_id: str, last_event_id: Annotated[int, Header(ge=0, le=_LAST)] = 0,
    after: Annotated[int, Query(ge=0, le=_LAST)] = 0,
) -> Response:  # fmt: skip
    """The live feed of a run as server-sent events. `after`, or the header Last-Event-ID: the last event seen."""
    feed = bench.feeds.of(bench.record(run_id).id)

    async def stream() -> AsyncIterator[bytes]:
        async with aclosing(feed.batches(max(last_event_id, after))) as batches:
            async for batch in batches:
                yield b"".join(frame.encoded for frame in batch)

    return EventSourceResponse(stream(), ping=_PING)


@router.post("/runs/{run_id}/stop", status_code=303)
async def stop(bench: Bench, run_id: str) -> Response:
    """Stops a run after the answers under way are recorded. It can be resumed."""
    record = bench.record(run_id)
    job = _working_job(bench, record)
    if job is None or not bench.jobs.stop(job):
        raise BadInput(
            "No process of this workbench works on the run. If it was started on the command line, stop it there with "
            "Ctrl-C."
        )
    return RedirectResponse(f"/runs/{record.id}", 303)


@router.post("/runs/{run_id}/resume", status_code=303)
async def resume(
    request: Request, bench: Bench, run_id: str, budget_usd: Annotated[str, Form(max_length=20)] = "",
    budget_calls: Annotated[str, Form(max_length=20)] = "", budget_tokens: Annotated[str, Form(max_length=20)] = "",
) -> Response:  # fmt: skip
    """Continues a run where it was, within a new budget where one is given. No recorded answer is requested again."""
    check_rate(request, bench)
    record = bench.record(run_id)
    if _is_stopping(bench, record):
        record = await _stopped(bench, record)
    if status_of(record) in ("running", "finished"):
        return RedirectResponse(f"/runs/{record.id}", 303)
    budget: dict[str, JsonValue] = {
        "budget_usd": read_amount(budget_usd, "The budget in dollars"),
        "budget_calls": read_count(budget_calls, "The budget in calls"),
        "budget_tokens": read_count(budget_tokens, "The budget in tokens"),
    }
    changed = {name: value for name, value in budget.items() if value is not None}
    answer = await begin(request, bench, JobRequest(work="resume", run_id=record.id, settings=changed))
    for _ in range(100):
        if status_of(bench.record(run_id)) == "running" or bench.record(run_id).updated > record.updated:
            break
        await asyncio.sleep(0.05)
    bench.feeds.wake(record.id)
    return answer


Format = Literal["html", "md", "json", "bib", "pdf", "txt", "zip"]
_NAMES = {"html": "report.html", "md": "report.md", "json": "report.json", "bib": "papers.bib", "txt": "prompt.txt"}


@router.get("/runs/{run_id}/export/{form}")
async def export(bench: Bench, run_id: str, form: Format) -> Response:
    """The report of a run as a file: HTML, Markdown, JSON, BibTeX, PDF, or everything as a zip archive."""
    record = bench.record(run_id, result=True)
    files = await _contents(bench, record)
    if form == "zip":
        return _download(as_zip(files), f"{record.id}.zip", "application/zip")
    if form == "pdf":
        html = files.get("report.html") or files.get(main_page_of(files), b"")
        if not html:
            raise BadInput("This run has no report to print yet.")
        printed = await asyncio.to_thread(pdf_of, html.decode("utf-8", "replace"))
        return _download(printed, f"{record.id}.pdf", "application/pdf")
    if (name := _NAMES[form]) not in files:
        raise BadInput(f"The report of this run has no file {name}. The zip archive has all that there is.")
    return _download(files[name], f"{record.id}-{name}", MEDIA["." + form])


@router.get("/runs/{run_id}/report/{name:path}")
async def report_file(bench: Bench, run_id: str, name: str) -> Response:
    """A file of the report of a run, to be shown in a frame: it can reach nothing, and runs only its own script."""
    record = bench.record(run_id)
    files = await bench.exports.files(record, bench.settings.values.home)
    if name not in files:  # a name is compared with those of the folder, and never becomes a path
        raise HTTPException(404, "There is no such file in the report.")
    content = await asyncio.to_thread(files[name].read_bytes)
    kind = MEDIA.get(files[name].suffix, "application/octet-stream")
    return Response(content, media_type=kind, headers={"Content-Security-Policy": framed_policy(content)})


def framed_policy(content: bytes) -> str:
    """The policy of a report in a frame: what its own head allows, in an origin without rights."""
    found = _POLICY.search(content[:2_000].decode("utf-8", "replace"))
    script = f"script-src {found[1]}; " if found else ""
    allowed = "allow-popups allow-popups-to-escape-sandbox" + (" allow-scripts" if found else "")
    return (
        f"default-src 'none'; {script}style-src 'unsafe-inline'; img-src data: blob: 'self'; base-uri 'none'; "
        f"form-action 'none'; frame-ancestors 'self'; sandbox {allowed}"
    )


def report_of(record: RunRecord) -> Report | None:
    """The outcome of a finished run that the page shows itself; None for other kinds and unfinished runs."""
    if not record.result or record.kind not in (*IDEAS, *ANSWERS):
        return None
    kind = IdeationReport if record.kind in IDEAS else ExplorationReport
    try:
        return kind.model_validate_json(record.result)
    except ValidationError as error:
        raise BadInput(
            f"Run {record.id} was written by another version of Novum and cannot be shown. Start a new run: recorded "
            "answers are used again."
        ) from error


def main_page_of(files: dict[str, bytes]) -> str:
    """The name of the page among the contents of a report."""
    return main_page(dict.fromkeys(files))  # type: ignore[arg-type]  # only the names matter


async def _contents(bench: Workbench, record: RunRecord) -> dict[str, bytes]:
    report = await asyncio.to_thread(report_of, record)
    if report is not None:
        made = await asyncio.to_thread(report_contents, report)
        return {name: text.encode("utf-8", "replace") if isinstance(text, str) else text for name, text in made.items()}
    files = await bench.exports.files(record, bench.settings.values.home)
    return {name: await asyncio.to_thread(path.read_bytes) for name, path in files.items()}


def _view(bench: Workbench, record: RunRecord) -> RunView:
    events = bench.ledger.events(record.id, kind="chain")
    chains = {str(each.data.get("branch")): chain for _, each in events if (chain := chain_of(each))}
    return RunView(record, status_of(record), progress_of(bench.ledger, record), chains)


def _working_job(bench: Workbench, record: RunRecord) -> str | None:
    if status_of(record) != "running":
        return None
    job = bench.jobs.of_run(record.id)
    return job if job and bench.jobs.is_alive(job) else None


def _budget(record: RunRecord) -> list[tuple[str, str, JsonValue]]:
    """The limits that a run was given: the name of the setting, its unit, and the limit."""
    settings = settings_of(record)
    units = (("budget_usd", "US dollars"), ("budget_calls", "calls"), ("budget_tokens", "tokens"))
    return [(name, unit, settings[name]) for name, unit in units if settings.get(name) is not None]


def _is_stopping(bench: Workbench, record: RunRecord) -> bool:
    job = _working_job(bench, record)
    state = bench.jobs.state(job) if job else None
    return state is not None and state.stopping


async def _stopped(bench: Workbench, record: RunRecord) -> RunRecord:
    """A run that was asked to stop, as soon as it has. Raises BadInput if it takes more than a few seconds."""
    for _ in range(100):
        await asyncio.sleep(0.05)
        record = bench.record(record.id)
        if status_of(record) != "running":
            return record
    raise BadInput("The run is still stopping: answers under way are being recorded. Resume it when it has stopped.")


def _download(content: bytes, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)
