"""The durable run: rounds over the questions until there are as many different ideas as were asked for."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue

from novum.concurrency import run_concurrently
from novum.core import Account, shorten
from novum.errors import BadInput, BudgetSpent, LedgerError, LibraryError, ModelError, NoUsableAnswer, NovumError
from novum.files.atomic import atomic_path
from novum.files.tables import Row
from novum.idea_metrics.model import embedded
from novum.idea_metrics.set_diversity import near_duplicates_in
from novum.lab import Lab, Workplace
from novum.ledger import Event, RunRecord
from novum.literature.embedding import Vectors
from novum.methods import get_method
from novum.reading.live_library import LiveLibrary
from novum.reports.phrases import count
from novum.runs.attempts import decisive
from novum.runs.bulk.deduplication import Dropped, Found, Gathering, compared_text, found_at, stacked
from novum.runs.bulk.journal import Journal
from novum.runs.bulk.rounds import Rounds, Turn
from novum.runs.bulk.task import Bulk, BulkTask, Failure
from novum.runs.bulk.turns import QuietRun, carried_out, idea_of, lab_for, rows_of
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models, ensure_library, role_models
from novum.runs.ideation import read_topic
from novum.settings import LoadedSettings

AT_ONCE = 128
"""Turns worked on at once, and as many as a model may be asked at once if those are more: at its narrowest a turn waits
for a single answer, and a server that could give more would idle."""
IN_VAIN = 8
"""Turns in a row whose models could not be asked: nobody will answer the others either."""
_FAILURES_KEPT = 100
_ENDING = (LedgerError, LibraryError, BudgetSpent)
"""What ends the whole run; anything else costs its own turn."""


def folder_of(settings: LoadedSettings) -> Path:
    """Where ideas wait until all are there."""
    return settings.values.home / "bulk"


async def _prepare(workplace: Workplace, task: BulkTask) -> RunHeader[BulkTask]:
    for question in task.questions:
        read_topic(question)
    task.options_for(task.largest_turn)
    ensure_library(workplace)
    await check_models(workplace, role_models(workplace))
    near = task.near or await near_duplicates_in(workplace.library)
    options = {"ideas in all": task.number, "questions": len(task.questions), **task.options}
    return RunHeader(_title(task), options, task.method, task=task.model_copy(update={"near": near}))


async def _carry_out(lab: Lab, record: RunRecord, task: BulkTask) -> SessionResult[Bulk]:
    folder = folder_of(lab.settings)
    if lab.live:
        lab = replace(lab, library=LiveLibrary(lab.library.stored, lab.run, lab.live))
    with Journal(folder / f"{record.id}.turns.jsonl") as journal:
        session = _BulkSession(lab, task, journal)
        await session.carry_out()
        account = await account_of(lab, record)
        done = session.gathered(folder, record.id, account)
        if not done.stopped:
            journal.forget()
    return SessionResult(done, stopped=done.stopped, count=done.ideas)


class _BulkSession:
    """One session of work."""

    def __init__(self, lab: Lab, task: BulkTask, journal: Journal) -> None:
        assert task.near is not None, "settled before the run began"
        self._lab = lab
        self._task = task
        self._near = task.near
        self._journal = journal
        self._rounds = Rounds.over(len(task.questions), task.number, task.largest_turn)
        self._gathering = Gathering(task.near.cosine)
        self._failures: list[Failure] = []
        self._failed = self._in_vain = self._to_try = self._turns = self._in_round = 0
        self._stopped = ""

    async def carry_out(self) -> None:
        """Round after round. Raises what ends the run, but for a spent budget."""
        while not self._stopped and (turns := self._rounds.next_round()):
            with self._lab.run.step(f"round {self._rounds.done + 1}"):
                found, vectors = await self._round(turns)
            brought = Counter(each.turn for each in found)
            self._rounds.end_round([*brought.values()], self._new(found, vectors))

    def gathered(self, folder: Path, run_id: str, account: Account) -> Bulk:
        """What came of it so far, with its ideas in a file."""
        task, gathering, twins = self._task, self._gathering, 0
        chosen = gathering.close(task.number)
        file, dropped = folder / f"{run_id}.jsonl", folder / f"{run_id}.dropped.jsonl"
        self._write(file, (self._row(each) for each in chosen))
        self._write(dropped, (self._dropped_row(each) for each in gathering.dropped))
        twins = sum(each.cosine is not None for each in gathering.dropped)
        surplus = sum(each.like is None for each in gathering.dropped)
        return Bulk(
            wanted=task.number,
            ideas=len(chosen),
            questions=len(task.questions),
            without=len(task.questions) - len({each.turn.question for each in chosen}),
            turns=self._turns,
            rounds=self._rounds.done,
            repeated=len(gathering.dropped) - twins - surplus,
            twins=twins,
            surplus=surplus,
            failed=self._failed,
            failures=tuple(self._failures),
            near=self._near,
            file=str(file),
            dropped=str(dropped),
            stopped=self._stopped,
            account=account,
        )

    # -- one round --------------------------------------------------------------------------------------------------

    async def _round(self, turns: Sequence[Turn]) -> tuple[list[Found], Vectors]:
        """What all turns found, the best of each first, with their vectors."""
        found: dict[Turn, tuple[list[Found], Vectors]] = {}
        waiting, run = iter(turns), QuietRun(self._lab.run)
        at_once = max(AT_ONCE, self._lab.settings.values.in_flight or 0)
        self._to_try, self._in_round = sum(turn not in self._journal for turn in turns), 0
        try:
            await run_concurrently(self._worker(waiting, run, found) for _ in range(min(at_once, len(turns))))
        except BudgetSpent as stop:
            self._stopped = str(stop)
        ordered = sorted(
            ((idea.place, turn.number, turn.question, idea, vectors[idea.place])
             for turn, (ideas, vectors) in found.items() for idea in ideas),
            key=lambda each: each[:3],
        )  # fmt: skip
        return [each[3] for each in ordered], stacked([each[4][None] for each in ordered])

    async def _worker(
        self, waiting: Iterator[Turn], run: QuietRun, found: dict[Turn, tuple[list[Found], Vectors]]
    ) -> None:
        """One of many on the same pile."""
        for turn in waiting:
            if turn not in self._journal:
                await self._try(turn, run)
            if turn in self._journal:
                self._turns += 1
                found[turn] = await self._read(turn)
                self._in_round += len(found[turn][0])
                if not found[turn][0]:
                    self._count_failure(turn, " ".join(self._journal.notes(turn)) or "it came to no idea")
            self._tell_progress()

    async def _try(self, turn: Turn, run: QuietRun) -> None:
        """Carries a turn out and notes it down; one that fails is counted. Raises what ends the run."""
        try:
            taken = self._task.openings_for(self._rounds.asked[turn.question].sizes[: turn.number])
            ideation = await carried_out(lab_for(self._lab, run, turn, taken), self._task, turn)
        # A method may be another package's and raise whatever it likes: that costs its turn, and the others go on.
        except Exception as raised:
            self._fail(turn, decisive(raised))
            return
        self._in_vain = 0
        self._journal.note(turn, [*rows_of(ideation, self._task, turn)], ideation.notes)

    def _fail(self, turn: Turn, error: Exception) -> None:
        if isinstance(error, _ENDING):
            raise error from None
        asked = not isinstance(error, ModelError) or isinstance(error, NoUsableAnswer)
        self._in_vain = 0 if asked else self._in_vain + 1
        if self._in_vain >= min(IN_VAIN, self._to_try):
            raise error from None
        self._count_failure(turn, str(error) if isinstance(error, NovumError) else f"{type(error).__name__}: {error}")

    def _count_failure(self, turn: Turn, why: str) -> None:
        self._failed += 1
        if len(self._failures) < _FAILURES_KEPT:
            self._failures.append(Failure(question=self._task.questions[turn.question], why=shorten(why, 500)))

    async def _read(self, turn: Turn) -> tuple[list[Found], Vectors]:
        ideas = [idea_of(row) for row in self._journal.rows(turn)]
        vectors = await embedded([compared_text(idea) for idea in ideas], self._lab.library.embedder)
        return [found_at(turn, place, idea) for place, idea in enumerate(ideas)], vectors

    def _new(self, found: Sequence[Found], vectors: Vectors) -> list[int]:
        """By question, how many of them differ from all that are there."""
        new = [0] * len(self._task.questions)
        for each in self._gathering.take(found, vectors):
            new[each.turn.question] += 1
        return new

    def _tell_progress(self) -> None:
        """To who follows the run; the ledger need not keep it."""
        done = min(self._rounds.kept + self._in_round, self._task.number)
        data: dict[str, JsonValue] = {"done": done, "of": self._task.number, "noun": "ideas", "failed": self._failed}
        run = self._lab.run
        run.tell(Event(run_id=run.id, at=time.time(), kind="progress", step=run.here, data=data))

    # -- what is left behind ----------------------------------------------------------------------------------------

    def _write(self, file: Path, rows: Iterable[Row]) -> None:
        try:
            with atomic_path(file) as place, place.open("w", encoding="utf-8", errors="replace") as opened:
                for row in rows:
                    told = {name: value for name, value in row.items() if value not in (None, "", [], {})}
                    opened.write(json.dumps(told, ensure_ascii=False) + "\n")
        except OSError as error:
            raise BadInput(f"Ideas cannot be written to {file}: {error.strerror or error}. Free some space, and "
                           "resume the run.") from error  # fmt: skip

    def _row(self, found: Found) -> Row:
        return self._journal.rows(found.turn)[found.place]

    def _dropped_row(self, dropped: Dropped) -> Row:
        like = {"like": dropped.like.title, "like_question": self._task.questions[dropped.like.turn.question]} \
            if dropped.like else {}  # fmt: skip
        return {**self._row(dropped.found), "why": dropped.why, **like, "cosine": dropped.cosine}


def _title(task: BulkTask) -> str:
    asked = shorten(task.questions[0], 80) if len(task.questions) == 1 else count(len(task.questions), "question")
    return f"{count(task.number, 'idea')} by {get_method(task.method).name}: {asked}"


BULK = RunKind("bulk", "a generation of ideas in bulk", BulkTask, Bulk, _prepare, _carry_out)
