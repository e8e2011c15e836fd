"""Steering: remarks that start a new version, two ideas made into one, more like this, a changed chain, and marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import JsonValue

from novum.core import Candidate
from novum.errors import BadInput
from novum.idea_metrics.report import phrases as score_phrases
from novum.ledger import RunRecord
from novum.runs.engine import settings_of
from novum.runs.review import review_protocol
from novum.runs.steering import COMMENT_LIMIT, ideas_of
from novum.settings import load_settings
from novum.web.live.job_files import JobRequest
from novum.web.live.scoring import parts_of
from novum.web.marks import Mark
from novum.web.rendering import page
from novum.web.routes.start import begin, check_rate
from novum.web.workbench import Bench, NotFound, RunSummary, Workbench

router = APIRouter(prefix="/runs/{run_id}/ideas/{idea_id}")
_LOOKED_AT = 500
"""Newest runs among which the versions of an idea are looked for."""
_DOI = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.\d{4,9}/\S+)$", re.IGNORECASE)
Wish = Literal["refine", "merge", "similar", "chain"]


@router.get("/steering")
async def steering_panel(request: Request, bench: Bench, run_id: str, idea_id: str) -> Response:
    """The part of an idea's card that changes: its mark and the versions that were made of it."""
    record, candidate = _idea(bench, run_id, idea_id)
    return page(
        request, "steering.html.j2", record=record, candidate=candidate,
        **steering_context(bench, record),
    )  # fmt: skip


@router.post("/mark", status_code=303)
async def mark(request: Request, bench: Bench, run_id: str, idea_id: str, mark: Annotated[Mark, Form()]) -> Response:
    """Pins or discards an idea, or takes the mark away. Others who look at the run see it at once."""
    record, _ = _idea(bench, run_id, idea_id)
    bench.marks.set(record.id, idea_id, mark)
    await bench.feeds.announce(record.id, "steering", idea_id)
    if request.headers.get("hx-request"):
        return await steering_panel(request, bench, run_id, idea_id)
    return RedirectResponse(f"/runs/{record.id}#{idea_id}", 303)


@router.post("/steer", status_code=303)
async def steer(
    request: Request, bench: Bench, run_id: str, idea_id: str, wish: Annotated[Wish, Form()],
    comment: Annotated[str, Form(max_length=COMMENT_LIMIT)] = "", other: Annotated[str, Form(max_length=400)] = "",
    papers: Annotated[list[str] | None, Form()] = None, add: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:  # fmt: skip
    """Starts a run that makes a new idea of this one, and leads to its page. `other`: the idea to merge with, as
    `run/idea`. `papers`: those that stay in the chain. `add`: a title, DOI or id of a paper that joins it."""
    check_rate(request, bench)
    record, candidate = _idea(bench, run_id, idea_id)
    parents: list[JsonValue] = [{"run_id": record.id, "idea_id": idea_id}]
    if wish == "merge":
        beside_run, _, beside_idea = other.partition("/")
        _idea(bench, beside_run, beside_idea)
        parents.append({"run_id": beside_run, "idea_id": beside_idea})
    chosen = [*(papers or ()), *_added(bench, add)] if wish == "chain" else []
    task: dict[str, JsonValue] = {
        "wish": wish, "parents": parents, "comment": comment.strip(), "papers": list(dict.fromkeys(chosen)),
        "number": _times(bench, record, candidate, wish, comment.strip()),
    }  # fmt: skip
    kept = {name: value for name, value in settings_of(record).items() if name in _MODELS}
    answer = await begin(request, bench, JobRequest(work="start", kind="steer", task=task, settings=kept))
    await bench.feeds.announce(record.id, "steering", idea_id)
    return answer


@router.get("/scores")
async def scores(request: Request, bench: Bench, run_id: str, idea_id: str) -> Response:
    """Scores that need no language model, with what each number means. A part of an idea's card."""
    record, candidate = _idea(bench, run_id, idea_id)
    if not request.headers.get("hx-request"):
        return RedirectResponse(f"/runs/{record.id}#{idea_id}", 303)
    found = await bench.scoring.scores(candidate.idea, bench.place.library.embedder)
    return page(request, "idea_scores.html.j2", found=found, score=score_phrases, parts_of=parts_of)


@router.post("/review", status_code=303)
async def review(request: Request, bench: Bench, run_id: str, idea_id: str) -> Response:
    """Has the judges of the idea's run review it, and leads to the page of that."""
    check_rate(request, bench)
    record, candidate = _idea(bench, run_id, idea_id)
    kept = {name: value for name, value in settings_of(record).items() if name in _MODELS}
    protocol = review_protocol(load_settings(bench.job_settings(kept)))
    task: dict[str, JsonValue] = {
        "ideas": [candidate.idea.model_dump(mode="json")], "refereeing": protocol.model_dump(mode="json"),
    }  # fmt: skip
    answer = await begin(request, bench, JobRequest(work="start", kind="review", task=task, settings=kept))
    await bench.feeds.announce(record.id, "steering", idea_id)
    return answer


_MODELS = ("writer", "reader", "judges", "temperature", "embedder", "seed")
"""Settings of the run that its ideas are changed with."""


def steering_context(bench: Workbench, record: RunRecord) -> dict[str, Any]:
    """What the templates of steering know about a run: marks, and the runs that came of each of its ideas."""
    children: dict[str, list[RunSummary]] = {}
    for each in bench.ledger.runs(_LOOKED_AT, results=False):
        for run_id, idea_id in parents_of(each):
            if run_id == record.id:
                children.setdefault(idea_id, []).append(bench.summary(each))
        for idea_id in reviewed_in(each):
            children.setdefault(idea_id, []).append(bench.summary(each))
    return {"marks": bench.marks.of_run(record.id), "children": children}


def parents_of(record: RunRecord) -> Sequence[tuple[str, str]]:
    """The run and the idea of each parent of a steering run; none for other runs."""
    task = record.params.get("task")
    parents = task.get("parents") if record.kind == "steer" and isinstance(task, dict) else None
    listed = parents if isinstance(parents, list) else []
    return [(str(each.get("run_id")), str(each.get("idea_id"))) for each in listed if isinstance(each, dict)]


def reviewed_in(record: RunRecord) -> Sequence[str]:
    """The ids of the ideas that a run of reviews is about; none for other runs."""
    task = record.params.get("task")
    ideas = task.get("ideas") if record.kind == "review" and isinstance(task, dict) else None
    listed = ideas if isinstance(ideas, list) else []
    return [str(each.get("id")) for each in listed if isinstance(each, dict)]


def _idea(bench: Workbench, run_id: str, idea_id: str) -> tuple[RunRecord, Candidate]:
    record = bench.record(run_id, result=True)
    found = next((each for each in ideas_of(record).candidates if each.idea.id == idea_id), None)
    if found is None:
        raise NotFound(f"Run {record.id} has no idea {idea_id[:40]!r}.")
    return record, found


def _added(bench: Workbench, text: str) -> list[str]:
    """The id of the paper that a text names. Raises BadInput where the library has none."""
    words = text.strip()
    if not words:
        return []
    library = bench.place.library
    doi = _DOI.match(words)
    paper = library.get(words) or (library.by_identifier("doi", doi[1]) if doi else None) or library.find(words)
    if paper is None:
        raise BadInput(
            f"The library has no paper {words[:100]!r}. Give its whole title or DOI, or add it to the library."
        )
    return [paper.id]


def _times(bench: Workbench, record: RunRecord, candidate: Candidate, wish: str, comment: str) -> int:
    """How often the same was wished before: the next time, something else is to come of it."""
    return sum(
        (record.id, candidate.idea.id) in parents_of(each)
        and isinstance(task := each.params.get("task"), dict)
        and (task.get("wish"), task.get("comment")) == (wish, comment)
        for each in bench.ledger.runs(_LOOKED_AT, results=False)
    )
