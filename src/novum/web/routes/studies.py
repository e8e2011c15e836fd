"""Studies: set up, invite, watch, read the agreement; and the pages of participants, which reach nothing else."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request, UploadFile
from fastapi.responses import RedirectResponse, Response

from novum.api.studies import store_of
from novum.errors import BadInput
from novum.files.private import make_private_folder
from novum.runs.idea_sources import idea_of_text
from novum.studies.forms import FORMS
from novum.studies.records import CONSENT, Participant, PlannedTask, Study
from novum.studies.results import study_result, undefined_coefficients
from novum.studies.setup import StudyPlan, shown_ideas, study_from
from novum.studies.storage import StudyStore
from novum.studies.tables import study_tables
from novum.web.live.exports import as_zip
from novum.web.live.handouts import As, study_handout
from novum.web.rendering import page
from novum.web.routes.library import upload_folder, upload_name
from novum.web.workbench import Bench, NotFound, Workbench

router = APIRouter()
_MOST_INVITED = 200
_EMPTY_LINE = re.compile(r"\r?\n[ \t]*\r?\n")
"""Browsers send two characters for the end of a line."""
_TABLES = frozenset({".csv", ".jsonl", ".json"})
_LINK = "This link belongs to no study. Copy the whole address that you were sent."


@router.get("/studies")
async def study_list(request: Request, bench: Bench) -> Response:
    """All studies, and the form that sets up another one."""
    store = _store(bench)
    rows = [(each, len(store.participants(each.id))) for each in store.studies()]
    runs = [each for each in bench.recent(60) if each.record.kind in ("ideate", "steer") and each.best]
    return page(request, "studies/studies.html.j2", studies=rows, forms=FORMS, runs=runs, consent=CONSENT)


@router.post("/studies", status_code=303)
async def create(
    request: Request, bench: Bench, title: Annotated[str, Form(max_length=200)] = "",
    form: Annotated[str, Form(max_length=40)] = "ratings", runs: Annotated[list[str] | None, Form()] = None,
    ideas: Annotated[str, Form(max_length=200_000)] = "", per_participant: Annotated[int, Form(ge=1, le=500)] = 10,
    checks: Annotated[int, Form(ge=0, le=5)] = 1, consent: Annotated[str, Form(max_length=20_000)] = "",
    table: UploadFile | None = None,
) -> Response:  # fmt: skip
    """Sets up a study of ideas of runs, of a table, and of texts."""
    sources = [bench.record(name).id for name in (runs or ())]
    given = [idea_of_text(text, "given") for text in _EMPTY_LINE.split(ideas) if text.strip()]
    async with _received(bench, table) as received:
        plan = StudyPlan(
            title, form, [*sources, *received], per_participant, checks, consent or CONSENT,
            ideas=[each for each in given if each],
        )  # fmt: skip
        study = await asyncio.to_thread(study_from, plan, bench.settings)
    _store(bench).add(study)
    return RedirectResponse(f"/studies/{study.id}", 303)


@router.get("/studies/{study_id}")
async def study_page(request: Request, bench: Bench, study_id: str, form: As = None) -> Response:
    """The leader's page: links, how far each participant is, agreement, scores, downloads; or the results as a file."""
    store = _store(bench)
    study = _study(store, study_id)
    people = store.participants(study.id)
    result = await asyncio.to_thread(study_result, study, people, store.answers(study.id), store.comments(study.id))
    if form is not None:
        return await asyncio.to_thread(study_handout(study, result).answer, form)
    titles = {item.id: item.first.title + (f" / {item.second.title}" if item.second else "") for item in study.items}
    return page(
        request, "studies/study.html.j2", study=study, people=people, result=result, titles=titles,
        undefined=undefined_coefficients(result),
        address=str(request.base_url).rstrip("/"),
    )  # fmt: skip


@router.post("/studies/{study_id}/participants", status_code=303)
async def invite(
    bench: Bench, study_id: str, number: Annotated[int, Form(ge=1, le=_MOST_INVITED)] = 1,
    label: Annotated[str, Form(max_length=200)] = "",
) -> Response:  # fmt: skip
    """Makes personal links."""
    store = _store(bench)
    study = _study(store, study_id)
    for at in range(number):
        store.invite(study, f"{label} {at + 1}".strip() if number > 1 and label else label)
    return RedirectResponse(f"/studies/{study.id}#participants", 303)


@router.post("/studies/{study_id}/state", status_code=303)
async def set_state(bench: Bench, study_id: str, state: Annotated[str, Form(pattern="^(open|closed)$")]) -> Response:
    """Opens or closes a study."""
    store = _store(bench)
    study = store.set_state(_study(store, study_id).id, "open" if state == "open" else "closed")
    return RedirectResponse(f"/studies/{study.id}", 303)


@router.get("/studies/{study_id}/files/{name}")
async def files(bench: Bench, study_id: str, name: str) -> Response:
    """The answers as CSV, the result as JSON, or everything as a zip archive."""
    store = _store(bench)
    study = _study(store, study_id)
    told = store.participants(study.id), store.answers(study.id), store.comments(study.id)
    known = study_tables(study, *told)
    known["results.json"] = study_result(study, *told).model_dump_json(indent=1)
    if name == "everything.zip":
        packed = as_zip({each: text.encode() for each, text in known.items()})
        return _download(packed, f"{study.id}.zip", "application/zip")
    if name not in known:
        raise HTTPException(404, "The study has no such file.")
    kind = "application/json" if name.endswith(".json") else "text/csv; charset=utf-8"
    return _download(known[name].encode(), f"{study.id}-{name}", kind)


# -- participants ----------------------------------------------------------------------------------------------------


@router.get("/take/{link}")
async def take(request: Request, bench: Bench, link: str) -> Response:
    """The beginning for a participant: the consent text, or the first task that is not done."""
    store = _store(bench)
    study, participant = _taken(store, link)
    if study.state == "closed":
        return _closed(request, study, participant)
    if participant.consented is None:
        return page(request, "studies/take_consent.html.j2", study=study, person=participant)
    at = _next_task(store, study, participant)
    if at is None:
        return page(request, "studies/take_done.html.j2", study=study, person=participant)
    return RedirectResponse(f"/take/{link}/{at + 1}", 303)


@router.post("/take/{link}/consent", status_code=303)
async def consent(bench: Bench, link: str) -> Response:
    """Notes the consent of a participant."""
    store = _store(bench)
    study, participant = _taken(store, link)
    if study.state == "open":
        store.consent(participant)
    return RedirectResponse(f"/take/{link}", 303)


@router.get("/take/{link}/{number}")
async def task_page(request: Request, bench: Bench, link: str, number: int) -> Response:
    """One task of a participant, with the answers given so far."""
    store = _store(bench)
    study, participant = _taken(store, link)
    task = _task(participant, number)
    if study.state == "closed":
        return _closed(request, study, participant)
    if participant.consented is None:
        return RedirectResponse(f"/take/{link}", 303)
    given = {each.question: each.value for each in store.answers(study.id, participant.number)
             if each.task == number - 1}  # fmt: skip
    written = next((each.text for each in store.comments(study.id)
                    if (each.participant, each.task) == (participant.number, number - 1)), "")  # fmt: skip
    item = study.item(task.item)
    expected = {choice.value: choice.label for choice in study.form.questions[0].choices}.get(task.expected, "")
    return page(
        request, "studies/take_task.html.j2", study=study, person=participant, number=number, item=item, given=given,
        comment=written, ideas=shown_ideas(item, swapped=task.swapped) if item else (), expected=expected,
    )  # fmt: skip


@router.post("/take/{link}/{number}", status_code=303)
async def save(request: Request, bench: Bench, link: str, number: int) -> Response:
    """Saves the answers of a task: one at a time while they are chosen, or all when the participant goes on."""
    store = _store(bench)
    study, participant = _taken(store, link)
    _task(participant, number)
    if participant.consented is None:
        raise BadInput("Agree to take part first: open your link again.")
    fields = await request.form()
    for question in study.form.questions:
        if (value := fields.get(question.name)) is not None:
            store.save(study, participant, number - 1, question.name, str(value))
    if (text := fields.get("comment")) is not None:
        store.comment(study, participant, number - 1, str(text))
    if request.headers.get("hx-request"):
        return Response("Saved", media_type="text/plain")
    at = number + 1 if number < len(participant.plan) else None
    return RedirectResponse(f"/take/{link}/{at}" if at else f"/take/{link}", 303)


def _store(bench: Workbench) -> StudyStore:
    return store_of(bench.settings)


def _study(store: StudyStore, study_id: str) -> Study:
    found = next((each for each in store.studies() if each.id == study_id), None)
    if found is None:
        raise NotFound(f"There is no study {study_id[:60]!r}.")
    return found


def _taken(store: StudyStore, link: str) -> tuple[Study, Participant]:
    found = store.by_link(link)
    if found is None:
        raise NotFound(_LINK)
    return found


def _closed(request: Request, study: Study, participant: Participant) -> Response:
    return page(request, "studies/take_closed.html.j2", study=study, person=participant)


def _task(participant: Participant, number: int) -> PlannedTask:
    if not 1 <= number <= len(participant.plan):
        raise NotFound("There is no such task.")
    return participant.plan[number - 1]


def _next_task(store: StudyStore, study: Study, participant: Participant) -> int | None:
    """The position of the first task that has an unanswered question; None when all are answered."""
    done: dict[int, set[str]] = {}
    for each in store.answers(study.id, participant.number):
        done.setdefault(each.task, set()).add(each.question)
    questions = {each.name for each in study.form.questions}
    return next((at for at in range(len(participant.plan)) if done.get(at, set()) < questions), None)


@asynccontextmanager
async def _received(bench: Workbench, table: UploadFile | None) -> AsyncIterator[list[str]]:
    """The path of a table of ideas that a browser has sent, if any. It is removed at the end. Raises BadInput for
    another kind of file."""
    if table is None or not table.filename:
        yield []
        return
    path = upload_folder(bench) / upload_name(table.filename, 1, _TABLES)
    try:
        make_private_folder(path.parent)
        await asyncio.to_thread(path.write_bytes, await table.read())
        yield [str(path)]
    finally:
        shutil.rmtree(path.parent, ignore_errors=True)


def _download(content: bytes, name: str, kind: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
