"""One turn: a method applied to a question under its own seed, and its ideas as rows of a table."""

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
from novum.methods.prior_work import is_known
from novum.runs.bulk.rounds import Turn
from novum.runs.bulk.task import BulkTask

_SEEDS = 2_000_001
"""Number of seeds."""
_STRIDE = 7_919
"""Shares no factor with the number of seeds, so that no two turns of a question have the same seed."""


class QuietRun(Run):
    """The run as the turns see it: their calls and failures are events of the round's step, and their own steps are no
    events. Otherwise the events, and the memory of listeners, would grow with the number of ideas."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.ledger, run.record, fresh=run.fresh)
        self._listeners = run._listeners  # shared: listeners of the run also follow its turns
        self._earlier = run._earlier
        self._step = run.here

    @property
    def here(self) -> str:
        return self._step

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Emits no events of steps."""
        yield

    def emit(self, kind: str, **data: JsonValue) -> None:
        if kind != "note":
            super().emit(kind, **data)

    def say(self, text: str) -> None:
        """Ignored: a message about one turn of many says nothing about the run."""


def seed_of_turn(seed: int, number: int) -> int:
    """The seed of a turn. The first turn of a question has the seed of the run, so that `novum ideate` on this question
    sends the same requests."""
    return (seed + _STRIDE * number) % _SEEDS


def turn_lab(lab: Lab, run: Run, turn: Turn, opportunities_used: int = 0) -> Lab:
    """The lab of a turn: with its seed, and its own count of requests. `opportunities_used`: by earlier turns of its
    question."""
    seed = seed_of_turn(lab.settings.values.seed, turn.number)
    settings = replace(lab.settings, values=lab.settings.values.model_copy(update={"seed": seed}))
    return replace(
        lab, settings=settings, models=lab.models.sharing(run, seed), run=run, opportunities_used=opportunities_used
    )


async def carry_out_turn(lab: Lab, task: BulkTask, turn: Turn) -> Ideation:
    """Applies the method. Raises what the method raises."""
    topic = Topic(text=task.questions[turn.question])
    return await get_method(task.method).generate(lab, topic, task.options_for(turn.ideas))


def idea_rows(ideation: Ideation, task: BulkTask, turn: Turn) -> list[dict[str, Any]]:
    """The ideas of a turn as rows for `novum filter`, `score` and `select`, best first. The column of the method's name
    is `generator`, as `method` is a part of an idea."""
    papers = {paper.id: paper for paper in ideation.papers}
    rows = [_row(candidate, ideation.ground(candidate.idea), papers) for candidate in ideation.candidates]
    beside = {"question": task.questions[turn.question], "turn": turn.number}
    if rows and ideation.experiment is not None:
        rows[0]["experiment"] = ideation.experiment.text
    for row, candidate in zip(rows, ideation.candidates, strict=True):
        if (opening := ideation.opening(candidate.idea)) is not None:
            row["opening"] = opening.name
    return [row | beside for row in rows]


def idea_from_row(row: Mapping[str, Any]) -> Idea:
    """The idea of a row of `idea_rows`."""
    return Idea.model_validate({name: row[name] for name in Idea.model_fields if name in row})


def _row(candidate: Candidate, ground: Ground | None, papers: Mapping[str, Paper]) -> dict[str, Any]:
    """`sources`: the papers that the idea cites, then those whose passages were in the prompt."""
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
    row["found_known"] = is_known(candidate) or None
    return row
