"""Leaderboards: runs that rank models, generators and judges, with plots and every match; and two ideas compared."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import JsonValue, ValidationError

from novum.core import Candidate, Idea
from novum.core.comparison import JudgedPair
from novum.errors import BadInput
from novum.ledger import RunRecord
from novum.runs.judge import WinRates
from novum.runs.steering import IDEA_KINDS, ideas_of
from novum.web.live.boards import NATIVE
from novum.web.live.exports import main_page
from novum.web.live.handouts import As, comparison_handout
from novum.web.live.job_files import JobRequest
from novum.web.rendering import page
from novum.web.routes.start import PATIENCE, check_rate
from novum.web.workbench import Bench, NotFound, Workbench

router = APIRouter()
BOARDS = {
    "liveidea": ("LiveIdeaBench", "models by the ideas that they have from one keyword", "novum liveidea run"),
    "arena": ("Idea Arena", "generators by pairwise comparisons of their ideas", "novum arena run"),
    "judge-evaluation": ("Reviewers against outcomes", "judges by real reviews and decisions", "novum judge evaluate"),
    "judge-validation": ("Judges against people", "judges by people’s ratings", "novum judge validate"),
    "foresight": ("Foresight", "generators by papers that were published later", "novum foresight run"),
}
_LOOKED_AT = 500
_CHOICES = 60
_LISTED = 20


@dataclass(frozen=True)
class IdeaChoice:
    """An idea that can be compared: where it is, and what is shown of it."""

    at: str
    """Its run and its id, as `run/idea`."""
    idea: Idea
    candidate: Candidate


@router.get("/leaderboards")
async def leaderboards(
    request: Request, bench: Bench, board: Annotated[str, Query(max_length=40)] = "",
    run: Annotated[str, Query(max_length=120)] = "",
) -> Response:  # fmt: skip
    """The boards with their runs; the chosen or newest finished one in full, with all plots, intervals and matches."""
    if board and board not in BOARDS:
        raise NotFound(f"There is no leaderboard {board!r}.")
    records = [each for each in bench.ledger.runs(_LOOKED_AT, results=False) if each.kind in BOARDS]
    chosen = board or next((each.kind for each in records), "liveidea")
    own = [each for each in records if each.kind == chosen]
    newest = next((each for each in own if each.status == "finished"), own[0] if own else None)
    shown = next((each for each in own if each.id == run), newest)
    return page(
        request, "boards/leaderboards.html.j2", boards=BOARDS, chosen=chosen, native=chosen in NATIVE,
        counts={name: sum(each.kind == name for each in records) for name in BOARDS},
        shown=bench.summary(shown) if shown else None, board=bench.boards.known(shown) if shown else None,
        runs=[bench.summary(each) for each in own[:_LISTED]],
    )  # fmt: skip


@router.get("/leaderboards/{run_id}")
async def board_part(request: Request, bench: Bench, run_id: str) -> Response:
    """The leaderboard of a run as a part of a page; the whole page where a whole one was asked for."""
    record = _ranking(bench, run_id)
    if not request.headers.get("hx-request"):
        return RedirectResponse(f"/leaderboards?board={record.kind}&run={record.id}", 303)
    found = await bench.boards.board(record, bench.settings.values.home)
    return page(request, "boards/board_part.html.j2", board=found)


@router.get("/leaderboards/{run_id}/topics/{number}")
async def topic_page(request: Request, bench: Bench, run_id: str, number: int) -> Response:
    """A topic of an arena: its ideas, and each pair side by side with the reasons of the judges in both orders."""
    record = _ranking(bench, run_id)
    found = await bench.boards.topic(record, bench.settings.values.home, number)
    if found is None:
        raise NotFound("This run has no such topic.")
    report, topic = found
    template = "boards/topic_part.html.j2" if request.headers.get("hx-request") else "boards/topic.html.j2"
    return page(request, template, topic=topic, record=record, run=report.run)


def _ranking(bench: Workbench, run_id: str) -> RunRecord:
    """A finished run that has a leaderboard. Raises NotFound, or BadInput for one that has not ended."""
    record = bench.record(run_id)
    if record.kind not in NATIVE:
        raise NotFound(f"Run {record.id} has no leaderboard here. Its report is on the page of the run.")
    if record.status != "finished":
        raise BadInput(f"Run {record.id} has not ended, so that it has no leaderboard yet.")
    return record


@router.get("/runs/{run_id}/report")
async def report_start(bench: Bench, run_id: str) -> Response:
    """The page of the report of a run, whatever its name."""
    record = bench.record(run_id)
    name = main_page(await bench.exports.files(record, bench.settings.values.home))
    if not name:
        raise BadInput("The report of this run has no page: its files are in the zip archive.")
    return RedirectResponse(f"/runs/{record.id}/report/{name}", 307)


@router.get("/compare")
async def compare(
    request: Request, bench: Bench, one: Annotated[str, Query(max_length=300)] = "",
    other: Annotated[str, Query(max_length=300)] = "", form: As = None,
) -> Response:  # fmt: skip
    """Two ideas side by side, with everything that judges said of the pair; or that as a file."""
    first, second = (_choice(bench, at) if at else None for at in (one, other))
    verdicts = _verdicts(bench, first.idea, second.idea) if first and second else []
    if form is not None and first and second:
        handout = comparison_handout(first.candidate, second.candidate, verdicts)
        return await asyncio.to_thread(handout.answer, form)
    running = _judgings(bench, first.idea, second.idea) if first and second else []
    return page(
        request, "boards/compare.html.j2", first=first, second=second, choices=_choices(bench), verdicts=verdicts,
        running=[bench.summary(each) for each in running if each.status != "finished"], one=one, other=other,
        judges=[judge.short for judge in bench.settings.model_roles().judges],
    )  # fmt: skip


@router.post("/compare", status_code=303)
async def judge(
    request: Request, bench: Bench, one: Annotated[str, Form(max_length=300)],
    other: Annotated[str, Form(max_length=300)],
) -> Response:  # fmt: skip
    """Has the judges of the settings compare two ideas, in both orders."""
    check_rate(request, bench)
    first, second = _choice(bench, one), _choice(bench, other)
    if first.idea.id == second.idea.id:
        raise BadInput("An idea cannot be compared with itself. Choose another one.")
    pair: JsonValue = {
        "topic": first.idea.topic, "subject": first.idea.model_dump(mode="json"),
        "baseline": second.idea.model_dump(mode="json"),
    }  # fmt: skip
    judges: list[JsonValue] = [str(each) for each in dict.fromkeys(bench.settings.model_roles().judges)]
    contest: JsonValue = {"subject": "A", "baseline": "B", "pairs": [pair]}
    wanted = JobRequest(
        work="start", kind="judge", task={"contests": [contest], "judges": judges}, settings=bench.job_settings()
    )
    state = await bench.jobs.run_id(bench.jobs.launch(wanted), PATIENCE)
    if state.problem:
        raise BadInput(state.problem)
    return RedirectResponse(f"/compare?one={one}&other={other}", 303)


def _choice(bench: Workbench, at: str) -> IdeaChoice:
    """The idea at `run/idea`. Raises NotFound."""
    run_id, _, idea_id = at.partition("/")
    ideation = ideas_of(bench.record(run_id, result=True))
    found = next((each for each in ideation.candidates if each.idea.id == idea_id), None)
    if found is None:
        raise NotFound(f"There is no idea {at[:80]!r}.")
    return IdeaChoice(f"{run_id}/{idea_id}", found.idea, found)


def _choices(bench: Workbench) -> list[IdeaChoice]:
    """The ideas of the newest runs."""
    found: list[IdeaChoice] = []
    for record in bench.ledger.runs(_CHOICES, results=False):
        if record.kind in IDEA_KINDS and record.status == "finished":
            candidates = ideas_of(bench.ledger.run(record.id)).candidates
            found += [IdeaChoice(f"{record.id}/{each.idea.id}", each.idea, each) for each in candidates]
        if len(found) >= _CHOICES:
            break
    return found[:_CHOICES]


def _judgings(bench: Workbench, one: Idea, other: Idea) -> list[RunRecord]:
    """The runs of this page that compare exactly these two ideas."""
    wanted = {one.id, other.id}
    return [
        each
        for each in bench.ledger.runs(_LOOKED_AT, results=False)
        if each.kind == "judge" and _compared(each) == wanted
    ]


def _compared(record: RunRecord) -> set[str]:
    task: Any = record.params.get("task")
    try:
        [contest] = task["contests"]
        [pair] = contest["pairs"]
        return {str(pair["subject"]["id"]), str(pair["baseline"]["id"])}
    except (KeyError, TypeError, ValueError):
        return set()


def _verdicts(bench: Workbench, one: Idea, other: Idea) -> list[JudgedPair]:
    """What judges said of two ideas on this page: `first` and `second` are "A" and "B" as the page shows them."""
    found: list[JudgedPair] = []
    for record in _judgings(bench, one, other):
        if record.status != "finished":
            continue
        whole = bench.ledger.run(record.id)
        try:
            rates = WinRates.model_validate_json(whole.result)
        except ValidationError:
            continue
        straight = whole.params["task"]["contests"][0]["pairs"][0]["subject"]["id"] == one.id  # type: ignore[index,call-overload]
        for judged in rates.contests[0].bouts:
            names = {"A": "A", "B": "B"} if straight else {"A": "B", "B": "A"}
            found.append(judged.model_copy(update={"first": names[judged.first], "second": names[judged.second]}))
    return found
