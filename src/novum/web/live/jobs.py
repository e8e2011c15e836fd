"""Jobs: runs and imports, each carried out by a process of its own that outlives the process of the pages.

A job is a folder: `request.json` says what is to be done, `log.jsonl` what came of it, and the process that works on it
holds a lock from the moment in which it is started. So whatever ends, nothing is lost: a job without an end and without
a process is started again. And nothing is done twice, however many workbenches look after one folder.
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
from contextlib import suppress
from pathlib import Path

from novum.credentials.addresses import remembered_addresses
from novum.errors import BadInput
from novum.files.atomic import write_all_atomic
from novum.files.inputs import open_to_append
from novum.files.locks import lock_for_a_child, lock_if_free
from novum.files.private import make_private_folder
from novum.web.live.job_files import (
    HELD,
    LOG,
    OUTPUT,
    PROCESS,
    REQUEST,
    JobRequest,
    JobState,
    append_line,
    process_of,
    request_of,
    state_of,
)
from novum.web.security.keys import new_session

_TRIES, _SPAWNS = 3, 12
"""How often work on a job is begun whose process ends without a word, and how many processes are started for it: one
may end before it begins."""
_LOOKS_A_SECOND = 20


class Jobs:
    """The jobs in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._children: list[subprocess.Popen[bytes]] = []
        self._over: set[str] = set()
        self._addresses: dict[str, list[str]] = {}
        """What the processes of each job are told: where one is started again, what the first one was."""
        make_private_folder(folder)

    def launch(self, request: JobRequest) -> str:
        """Starts the process of a new job, and returns the name of the job."""
        name = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{new_session()[:8].strip('-_')}"
        place = self.folder / name
        make_private_folder(place)
        with lock_for_a_child(place / HELD) as lock:
            write_all_atomic({place / REQUEST: request.model_dump_json()})
            if lock is not None:
                self._spawn(place, lock)
        return name

    def state(self, name: str) -> JobState | None:
        """How far a job is; None for a name that no job has."""
        return state_of(self.folder / name) if name in self.names() else None

    def request(self, name: str) -> JobRequest | None:
        """What a job is to do; None for a name that no job has."""
        return request_of(self.folder / name) if name in self.names() else None

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
            request = request_of(self.folder / name)
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
        process = process_of(place) if _is_held(place) else None
        if process is None:
            return False
        append_line(place / LOG, {"stopped": time.time()})
        os.kill(process, signal.SIGINT)
        return True

    def restart_lost(self) -> list[str]:
        """Starts every job again that has neither ended nor a process. A run continues where it was. A job whose files
        cannot be used does not affect the others."""
        restarted = []
        self.reap()
        for name in [each for each in self.names() if each not in self._over]:
            place = self.folder / name
            if state_of(place).ended:
                self._over.add(name)
                self._addresses.pop(name, None)
            elif not self._has_child(place):
                with suppress(OSError, BadInput):
                    restarted += [name] if self._restart(place) else []
        return restarted

    def _restart(self, place: Path) -> bool:
        """Whether a job was started again, which nobody works on and nobody else is starting."""
        with lock_for_a_child(place / HELD) as lock:
            state = state_of(place)  # its process may have ended it a moment ago
            if lock is None or state.ended:
                return False
            if state.starts >= _TRIES or state.spawns >= _SPAWNS:
                problem = "Its process ended three times without a word. Start it again by hand."
                append_line(place / LOG, {"problem": problem})
                return False
            if state.run_id and (request := request_of(place)):
                resumed = request.model_copy(update={"work": "resume", "run_id": state.run_id})
                write_all_atomic({place / REQUEST: resumed.model_dump_json()})
            self._spawn(place, lock)
        return True

    async def supervise(self, seconds: float) -> None:
        """Looks for lost jobs again and again: a process may be killed at any time."""
        while True:
            self.restart_lost()
            await asyncio.sleep(seconds)

    def _has_child(self, place: Path) -> bool:
        """Whether a child of this process works on a job, also on a file system without locks."""
        return any(str(place) in map(str, child.args) for child in self._children)  # type: ignore[arg-type]

    def _spawn(self, place: Path, lock: int) -> None:
        """Starts a process for a job, which keeps the lock."""
        (place / PROCESS).unlink(missing_ok=True)  # the process that it names has ended
        append_line(place / LOG, {"spawned": time.time()})
        with open_to_append(place / OUTPUT) as output:
            child = subprocess.Popen(  # noqa: S603  # our own interpreter and module
                [sys.executable, "-m", "novum.web.live.worker", str(place), str(lock)],
                stdin=subprocess.PIPE, stdout=output, stderr=output, start_new_session=True, pass_fds=[lock],
            )  # fmt: skip
        told = self._addresses.setdefault(place.name, remembered_addresses())
        if child.stdin:
            with suppress(OSError), child.stdin:  # it may have ended already
                child.stdin.write(json.dumps(told).encode())
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


def _is_held(place: Path) -> bool:
    with lock_if_free(place / HELD) as free:
        return not free
