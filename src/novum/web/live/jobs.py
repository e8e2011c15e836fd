"""Jobs: runs and imports, each carried out by a process of its own that outlives the process of the pages.

A job is a folder: `request.json` says what is to be done, `log.jsonl` what came of it, and the process that works on it
holds a lock. So whatever ends, nothing is lost: a job without an end and without a process is started again.
Credentials in addresses are no part of the folder: the process is told them on its standard input.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import JsonValue, ValidationError

from novum.core import Value
from novum.credentials.addresses import remembered_addresses
from novum.files.atomic import write_all_atomic
from novum.files.locks import lock_if_free
from novum.files.private import make_private_folder
from novum.web.security.keys import new_session

REQUEST, LOG, PROCESS, HELD = "request.json", "log.jsonl", "process", "held"
_TRIES, _SPAWNS = 3, 12
"""How often work on a job is begun whose process ends without a word, and how many processes are started for it: one
may end before it begins, as where another workbench on this home has started one too."""
_LOOKS_A_SECOND = 20
_LONGEST_LOG = 4 * 2**20


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


@dataclass(frozen=True)
class JobState:
    """How far a job is. `run_id`: empty until the run has begun; `problem`: why it could not be done."""

    run_id: str = ""
    progress: str = ""
    problem: str = ""
    results: tuple[Mapping[str, Any], ...] = ()
    ended: bool = False
    starts: int = 0
    """How often a process has begun to work on it."""
    spawns: int = 0
    """How many processes were started for it."""


class Jobs:
    """The jobs in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._children: list[subprocess.Popen[bytes]] = []
        self._over: set[str] = set()
        make_private_folder(folder)

    def launch(self, request: JobRequest) -> str:
        """Starts the process of a new job, and returns the name of the job."""
        name = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{new_session()[:8].strip('-_')}"
        place = self.folder / name
        make_private_folder(place)
        write_all_atomic({place / REQUEST: request.model_dump_json()})
        self._spawn(place)
        return name

    def state(self, name: str) -> JobState | None:
        """How far a job is; None for a name that no job has."""
        return state_of(self.folder / name) if name in self.names() else None

    def request(self, name: str) -> JobRequest | None:
        """What a job is to do; None for a name that no job has."""
        return _request(self.folder / name) if name in self.names() else None

    def names(self) -> list[str]:
        """The jobs, oldest first."""
        return sorted(each.name for each in self.folder.iterdir() if (each / REQUEST).is_file())

    async def run_id(self, name: str, seconds: float) -> JobState:
        """The state of a job as soon as its run has begun or it has ended, or after so many seconds."""
        state = JobState()
        for _ in range(int(seconds * _LOOKS_A_SECOND)):
            state = self.state(name) or state
            if state.run_id or state.ended:
                break
            await asyncio.sleep(1 / _LOOKS_A_SECOND)
        return state

    def of_run(self, run_id: str) -> str | None:
        """The newest job that works, or has worked, on a run."""
        for name in reversed(self.names()):
            request = _request(self.folder / name)
            if request and run_id in (request.run_id, state_of(self.folder / name).run_id):
                return name
        return None

    def goes_on(self, run_id: str) -> bool:
        """Whether a job of a run has not ended: its process works, or is started again soon."""
        name = self.of_run(run_id)
        state = self.state(name) if name else None
        return state is not None and not state.ended

    def is_alive(self, name: str) -> bool:
        """Whether a process works on a job."""
        return _is_held(self.folder / name)

    def stop(self, name: str) -> bool:
        """Asks the process of a job to stop, which it does after the answers under way are recorded. False where no
        process works on it."""
        place = self.folder / name
        if not _is_held(place):
            return False
        pid = (place / PROCESS).read_text("utf-8").strip()
        if not pid.isdecimal():
            return False
        os.kill(int(pid), signal.SIGINT)
        return True

    def restart_lost(self) -> list[str]:
        """Starts every job again that has neither ended nor a process. A run continues where it was."""
        restarted = []
        self.reap()
        for name in [each for each in self.names() if each not in self._over]:
            place = self.folder / name
            state = state_of(place)
            if state.ended:
                self._over.add(name)
            if state.ended or _is_held(place) or self._is_starting(place):
                continue
            if state.starts >= _TRIES or state.spawns >= _SPAWNS:
                _append(place, {"problem": "Its process ended three times without a word. Start it again by hand."})
                continue
            if state.run_id and (request := _request(place)):
                resumed = request.model_copy(update={"work": "resume", "run_id": state.run_id})
                write_all_atomic({place / REQUEST: resumed.model_dump_json()})
            self._spawn(place)
            restarted.append(name)
        return restarted

    async def supervise(self, seconds: float) -> None:
        """Looks for lost jobs again and again: a process may be killed at any time."""
        while True:
            self.restart_lost()
            await asyncio.sleep(seconds)

    def _is_starting(self, place: Path) -> bool:
        """Whether a child of this process is about to work on a job, but does not hold it yet."""
        return any(str(place) in map(str, child.args) for child in self._children)  # type: ignore[arg-type]

    def _spawn(self, place: Path) -> None:
        _append(place, {"spawned": time.time()})
        with (place / "output.txt").open("ab") as output:
            child = subprocess.Popen(  # noqa: S603  # our own interpreter and module
                [sys.executable, "-m", "novum.web.live.worker", str(place)],
                stdin=subprocess.PIPE, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
        told = json.dumps(remembered_addresses()).encode()
        if child.stdin:
            with suppress(OSError), child.stdin:  # it may have ended already
                child.stdin.write(told)
        self._children.append(child)

    def reap(self) -> None:
        """Lets go of processes that have ended: until then the system lists them as if they were alive."""
        self._children = [each for each in self._children if each.poll() is None]

    def let_go(self) -> None:
        """Leaves the processes to themselves: they go on when this one ends."""
        self.reap()
        for child in self._children:
            child.returncode = 0  # else Python warns that a child is still running
        self._children = []


def state_of(place: Path) -> JobState:
    """The state that the lines of a job's log add up to."""
    lines = _lines(place / LOG)
    texts = {name: next((str(each[name]) for each in reversed(lines) if name in each), "") for name in _TEXTS}
    ends = [at for at, each in enumerate(lines) if "done" in each or "problem" in each]
    begins = [at for at, each in enumerate(lines) if "spawned" in each or "started" in each]
    ended = bool(ends) and (not begins or ends[-1] > begins[-1])
    return JobState(
        texts["run"], texts["progress"], texts["problem"] if ended else "",
        tuple(each["result"] for each in lines if "result" in each), ended,
        sum("started" in each for each in lines), sum("spawned" in each for each in lines),
    )  # fmt: skip


_TEXTS = ("run", "progress", "problem")


def _append(place: Path, line: Mapping[str, JsonValue]) -> None:
    with (place / LOG).open("ab") as log:
        log.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def _lines(file: Path) -> list[dict[str, Any]]:
    """The whole lines of a log; the last one may be in the making."""
    try:
        with file.open("rb") as log:
            text = log.read(_LONGEST_LOG)
    except FileNotFoundError:
        return []
    found = []
    for line in text.split(b"\n")[:-1]:
        try:
            found.append(orjson.loads(line))
        except orjson.JSONDecodeError:
            continue
    return [each for each in found if isinstance(each, dict)]


def _request(place: Path) -> JobRequest | None:
    try:
        return JobRequest.model_validate_json((place / REQUEST).read_bytes())
    except (OSError, ValidationError):
        return None


def _is_held(place: Path) -> bool:
    with lock_if_free(place / HELD) as free:
        return not free
