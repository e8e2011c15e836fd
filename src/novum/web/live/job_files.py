"""The files of a job: what is to be done, and the log of what came of it.

They are read as if anybody could have written them: only plain files are opened, and each line of a log is checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import orjson
from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from novum.core import Value
from novum.errors import BadInput
from novum.files.inputs import open_input, open_to_append
from novum.literature.entry import ImportReport

REQUEST, LOG, PROCESS, HELD, OUTPUT = "request.json", "log.jsonl", "process", "held", "output.txt"
UPLOADS = "uploads"
"""The folder of uploaded files, beside the folder of the jobs."""
_LONGEST = 4 * 2**20
"""Bytes of a request and of a log."""
_CUT_OFF = (b"{", b"\0")
"""How a line begins whose writing was cut off, also by a power failure."""


class JobRequest(Value):
    """What a process is to do: start a run, resume one, or add papers to the library."""

    work: Literal["start", "resume", "import", "fetch", "opportunities"]
    kind: str = ""
    """The kind of a run to start, as the ledger stores it."""
    method: str = ""
    """The method of the kind, where several kinds have one name."""
    task: dict[str, JsonValue] = {}
    settings: dict[str, JsonValue] = {}
    """As `Workbench.job_settings` gives them: without credentials, since they are stored."""
    run_id: str = ""
    """The run to resume."""
    files: tuple[str, ...] = ()
    query: str = ""
    """What services are asked for."""
    count: int = 0


class _Read(BaseModel):
    """Checked, but what another version has added is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class JobReport(ImportReport):
    """A report of an import, as far as a page shows it."""

    model_config = ConfigDict(extra="ignore")


class JobResult(_Read):
    """What an import or a search for opportunities came to."""

    reports: tuple[JobReport, ...] = ()
    refused: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    opportunities: int | None = None


class JobLine(_Read):
    """A line of a log: each has one of these."""

    spawned: float | None = None
    """When a process was started for the job, in seconds since the epoch."""
    started: float | None = None
    """When a process began to work on it."""
    stopped: float | None = None
    """When its process was asked to stop."""
    run: str | None = None
    progress: str | None = None
    result: JobResult | None = None
    problem: str | None = None
    done: str | None = None

    @property
    def ends(self) -> bool:
        """Whether nothing more is done for the job."""
        return self.problem is not None or self.done is not None


@dataclass(frozen=True)
class JobState:
    """How far a job is. `run_id`: empty until the run has begun; `problem`: why it could not be done."""

    run_id: str = ""
    progress: str = ""
    problem: str = ""
    results: tuple[JobResult, ...] = ()
    ended: bool = False
    """It is final. A job with a damaged log counts as ended: what was done already must not be done again."""
    starts: int = 0
    """How often a process has begun to work on it."""
    spawns: int = 0
    """How many processes were started for it."""
    stopping: bool = False
    """Its process was asked to stop. It does so after the answers under way are recorded."""


def state_of(place: Path) -> JobState:
    """The state that the lines of a job's log add up to."""
    lines, whole = _lines(place / LOG)
    whole = whole and (bool(lines) or not (place / OUTPUT).exists())  # a process was started for it: its line is lost
    problem = _last(each.problem for each in lines) if whole else _damaged(place)
    return JobState(
        _last(each.run for each in lines), _last(each.progress for each in lines), problem,
        tuple(each.result for each in lines if each.result), not whole or any(each.ends for each in lines),
        sum(each.started is not None for each in lines), sum(each.spawned is not None for each in lines),
        any(each.stopped is not None for each in lines),
    )  # fmt: skip


def request_of(place: Path) -> JobRequest | None:
    """What a job is to do; None where that cannot be read."""
    try:
        with open_input(place / REQUEST) as file:
            return JobRequest.model_validate_json(file.read(_LONGEST))
    except (OSError, BadInput, ValidationError):
        return None


def process_of(place: Path) -> int | None:
    """The process that works on a job; None before it has begun."""
    try:
        with open_input(place / PROCESS) as file:
            text = file.read(20).decode("ascii", "replace").strip()
    except (OSError, BadInput):
        return None
    return int(text) if text.isdecimal() else None


def append_line(log: Path, line: Mapping[str, JsonValue]) -> None:
    """Adds a line to a log, whole or not at all. Raises OSError, and BadInput where it is no plain file."""
    with open_to_append(log) as file:
        file.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def _last(texts: Iterable[str | None]) -> str:
    return next((each for each in reversed([*texts]) if each is not None), "")


def _damaged(place: Path) -> str:
    return (
        f"The log of this job ({place.parent.name}/{place.name}/{LOG}) is damaged, so what it came to is not known. "
        "Runs are listed on the start page and can be resumed there; anything else can be started again, and no paper "
        "is stored twice."
    )


def _lines(file: Path) -> tuple[list[JobLine], bool]:
    """The lines of a log, and whether all are as they were written; the last one may be in the making."""
    try:
        with open_input(file) as log:
            texts = log.read(_LONGEST).split(b"\n")[:-1]
    except FileNotFoundError:
        return [], True
    except (OSError, BadInput):
        return [], False
    lines, whole = [], True
    for text in texts:
        try:
            lines.append(JobLine.model_validate(orjson.loads(text)))
        except orjson.JSONDecodeError:
            whole = whole and (not text or text.startswith(_CUT_OFF))
        except ValidationError:
            whole = False
    return lines, whole
