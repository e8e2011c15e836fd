"""Many ideas reviewed and ranked, the best of them selected: a durable run whose memory does not grow with their texts.

    async with Workplace(load_settings()) as workplace:
        queue = queue_ideas(ideas, filter_folder(workplace.settings))
        done = await start(FILTER, workplace, FilterTask(spool=queue.name, ideas=queue.ideas, refereeing=…))

Ideas wait in a file, a fixed number of them is worked on at once, and the reviews of each are written to another file
as soon as they are known.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Annotated, Any

from pydantic import Field, ValidationError

from novum.core import Account, Idea
from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.credentials.redaction import redact
from novum.errors import BadInput
from novum.files.atomic import atomic_path
from novum.files.inputs import open_input
from novum.files.private import make_private_folder
from novum.judges.acceptance import (
    AcceptanceCounts,
    KeepRule,
    RankedOutcome,
    ReviewedRow,
    count_outcomes,
    ranked_outcomes,
)
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.reports.phrases import count
from novum.runs.engine import RunHeader, RunKind, SessionResult
from novum.runs.review import ReviewProtocol, review_account, review_header, review_until_done
from novum.settings import LoadedSettings

_QUEUE = "queue-"
_AGAIN = "Filter them again: recorded answers are used."
AT_ONCE = 192
"""Ideas worked on at once: with three reports each, more requests than any server receives at once."""


class FilterTask(Value):
    """The ideas and how they are reviewed. `spool`: the file that `queue_ideas` wrote, one idea a line."""

    spool: str
    ideas: Annotated[int, Field(ge=1)]
    refereeing: ReviewProtocol
    keep: KeepRule = KeepRule()


class QueuedIdea(Value):
    """An idea in the queue: one line of its file."""

    idea: Idea
    row: dict[str, Any]
    """The row of its source."""
    source: str


class IdeaQueue(Value):
    """The file of queued ideas, their number, and the number left out because they were repeated."""

    name: str
    ideas: int
    repeated: int


class FilterResult(Value):
    """The counts over all ideas. The ideas are in `file`; `novum.judges.acceptance.ranked_outcomes` reads them."""

    tally: AcceptanceCounts
    keep: KeepRule
    file: str
    account: Account

    def ranked(self, most: int | None = None) -> Iterator[RankedOutcome]:
        """All ideas with their reviews, best first, one in memory at a time; `most`: only so many."""
        return ranked_outcomes(Path(self.file), self.keep, most)


def queue_ideas(ideas: Iterable[QueuedIdea], folder: Path) -> IdeaQueue:
    """Writes ideas to a file in `folder`, named by the hash of its content. Raises BadInput where there is no idea, or
    the file cannot be written."""
    seen: set[int] = set()
    repeated, content = 0, _hash()
    new = folder / f".new-{secrets.token_hex(4)}"
    try:
        make_private_folder(folder)
        with new.open("wb") as file:
            for each in ideas:
                number = int(each.idea.id.rpartition("-")[2], 16)
                if number in seen:
                    repeated += 1
                    continue
                seen.add(number)
                line = redact(each.model_dump_json()).encode("utf-8", "replace") + b"\n"
                content.update(line)
                file.write(line)
        if not seen:
            raise BadInput("There is no idea to filter. Name runs, reports or tables of ideas (JSONL, CSV).")
        name = f"{_QUEUE}{content.hexdigest()}.jsonl"
        new.replace(folder / name)
    except OSError as error:
        raise BadInput(f"The ideas cannot be written to {folder}: {error.strerror or error}.") from error
    finally:
        new.unlink(missing_ok=True)
    return IdeaQueue(name=name, ideas=len(seen), repeated=repeated)


def filter_folder(settings: LoadedSettings) -> Path:
    """The folder of queued ideas and their reviews."""
    return settings.values.home / "filters"


async def _prepare(workplace: Workplace, task: FilterTask) -> RunHeader[FilterTask]:
    return await review_header(workplace, f"Filter: {count(task.ideas, 'idea')}", task.refereeing)


async def _carry_out(lab: Lab, record: RunRecord, task: FilterTask) -> SessionResult[FilterResult]:
    lab, folder = lab.going_on(), filter_folder(lab.settings)
    outcomes = folder / f"{record.id}.jsonl"
    _check_queue(folder / task.spool)
    waiting = enumerate(_lines(folder / task.spool))
    with atomic_path(outcomes) as place, lab.run.step("reviews"), place.open("wb") as file:
        workers = min(AT_ONCE, task.ideas)
        await run_concurrently(_work(lab, waiting, task.refereeing, file) for _ in range(workers))
    tally = count_outcomes(outcomes, task.keep)
    account = await review_account(lab, record, task.refereeing)
    done = FilterResult(tally=tally, keep=task.keep, file=str(outcomes), account=account)
    return SessionResult(done, count=tally.ideas)


FILTER = RunKind("filter", "a filter of ideas", FilterTask, FilterResult, _prepare, _carry_out)


async def _work(
    lab: Lab, waiting: Iterator[tuple[int, bytes]], refereeing: ReviewProtocol, outcomes: IO[bytes]
) -> None:
    """One of many workers on the same queue."""
    for position, line in waiting:
        one = _queued(line)
        done = await review_until_done(lab, one.idea, refereeing)
        outcomes.write(ReviewedRow(done, position, one.row, one.source).written())


def _queued(line: bytes) -> QueuedIdea:
    try:
        return QueuedIdea.model_validate_json(line)
    except ValidationError as error:
        raise BadInput(f"The ideas of this run are damaged. {_AGAIN}") from error


def _check_queue(spool: Path) -> None:
    """Raises BadInput for a file that is not as it was written. Files of former versions are named otherwise."""
    content = _hash()
    try:
        with open_input(spool) as file:
            for line in file:
                content.update(line)
    except (OSError, BadInput) as error:
        raise BadInput(f"The ideas of this run cannot be read: {error} {_AGAIN}") from error
    if spool.name.startswith(_QUEUE) and spool.stem != f"{_QUEUE}{content.hexdigest()}":
        raise BadInput(f"The ideas of this run are damaged: {spool}. {_AGAIN}")


def _lines(spool: Path) -> Iterator[bytes]:
    try:
        with open_input(spool) as file:
            yield from file
    except (OSError, BadInput) as error:
        raise BadInput(f"The ideas of this run cannot be read: {error} {_AGAIN}") from error


def _hash() -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=8)
