"""Many ideas reviewed and ranked, the best of them selected: a durable run whose memory does not grow with their texts.

    async with Workplace(load_settings()) as workplace:
        queue = queue_ideas(ideas, filter_folder(workplace.settings))
        done = await start(FILTER, workplace, FilterTask(spool=queue.name, ideas=queue.ideas, refereeing=…))

Ideas wait in a file, a fixed number of them is worked on at once, and the reviews of each are written to another file
as soon as they are known.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Annotated, Any

from pydantic import Field

from novum.core import Account, Idea, content_id
from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.credentials.redaction import redact
from novum.errors import BadInput
from novum.files.atomic import atomic_path
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
    """Writes ideas to a file in `folder`, named by a hash of its content. Raises BadInput where there is no idea, or
    the file cannot be written."""
    seen: set[int] = set()
    repeated, digest = 0, ""
    new = folder / f".new-{secrets.token_hex(4)}"
    try:
        make_private_folder(folder)
        with new.open("w", encoding="utf-8", errors="replace") as file:
            for each in ideas:
                number = int(each.idea.id.rpartition("-")[2], 16)
                if number in seen:
                    repeated += 1
                    continue
                seen.add(number)
                digest = content_id("ideas", [digest, each.idea.id, each.row, each.source])
                file.write(redact(each.model_dump_json()) + "\n")
        if not seen:
            raise BadInput("There is no idea to filter. Name runs, reports or tables of ideas (JSONL, CSV).")
        new.replace(folder / f"{digest}.jsonl")
    except OSError as error:
        raise BadInput(f"The ideas cannot be written to {folder}: {error.strerror or error}.") from error
    finally:
        new.unlink(missing_ok=True)
    return IdeaQueue(name=f"{digest}.jsonl", ideas=len(seen), repeated=repeated)


def filter_folder(settings: LoadedSettings) -> Path:
    """The folder of queued ideas and their reviews."""
    return settings.values.home / "filters"


async def _prepare(workplace: Workplace, task: FilterTask) -> RunHeader[FilterTask]:
    return await review_header(workplace, f"Filter: {count(task.ideas, 'idea')}", task.refereeing)


async def _carry_out(lab: Lab, record: RunRecord, task: FilterTask) -> SessionResult[FilterResult]:
    lab, folder = lab.going_on(), filter_folder(lab.settings)
    outcomes = folder / f"{record.id}.jsonl"
    waiting = enumerate(_lines(folder / task.spool))
    with atomic_path(outcomes) as place, lab.run.step("reviews"), place.open("wb") as file:
        workers = min(AT_ONCE, task.ideas)
        await run_concurrently(_work(lab, waiting, task.refereeing, file) for _ in range(workers))
    tally = count_outcomes(outcomes, task.keep)
    account = await review_account(lab, record, task.refereeing)
    done = FilterResult(tally=tally, keep=task.keep, file=str(outcomes), account=account)
    return SessionResult(done, count=tally.ideas)


FILTER = RunKind("filter", "a filter of ideas", FilterTask, FilterResult, _prepare, _carry_out)


async def _work(lab: Lab, waiting: Iterator[tuple[int, str]], refereeing: ReviewProtocol, outcomes: IO[bytes]) -> None:
    """One of many workers on the same queue."""
    for position, line in waiting:
        one = QueuedIdea.model_validate_json(line)
        done = await review_until_done(lab, one.idea, refereeing)
        outcomes.write(ReviewedRow(done, position, one.row, one.source).written())


def _lines(spool: Path) -> Iterator[str]:
    try:
        with spool.open(encoding="utf-8") as file:
            yield from file
    except OSError as error:
        raise BadInput(
            f"The ideas of this run cannot be read: {error}. Filter them again: recorded answers are used."
        ) from error
