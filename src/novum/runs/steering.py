"""Steering runs: an idea of an earlier run refined, merged, varied, or made anew from a changed chain of papers.

    task = SteeringTask(wish="refine", parents=(Parent(run_id=…, idea_id=…),), comment="cheaper, please")
    report = await start(STEERING, workplace, task)

Its outcome is a report of ideas like that of any ideation, so that it is shown, exported and steered again as one.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue, ValidationError

from novum.core import Candidate, Ideation, IdeationReport, Paper, Topic
from novum.core.record import Value
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import Ledger, RunRecord
from novum.literature import Filters
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.steering import NAME, SteeringContext, from_chain, steered
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models, ensure_library, role_models

MOST_PAPERS = 12
"""Papers of a chain that is put together by hand."""
COMMENT_LIMIT = 4_000
IDEA_KINDS = ("ideate", "steer")
"""The kinds of runs whose outcome is a report of ideas."""


class Parent(Value):
    """An idea that a change starts from, and the run that has it."""

    run_id: str
    idea_id: str


class SteeringTask(Value):
    """What is wished for. `papers`: ids of the changed chain, for the wish `chain`. `number`: how often the same was
    wished before, so that another idea comes of it."""

    wish: Literal["refine", "merge", "similar", "chain"]
    parents: Annotated[tuple[Parent, ...], Field(min_length=1, max_length=2)]
    comment: Annotated[str, Field(max_length=COMMENT_LIMIT)] = ""
    papers: tuple[str, ...] = ()
    number: int = 0


def ideas_of(record: RunRecord) -> Ideation:
    """The ideas of a finished run. Raises BadInput for a run without any."""
    if record.kind not in IDEA_KINDS or not record.result:
        raise BadInput(f"Run {record.id} has no finished ideas to go on from.")
    try:
        return IdeationReport.model_validate_json(record.result).ideation
    except ValidationError as error:
        raise BadInput(f"Run {record.id} was written by another version of Novum and cannot be read.") from error


def candidate_of(ledger: Ledger, parent: Parent) -> Candidate:
    """The idea of a run with its evidence. Raises BadInput where the run has no such idea."""
    for candidate in ideas_of(ledger.run(parent.run_id)).candidates:
        if candidate.idea.id == parent.idea_id:
            return candidate
    raise BadInput(f"Run {parent.run_id} has no idea {parent.idea_id[:40]!r}.")


async def _prepare(workplace: Workplace, task: SteeringTask) -> RunHeader[SteeringTask]:
    parents = [candidate_of(workplace.ledger, each) for each in task.parents]
    if task.wish == "refine" and not task.comment.strip():
        raise BadInput("The remark is empty. Say what should be different, such as: more feasible with public data.")
    if task.wish == "merge" and len({each.idea.id for each in parents}) != 2:
        raise BadInput("Two different ideas are merged. Choose another one beside this.")
    if task.wish == "chain":
        _papers_of(workplace, task)
    ensure_library(workplace)
    await check_models(workplace, role_models(workplace))
    options: dict[str, JsonValue] = {"wish": task.wish, "from": "; ".join(each.idea.title for each in parents)}
    return RunHeader(parents[0].idea.topic, options | ({"remark": task.comment} if task.comment else {}), NAME)


async def _carry_out(lab: Lab, record: RunRecord, task: SteeringTask) -> SessionResult[IdeationReport]:
    lab = lab.going_on()
    parents = [candidate_of(lab.run.ledger, each) for each in task.parents]
    context = SteeringContext(
        Topic(text=parents[0].idea.topic), parents, task.comment, _filters(lab, task), task.number
    )
    if task.wish == "chain":
        papers = lab.library.get_many(task.papers)
        candidate = await from_chain(lab, papers, context, parents[0])
    else:
        candidate = await steered(lab, task.wish, context)
    options = ConcludingOptions(experiment=False, before=context.filters.before)
    ideation = await ideation_from(lab, context.topic, MethodOutcome(NAME, options, [candidate]))
    report = IdeationReport(ideation=ideation, account=await account_of(lab, record))
    return SessionResult(report, count=1)


def _papers_of(workplace: Workplace, task: SteeringTask) -> list[Paper]:
    papers = workplace.library.get_many(task.papers)
    if not papers or len(task.papers) > MOST_PAPERS:
        raise BadInput(f"A chain has 1 to {MOST_PAPERS} papers of the library; {len(papers)} are left of this one.")
    return papers


def _filters(lab: Lab, task: SteeringTask) -> Filters:
    """The date of the run that the idea comes from: what it must not know stays unknown."""
    before = ideas_of(lab.run.ledger.run(task.parents[0].run_id)).options.get("before")
    return Filters.model_validate({"before": before or None})


STEERING = RunKind("steer", "a steered idea", SteeringTask, IdeationReport, _prepare, _carry_out)
