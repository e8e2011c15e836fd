"""Many ideas refereed, ranked, and the best of them kept: a durable run whose memory does not grow with their texts.

Ideas wait in a file, a fixed number of them is worked on at once, and what was said of each goes to another file as
soon as it is known.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Annotated, Any

from pydantic import Field

from novum.core import Account, Idea, content_id
from novum.core.record import Value
from novum.errors import BadInput
from novum.files.tables import whole
from novum.http import together
from novum.judges.acceptance import Keep, Outcome, Tally, counted
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.ledger.run import Listener
from novum.reports.phrases import count
from novum.runs.durable import Resumable
from novum.runs.engine import FILTERING, CarryOut, run_session
from novum.runs.review import Refereeing, account_with, params_of, prepare, refereed
from novum.settings import LoadedSettings

AT_ONCE = 192
"""Ideas worked on at once: three reports of each keep several hundred calls waiting, more than any server is sent."""


class FilterTask(Value):
    """What is to be sorted: `spool` holds the ideas, one a line, as `spooled` wrote them."""

    spool: str
    ideas: Annotated[int, Field(ge=1)]
    refereeing: Refereeing
    keep: Keep = Keep()


class Waiting(Value):
    """A line of the spool."""

    idea: Idea
    row: dict[str, Any]
    """As its source has it."""
    source: str


class IdeaQueue(Value):
    """Ideas noted down: the file's name, how many they are, and how many were left out as they stood there before."""

    name: str
    ideas: int
    repeated: int


class Sorted(Value):
    """What came of all ideas; they themselves are in `file`, to be read by `novum.judges.acceptance.ranked`."""

    tally: Tally
    keep: Keep
    file: str
    account: Account


def spooled(ideas: Iterable[Waiting], folder: Path) -> IdeaQueue:
    """Writes ideas to a file in `folder`, named by what is in it. Raises BadInput where there is none, or no room."""
    seen: set[int] = set()
    repeated, digest = 0, ""
    coming = folder / f".coming-{secrets.token_hex(4)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with coming.open("w", encoding="utf-8", errors="replace") as file:
            for each in ideas:
                number = int(each.idea.id.rpartition("-")[2], 16)
                if number in seen:
                    repeated += 1
                    continue
                seen.add(number)
                digest = content_id("ideas", [digest, each.idea.id, each.row, each.source])
                file.write(each.model_dump_json() + "\n")
        if not seen:
            raise BadInput("There is no idea to filter. Name runs, reports or tables of ideas (JSONL, CSV).")
        coming.replace(folder / f"{digest}.jsonl")
    except OSError as error:
        raise BadInput(f"The ideas cannot be noted down in {folder}: {error.strerror or error}.") from error
    finally:
        coming.unlink(missing_ok=True)
    return IdeaQueue(name=f"{digest}.jsonl", ideas=len(seen), repeated=repeated)


async def sort_out(
    workplace: Workplace, task: FilterTask, listeners: Sequence[Listener] = (), *, fresh: bool = False
) -> Sorted:
    """Starts a run and has every idea refereed and ranked. Raises as `runs.engine.ideate` does; can be resumed."""
    await prepare(workplace, task.refereeing)
    params = params_of(workplace, task.refereeing, fresh=fresh) | {"task": task.model_dump(mode="json")}
    record = workplace.ledger.start_run(FILTERING, f"Filter: {count(task.ideas, 'idea')}", params)
    return await run_session(workplace, record, listeners, _work_of(task, folder_of(workplace.settings)))


async def resume(
    workplace: Workplace, run_id: str, listeners: Sequence[Listener] = (), *, anyway: bool = False
) -> Sorted:
    """Takes a run up again; a finished one is handed back as it was. The workplace must be opened with the run's own
    settings."""
    kind = Resumable(
        FILTERING, "filter of ideas", FilterTask, Sorted, partial(_work_of, folder=folder_of(workplace.settings))
    )
    return await kind.resume(workplace, run_id, listeners, anyway=anyway)


def folder_of(settings: LoadedSettings) -> Path:
    """Where ideas wait, and what was said of them."""
    return settings.values.home / "filters"


def _work_of(task: FilterTask, folder: Path) -> CarryOut[Sorted]:
    async def carry_out(lab: Lab, record: RunRecord, began: float) -> Sorted:
        lab.run.emit("run-began", method=FILTERING, topic=record.title)
        outcomes = folder / f"{record.id}.jsonl"
        waiting = enumerate(_lines(folder / task.spool))
        with whole(outcomes) as place, lab.run.step("reviews"), place.open("wb") as file:
            workers = min(AT_ONCE, task.ideas)
            await together(_work(lab, waiting, task.refereeing, file) for _ in range(workers))
        tally = counted(outcomes, task.keep)
        lab.run.emit("run-done", ideas=tally.ideas)
        account = account_with(lab, record, began, task.refereeing)
        return Sorted(tally=tally, keep=task.keep, file=str(outcomes), account=account)

    return carry_out


async def _work(lab: Lab, waiting: Iterator[tuple[int, str]], refereeing: Refereeing, outcomes: IO[bytes]) -> None:
    """One of many workers on the same pile."""
    for position, line in waiting:
        one = Waiting.model_validate_json(line)
        done = await refereed(lab, one.idea, refereeing)
        outcomes.write(Outcome(done, position, one.row, one.source).written())


def _lines(spool: Path) -> Iterator[str]:
    try:
        with spool.open(encoding="utf-8") as file:
            yield from file
    except OSError as error:
        raise BadInput(
            f"The ideas of this run cannot be read: {error}. Filter them anew: what was answered is used."
        ) from error
