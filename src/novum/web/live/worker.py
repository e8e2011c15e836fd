"""The process of one job: `python -m novum.web.live.worker FOLDER [LOCK]`.

It carries out the request in the folder and writes what comes of it to the job's log. SIGINT stops it as Ctrl-C stops a
command: recorded answers stay, and the run can be resumed. Uploaded files are removed once the job has ended.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from pydantic import JsonValue

from novum.api.ideas import find_opportunities_async
from novum.credentials.addresses import public_address
from novum.credentials.redaction import redact_message
from novum.errors import BadInput, NovumError
from novum.files.atomic import write_atomic
from novum.files.locks import lock_if_free, lock_of_the_parent
from novum.garbage import collect_from_now_on
from novum.lab import Workplace
from novum.ledger import Event, Ledger
from novum.literature.sources import Search
from novum.reports.opportunities.files import write_opportunities
from novum.runs.engine import ensure_library, resume, settings_to_resume, start
from novum.runs.kinds import entry_named, entry_of
from novum.runs.library import add_files, add_from_sources, add_pdfs
from novum.settings import load_settings
from novum.web.live.cleaning import remove_uploads
from novum.web.live.job_files import HELD, LOG, PROCESS, UPLOADS, JobRequest, append_line, request_of, state_of

_BETWEEN_LINES = 0.3
"""Seconds between two lines about progress."""
_TRIES, _PAUSE = 40, 0.05


class JobLog:
    """Writes the log of a job: one line of JSON at a time, whole or not at all."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._last = 0.0
        self._run = ""

    def __call__(self, event: Event) -> None:
        """Notes the id of the run with its first event."""
        if not self._run:
            self._run = event.run_id
            self.write(run=event.run_id)

    def progress(self, what: str, done: int, total: int | None, words: str) -> None:
        """Notes how far an import is, a few times a second at most."""
        if time.monotonic() - self._last >= _BETWEEN_LINES:
            self._last = time.monotonic()
            self.write(progress=f"{what}: {words}")

    def write(self, **line: JsonValue) -> None:
        """Adds one line."""
        append_line(self._file, line)


async def carry_out(request: JobRequest, log: JobLog, place: Path) -> None:
    """Does what is requested; its files go into the folder `place`. Raises what the run or the import raises."""
    if request.work == "start":
        entry = entry_named(request.kind, request.method)
        kind = entry.load()
        async with Workplace(load_settings(request.settings)) as workplace:
            await start(kind, workplace, kind.task.model_validate(request.task), [log])
    elif request.work == "resume":
        await _resume(request, log)
    elif request.work == "import":
        await _import(request, log)
    elif request.work == "opportunities":
        home = str(request.settings.get("home") or "")
        found = await find_opportunities_async(request.query, count=request.count, home=home)
        write_opportunities(found, place / "report")
        log.write(result={"opportunities": len(found.openings), "remarks": list(found.notes)})
    else:
        async with Workplace(load_settings(request.settings)) as workplace:
            ensure_library(workplace)
            search = Search(text=request.query, limit=request.count)
            gathered = await add_from_sources(workplace, search, progress=log.progress)
            log.write(result=gathered.model_dump(mode="json"))


async def _resume(request: JobRequest, log: JobLog) -> None:
    with Ledger.open(load_settings(request.settings).ledger_place) as ledger:
        record = ledger.run(request.run_id)
    log.write(run=record.id)
    entry = entry_of(record)
    async with Workplace(load_settings(settings_to_resume(record) | dict(request.settings))) as place:
        await resume(entry.load(), place, record.id, [log])


async def _import(request: JobRequest, log: JobLog) -> None:
    files = [Path(each) for each in request.files]
    pdfs = [each for each in files if each.suffix.lower() == ".pdf"]
    async with Workplace(load_settings(request.settings)) as place:
        tables = [each for each in files if each not in pdfs]
        if tables:
            done = await add_files(place, tables, fresh=True, progress=log.progress)
            log.write(result=done.model_dump(mode="json"))
        if pdfs:
            read = await add_pdfs(place, sorted({each.parent for each in pdfs}), progress=log.progress)
            log.write(result=read.model_dump(mode="json"))


def main(arguments: Sequence[str]) -> int:
    """Works on the job in the folder named first. The second argument is the descriptor of its lock, where the process
    that starts this one has taken it; else it is taken here, and another process that works on the job keeps it.

    Standard input holds the addresses with credentials that the starting process knows, as a JSON list.
    """
    collect_from_now_on()
    place = Path(arguments[0])
    for address in orjson.loads(sys.stdin.buffer.read() or b"[]"):
        public_address(address)
    if arguments[1:]:
        with lock_of_the_parent(int(arguments[1]), place / HELD):
            return _work_in(place)
    for _ in range(_TRIES):
        with lock_if_free(place / HELD) as ours:
            if ours:
                return _work_in(place)
        time.sleep(_PAUSE)  # the pages may be looking whether somebody works on it
    return 0


def _work_in(place: Path) -> int:
    """Works on a job, unless it has ended: while this process waited, another may have done it."""
    if state_of(place).ended:
        return 0
    log, request = JobLog(place / LOG), request_of(place)
    write_atomic(place / PROCESS, f"{os.getpid()}\n")
    log.write(started=time.time())
    if request is None:
        log.write(problem="What this job was to do cannot be read: its request.json is damaged. Start it again.")
        return 1
    status = _logged(request, log, place)
    remove_uploads(request, place.parent.with_name(UPLOADS))
    return status


def _logged(request: JobRequest, log: JobLog, place: Path) -> int:
    try:
        asyncio.run(_stoppable(request, log, place))
    except (asyncio.CancelledError, KeyboardInterrupt):
        log.write(done="stopped")
    except NovumError as problem:
        told = " ".join([str(problem), *getattr(problem, "__notes__", ())])
        for file in request.files:  # the browser knows the name alone
            told = told.replace(file, Path(file).name)
        log.write(problem=told)
    except Exception as error:
        log.write(problem=redact_message(f"Unexpected error ({type(error).__name__}: {error})."))
        sys.stderr.write(redact_message(traceback.format_exc()))
        return 1
    else:
        log.write(done="finished")
    return 0


async def _stoppable(request: JobRequest, log: JobLog, place: Path) -> None:
    task: asyncio.Task[Any] | None = asyncio.current_task()
    if task is None:
        raise BadInput("A job is carried out inside a task.")
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    await carry_out(request, log, place)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
