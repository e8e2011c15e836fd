"""One turn: a question put to a method under a seed of its own, and its ideas as rows of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from novum.core import Candidate, Ground, Idea, Ideation, Paper, Topic
from novum.lab import Lab
from novum.ledger import Run
from novum.methods import get_method
from novum.methods.prior_work import found_known
from novum.runs.bulk.rounds import Turn
from novum.runs.bulk.task import BulkTask

_SEEDS = 2_000_001
"""How many seeds there are."""
_STRIDE = 7_919
"""Shares no factor with their number: no two turns of a question have the same."""


class QuietRun(Run):
    """The run as the many turns of a bulk see it: their calls and failures are told under the step of the round, their
    own steps are not. Events, and what watches them, would else grow with the number of ideas."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.ledger, run.record, fresh=run.fresh)
        self._listeners = run._listeners  # its own: who follows the run follows its turns
        self._earlier = run._earlier
        self._step = run.here

    @property
    def here(self) -> str:
        return self._step

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """No step of its own."""
        yield

    def emit(self, kind: str, **data: JsonValue) -> None:
        if kind != "note":
            super().emit(kind, **data)

    def say(self, text: str) -> None:
        """A word on one of many says nothing about the whole."""


def seed_of_turn(seed: int, number: int) -> int:
    """The run's own for the first turn of each question, so that `novum ideate` on it alone asks the very same."""
    return (seed + _STRIDE * number) % _SEEDS


def lab_for(lab: Lab, run: Run, turn: Turn, openings_taken: int = 0) -> Lab:
    """The lab in which a turn is carried out: with its seed, and with a count of its own of what it has asked.
    `openings_taken`: by earlier turns of its question."""
    seed = seed_of_turn(lab.settings.values.seed, turn.number)
    settings = replace(lab.settings, values=lab.settings.values.model_copy(update={"seed": seed}))
    return replace(lab, settings=settings, models=lab.models.sharing(run, seed), run=run, openings_taken=openings_taken)


async def carried_out(lab: Lab, task: BulkTask, turn: Turn) -> Ideation:
    """The outcome of a turn. Raises what the method raises."""
    topic = Topic(text=task.questions[turn.question])
    return await get_method(task.method).generate(lab, topic, task.options_for(turn.ideas))


def rows_of(ideation: Ideation, task: BulkTask, turn: Turn) -> list[dict[str, Any]]:
    """Its ideas as `novum filter`, `score` and `select` read them, the best first. The method's name stands
    under `generator`, as `method` is a part of an idea."""
    papers = {paper.id: paper for paper in ideation.papers}
    rows = [_row(candidate, ideation.ground(candidate.idea), papers) for candidate in ideation.candidates]
    beside = {"question": task.questions[turn.question], "turn": turn.number}
    if rows and ideation.experiment is not None:
        rows[0]["experiment"] = ideation.experiment.text
    for row, candidate in zip(rows, ideation.candidates, strict=True):
        if (opening := ideation.opening(candidate.idea)) is not None:
            row["opening"] = opening.name
    return [row | beside for row in rows]


def idea_of(row: Mapping[str, Any]) -> Idea:
    """The idea of such a row."""
    return Idea.model_validate({name: row[name] for name in Idea.model_fields if name in row})


def _row(candidate: Candidate, ground: Ground | None, papers: Mapping[str, Paper]) -> dict[str, Any]:
    """`sources`: the papers that the idea cites, then those that its writer was shown passages of."""
    row = candidate.idea.model_dump(mode="json", exclude={"id"})
    ids = [each.paper_id for each in candidate.idea.citations if each.paper_id]
    if ground is not None:
        ids += [snippet.paper_id for snippet in ground.evidence]
        row["problem"] = ground.problem.text
        row["concepts"] = [each.name for each in ground.concepts]
        row["weak_point"] = ground.weak_point
    known = [papers[paper_id] for paper_id in dict.fromkeys(ids) if paper_id in papers]
    row["sources"] = [f"{paper.short_citation}: {paper.title}" for paper in known]
    row["win_rate"] = candidate.win_rate
    row["found_known"] = found_known(candidate) or None
    return row
