"""One training of a policy: what its processes read, and what they leave in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import orjson
from pydantic import JsonValue, ValidationError

from novum.core.record import Value
from novum.core.trained import TrainedModel
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain
from novum.training.finetuning.job import JOB, Launch
from novum.training.next_idea.grpo.recipe import NextIdeaRecipe
from novum.training.next_idea.grpo.watch import WatchPoint

POINTS, STEPS = "points.jsonl", "steps.jsonl"
Line = TypeVar("Line", bound=Value)


class ReturnPoint(Value):
    """The return on held-out tasks after a number of steps; step 0 is the untrained base."""

    step: int
    seconds: float
    mean_return: float | None
    """Mean over tasks of the mean return of their episodes."""
    by_task: dict[str, float]
    """By id of the task; tasks without a return are missing."""
    first_score: float | None = None
    last_score: float | None = None
    well_formed: float | None = None
    measuring: float = 0.0
    """Seconds that it took."""


class NextIdeaJob(Value):
    """One training. The same job in the same folder resumes where it stopped."""

    name: str
    data: str
    digest: str
    recipe: NextIdeaRecipe
    models_folder: str
    launch: Launch = "one"
    processes: int = 1
    run_id: str = ""
    """The run in the ledger that the calls of models belong to; empty where none are made."""
    settings: dict[str, JsonValue] = {}
    """Overrides with which the processes load their settings."""

    def same_as(self, other: NextIdeaJob) -> bool:
        """Whether both jobs train the same policy. Folders, addresses and the run may differ."""
        aside = {"data": "", "models_folder": "", "run_id": "", "settings": {}}
        return self.model_copy(update=aside) == other.model_copy(update=aside)


class NextIdeaTraining(Value):
    """The outcome of a training, from which its report is rendered."""

    model: TrainedModel
    recipe: NextIdeaRecipe
    tasks: int
    overlong: int
    """Tasks that were left out because their prompts are too long."""
    points: tuple[ReturnPoint, ...] = ()
    steps: tuple[WatchPoint, ...] = ()


def read_next_idea_job(folder: Path) -> NextIdeaJob | None:
    """The job in `folder`; None if there is none. Raises BadInput if the file is damaged or of another training."""
    try:
        return NextIdeaJob.model_validate_json(read_plain(folder / JOB))
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise BadInput(f"{folder / JOB} is not a training on next-idea tasks: name another folder.") from error


def append_line(file: Path, line: Value) -> None:
    """Append a record as a line of JSON. Raises OSError."""
    with file.open("ab") as opened:
        opened.write(line.model_dump_json().encode() + b"\n")
        opened.flush()


def read_lines(file: Path, form: type[Line], upto: int | None = None) -> tuple[Line, ...]:
    """The records of a file by step, the later of equal ones, up to a step. Incomplete lines are left out."""
    by_step: dict[int, Line] = {}
    for raw in read_plain(file).splitlines() if file.exists() else ():
        try:
            line = form.model_validate(orjson.loads(raw))
        except (orjson.JSONDecodeError, ValidationError):
            continue
        step: Any = getattr(line, "step", 0)
        if upto is None or step <= upto:
            by_step[step] = line
    return tuple(by_step[step] for step in sorted(by_step))


def cut_lines(folder: Path, step: int) -> None:
    """Forget what lies after `step`, from which a training is resumed."""
    for name, form in ((POINTS, ReturnPoint), (STEPS, WatchPoint)):
        lines = read_lines(folder / name, form, step)
        write_atomic(folder / name, "".join(f"{each.model_dump_json()}\n" for each in lines))
