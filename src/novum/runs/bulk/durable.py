"""The durable run: rounds over the questions until there are as many different ideas as requested."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue

from novum.core import Account, shorten
from novum.core.arrays import Vectors
from novum.core.concurrency import run_concurrently
from novum.errors import BadInput, BudgetSpent, LedgerError, LibraryError, ModelError, NoUsableAnswer, NovumError
from novum.files.atomic import atomic_path
from novum.files.tables import Row
from novum.idea_metrics.model import embedded
from novum.idea_metrics.set_diversity import near_duplicates_in
from novum.lab import Lab, Workplace
from novum.ledger import Event, RunRecord
from novum.methods import get_method
from novum.methods.effort import with_effort
from novum.reading.live_library import LiveLibrary
from novum.reports.phrases import count
from novum.runs.attempts import decisive_error
from novum.runs.bulk.deduplication import (
    Deduplication,
    DroppedIdea,
    FoundIdea,
    embedded_text,
    found_idea,
    stack_vectors,
)
from novum.runs.bulk.journal import Journal
from novum.runs.bulk.rounds import Rounds, Turn
from novum.runs.bulk.task import BulkResult, BulkTask, QuestionFailure
from novum.runs.bulk.turns import QuietRun, carry_out_turn, idea_from_row, idea_rows, turn_lab
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models, ensure_library, role_models
from novum.runs.ideation import read_topic
from novum.settings import LoadedSettings

AT_ONCE = 128
"""Turns carried out at once, or the number of requests that a model accepts at once if that is more: at times a turn
waits for a single response, and the server would idle."""
UNREACHABLE_TURNS = 8
"""Turns in a row whose models could not be reached, after which the run fails: the other turns would fail too."""
_STORED_FAILURES = 100
_ENDING = (LedgerError, LibraryError, BudgetSpent)
"""Errors that end the whole run. Any other fails its turn alone."""


def bulk_folder(settings: LoadedSettings) -> Path:
    """The folder of the ideas of runs in bulk."""
    return settings.values.home / "bulk"


async def _prepare(workplace: Workplace, task: BulkTask) -> RunHeader[BulkTask]:
    for question in task.questions:
        read_topic(question)
    effort = workplace.settings.values.effort
    task = task.model_copy(update={"options": with_effort(task.method, effort, task.options)})
    task.options_for(task.largest_turn)
    ensure_library(workplace)
    await check_models(workplace, role_models(workplace))
    near = task.near or await near_duplicates_in(workplace.library)
    options = {"ideas in all": task.number, "questions": len(task.questions), **task.options}
    return RunHeader(_title(task), options, task.method, task=task.model_copy(update={"near": near}))


async def _carry_out(lab: Lab, record: RunRecord, task: BulkTask) -> SessionResult[BulkResult]:
    lab, folder = lab.going_on(), bulk_folder(lab.settings)
    if lab.live:
        lab = replace(lab, library=LiveLibrary(lab.library.stored, lab.run, lab.live))
    with Journal(folder / f"{record.id}.turns.jsonl") as journal:
        session = _BulkSession(lab, task, journal)
        await session.carry_out()
        account = await account_of(lab, record)
        done = session.result(folder, record.id, account)
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
        self._deduplication = Deduplication(task.near.cosine)
        self._failures: list[QuestionFailure] = []
        self._failed = self._unreachable = self._to_try = self._turns = self._in_round = 0
        self._stopped = ""

    async def carry_out(self) -> None:
        """Carries out one round after another. Raises the errors that end the run, except a spent budget."""
        while not self._stopped and (turns := self._rounds.next_round()):
            with self._lab.run.step(f"round {self._rounds.done + 1}"):
                ideas, vectors = await self._round(turns)
            ideas_by_turn = Counter(each.turn for each in ideas)
            self._rounds.end_round([*ideas_by_turn.values()], self._new(ideas, vectors))

    def result(self, folder: Path, run_id: str, account: Account) -> BulkResult:
        """The outcome so far, its ideas written to a file."""
        task, ideas = self._task, self._deduplication
        selected = ideas.select(task.number)
        file, dropped = folder / f"{run_id}.jsonl", folder / f"{run_id}.dropped.jsonl"
        self._write(file, (self._row(each) for each in selected))
        self._write(dropped, (self._dropped_row(each) for each in ideas.dropped))
        near_duplicates = sum(each.cosine is not None for each in ideas.dropped)
        surplus = sum(each.like is None for each in ideas.dropped)
        return BulkResult(
            wanted=task.number,
            ideas=len(selected),
            questions=len(task.questions),
            without=len(task.questions) - len({each.turn.question for each in selected}),
            turns=self._turns,
            rounds=self._rounds.done,
            repeated=len(ideas.dropped) - near_duplicates - surplus,
            twins=near_duplicates,
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

    async def _round(self, turns: Sequence[Turn]) -> tuple[list[FoundIdea], Vectors]:
        """The ideas of all turns with their embeddings, the best of each turn first."""
        by_turn: dict[Turn, tuple[list[FoundIdea], Vectors]] = {}
        waiting, run = iter(turns), QuietRun(self._lab.run)
        at_once = max(AT_ONCE, self._lab.settings.values.in_flight or 0)
        self._to_try, self._in_round = sum(turn not in self._journal for turn in turns), 0
        try:
            await run_concurrently(self._worker(waiting, run, by_turn) for _ in range(min(at_once, len(turns))))
        except BudgetSpent as stop:
            self._stopped = str(stop)
        ordered = sorted(
            ((idea.place, turn.number, turn.question, idea, vectors[idea.place])
             for turn, (ideas, vectors) in by_turn.items() for idea in ideas),
            key=lambda each: each[:3],
        )  # fmt: skip
        return [each[3] for each in ordered], stack_vectors([each[4][None] for each in ordered])

    async def _worker(
        self, waiting: Iterator[Turn], run: QuietRun, by_turn: dict[Turn, tuple[list[FoundIdea], Vectors]]
    ) -> None:
        """One of many workers on the same turns."""
        for turn in waiting:
            if turn not in self._journal:
                await self._try(turn, run)
            if turn in self._journal:
                self._turns += 1
                by_turn[turn] = await self._read(turn)
                self._in_round += len(by_turn[turn][0])
                if not by_turn[turn][0]:
                    self._count_failure(turn, " ".join(self._journal.notes(turn)) or "it had no idea")
            self._report_progress()

    async def _try(self, turn: Turn, run: QuietRun) -> None:
        """Carries a turn out and adds it to the journal; a failure is counted. Raises the errors that end the run."""
        try:
            used = self._task.opportunities_for(self._rounds.questions[turn.question].sizes[: turn.number])
            lab = turn_lab(self._lab, run, turn, used).going_on()
            ideation = await carry_out_turn(lab, self._task, turn)
        # A method of another package may raise anything: its turn fails, and the others continue.
        except Exception as raised:
            self._fail(turn, decisive_error(raised))
            return
        self._unreachable = 0
        if lab.missing and not ideation.candidates:
            self._count_failure(turn, *lab.missing)  # not in the journal: a resumed run tries it again
        else:
            self._journal.note(turn, [*idea_rows(ideation, self._task, turn)], (*ideation.notes, *lab.missing))

    def _fail(self, turn: Turn, error: Exception) -> None:
        if isinstance(error, _ENDING):
            raise error from None
        reached = not isinstance(error, ModelError) or isinstance(error, NoUsableAnswer)
        self._unreachable = 0 if reached else self._unreachable + 1
        if self._unreachable >= min(UNREACHABLE_TURNS, self._to_try):
            raise error from None
        self._count_failure(turn, str(error) if isinstance(error, NovumError) else f"{type(error).__name__}: {error}")

    def _count_failure(self, turn: Turn, why: str) -> None:
        self._failed += 1
        if len(self._failures) < _STORED_FAILURES:
            self._failures.append(QuestionFailure(question=self._task.questions[turn.question], why=shorten(why, 500)))

    async def _read(self, turn: Turn) -> tuple[list[FoundIdea], Vectors]:
        ideas = [idea_from_row(row) for row in self._journal.rows(turn)]
        vectors = await embedded([embedded_text(idea) for idea in ideas], self._lab.library.embedder)
        return [found_idea(turn, place, idea) for place, idea in enumerate(ideas)], vectors

    def _new(self, ideas: Sequence[FoundIdea], vectors: Vectors) -> list[int]:
        """By question, the number of ideas that differ from all others."""
        new = [0] * len(self._task.questions)
        for each in self._deduplication.add(ideas, vectors):
            new[each.turn.question] += 1
        return new

    def _report_progress(self) -> None:
        """Sends progress to the listeners; the ledger does not store it."""
        done = min(self._rounds.new + self._in_round, self._task.number)
        data: dict[str, JsonValue] = {"done": done, "of": self._task.number, "noun": "ideas", "failed": self._failed}
        run = self._lab.run
        run.notify(Event(run_id=run.id, at=time.time(), kind="progress", step=run.here, data=data))

    # -- files --------------------------------------------------------------------------------------------------------

    def _write(self, file: Path, rows: Iterable[Row]) -> None:
        try:
            with atomic_path(file) as place, place.open("w", encoding="utf-8", errors="replace") as opened:
                for row in rows:
                    filled = {name: value for name, value in row.items() if value not in (None, "", [], {})}
                    opened.write(json.dumps(filled, ensure_ascii=False) + "\n")
        except OSError as error:
            raise BadInput(f"Ideas cannot be written to {file}: {error.strerror or error}. Free some space, and "
                           "resume the run.") from error  # fmt: skip

    def _row(self, idea: FoundIdea) -> Row:
        return self._journal.rows(idea.turn)[idea.place]

    def _dropped_row(self, dropped: DroppedIdea) -> Row:
        like = {"like": dropped.like.title, "like_question": self._task.questions[dropped.like.turn.question]} \
            if dropped.like else {}  # fmt: skip
        return {**self._row(dropped.found), "why": dropped.why, **like, "cosine": dropped.cosine}


def _title(task: BulkTask) -> str:
    topic = shorten(task.questions[0], 80) if len(task.questions) == 1 else count(len(task.questions), "question")
    return f"{count(task.number, 'idea')} by {get_method(task.method).name}: {topic}"


BULK = RunKind("bulk", "a generation of ideas in bulk", BulkTask, BulkResult, _prepare, _carry_out)
