"""Ideas judged without a competition, as durable runs: against a baseline by win rate, and item by item by a rubric.

async with Workplace(load_settings()) as place:
    done = await win_rates(place, WinRateTask(contests=…, judges=…))
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated, TypeVar

from pydantic import Field, JsonValue

from novum.core import Account, Idea, Match, RubricSheet, Topic
from novum.core.comparison import JudgedPair
from novum.core.record import Value
from novum.http import together
from novum.judges.rubric import RUBRIC, mark_by_rubric
from novum.judges.win_rate import WIN_RATE_CRITERIA, choose_winner_in_both_orders
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.ledger.run import Listener
from novum.llm import ModelName, conduct
from novum.reports.phrases import count
from novum.runs.durable import Resumable
from novum.runs.engine import JUDGING, CarryOut, account_of, check_models, run_session, settings_to_repeat
from novum.statistics.win_share import Share, panel_win_shares, rubric_shares

WIN_RATE, RUBRIC_METHOD = "win-rate", "rubric"
_WHAT = "judging of ideas"
Judges = Annotated[tuple[str, ...], Field(min_length=1)]
Outcome = TypeVar("Outcome", bound=Value)


class Pair(Value):
    """Two ideas on one topic."""

    topic: str
    subject: Idea
    baseline: Idea


class Contest(Value):
    """One side against another, pair by pair. Pairs on the same topic decide each for itself."""

    subject: str
    baseline: str
    pairs: Annotated[tuple[Pair, ...], Field(min_length=1)]


class WinRateTask(Value):
    """What is to be judged, and by whom (`provider:model`)."""

    contests: Annotated[tuple[Contest, ...], Field(min_length=1)]
    judges: Judges


class ContestRates(Value):
    """What came of one contest: by criterion, the share of pairs that the panel's majority gives to the subject."""

    subject: str
    baseline: str
    shares: dict[str, Share]
    bouts: tuple[JudgedPair, ...]
    """Every asking. Topics are numbered where one has several pairs."""
    failures: int
    """Askings without a usable answer: votes for nobody."""


class WinRates(Value):
    """All contests, in their order, and what they took."""

    contests: tuple[ContestRates, ...]
    account: Account


class RubricTask(Value):
    """What is to be marked, and by whom."""

    ideas: Annotated[tuple[Idea, ...], Field(min_length=1)]
    judges: Judges


class RubricMarks(Value):
    """Every sheet, and by item the share of ideas that the majority finds to satisfy it."""

    shares: dict[str, Share]
    sheets: tuple[RubricSheet, ...]
    failures: int
    account: Account


async def win_rates(
    workplace: Workplace, task: WinRateTask, listeners: Sequence[Listener] = (), *, fresh: bool = False
) -> WinRates:
    """Starts a run and judges every pair in both orders by every judge. Raises as `runs.engine.ideate` does; the run
    can be resumed."""
    await check_models(workplace, map(ModelName.parse, task.judges))
    title = "; ".join(f"{each.subject} against {each.baseline}" for each in task.contests[:3])
    record = workplace.ledger.start_run(JUDGING, title, _params(workplace, WIN_RATE, task, fresh=fresh))
    return await run_session(workplace, record, listeners, _judging_of(task))


async def rubric_marks(
    workplace: Workplace, task: RubricTask, listeners: Sequence[Listener] = (), *, fresh: bool = False
) -> RubricMarks:
    """Starts a run and has every idea marked by every judge. Raises and resumes likewise."""
    await check_models(workplace, map(ModelName.parse, task.judges))
    title = f"{count(len(task.ideas), 'idea')} by the rubric"
    record = workplace.ledger.start_run(JUDGING, title, _params(workplace, RUBRIC_METHOD, task, fresh=fresh))
    return await run_session(workplace, record, listeners, _marking_of(task))


async def resume(
    workplace: Workplace, run_id: str, listeners: Sequence[Listener] = (), *, anyway: bool = False
) -> WinRates | RubricMarks:
    """Takes a run up again; a finished one is handed back as it was. The workplace must be opened with the run's own
    settings."""
    if workplace.ledger.run(run_id).params.get("method") == RUBRIC_METHOD:
        marking = Resumable(JUDGING, _WHAT, RubricTask, RubricMarks, _marking_of)
        return await marking.resume(workplace, run_id, listeners, anyway=anyway)
    judging = Resumable(JUDGING, _WHAT, WinRateTask, WinRates, _judging_of)
    return await judging.resume(workplace, run_id, listeners, anyway=anyway)


def _params(workplace: Workplace, method: str, task: WinRateTask | RubricTask, *, fresh: bool) -> dict[str, JsonValue]:
    return {
        "method": method,
        "options": {"judges": [ModelName.parse(name).short for name in task.judges]},
        "task": task.model_dump(mode="json"),
        "fresh": fresh,
        "settings": settings_to_repeat(workplace) | {"judges": list(task.judges)},
    }


def _judging_of(task: WinRateTask) -> CarryOut[WinRates]:
    async def carry_out(lab: Lab, record: RunRecord, began: float) -> WinRates:
        lab.run.emit("run-began", method=WIN_RATE, topic=record.title)
        judged = await together(_contest(lab, contest, task.judges) for contest in task.contests)
        lab.run.emit("run-done", ideas=sum(len(contest.pairs) for contest in task.contests))
        return WinRates(contests=tuple(judged), account=_account(lab, record, began, task.judges))

    return carry_out


async def _contest(lab: Lab, contest: Contest, judges: Sequence[str]) -> ContestRates:
    numbered = [(f"{number}. {pair.topic}", pair) for number, pair in enumerate(contest.pairs, 1)]
    with lab.run.step(f"{contest.subject} against {contest.baseline}"):
        found = await together(
            _bouts(lab, contest, name, pair, ModelName.parse(judge)) for name, pair in numbered for judge in judges
        )
    bouts = tuple(bout for both in found for bout in both)
    shares = panel_win_shares(bouts, contest.subject, contest.baseline)
    return ContestRates(
        subject=contest.subject,
        baseline=contest.baseline,
        shares={name: shares[name] for name in WIN_RATE_CRITERIA if name in shares},
        bouts=bouts,
        failures=sum(bool(bout.failure) for bout in bouts),
    )


async def _bouts(lab: Lab, contest: Contest, topic: str, pair: Pair, judge: ModelName) -> tuple[JudgedPair, JudgedPair]:
    asked = choose_winner_in_both_orders(Topic(text=pair.topic), pair.subject, pair.baseline, judge)
    there, back = await conduct(lab.models, asked)
    return (
        _bout(topic, contest.subject, contest.baseline, there),
        _bout(topic, contest.baseline, contest.subject, back),
    )


def _bout(topic: str, first: str, second: str, match: Match) -> JudgedPair:
    return JudgedPair(
        topic=topic, first=first, second=second, judge=match.judge, verdicts=match.verdicts, failure=match.failure
    )


def _marking_of(task: RubricTask) -> CarryOut[RubricMarks]:
    async def carry_out(lab: Lab, record: RunRecord, began: float) -> RubricMarks:
        lab.run.emit("run-began", method=RUBRIC_METHOD, topic=record.title)
        with lab.run.step("rubric"):
            sheets = await together(
                conduct(lab.models, mark_by_rubric(Topic(text=idea.topic), idea, ModelName.parse(judge)))
                for idea in task.ideas
                for judge in task.judges
            )
        lab.run.emit("run-done", ideas=len(task.ideas))
        return RubricMarks(
            shares=_shares(task.ideas, sheets),
            sheets=tuple(sheets),
            failures=sum(bool(sheet.failure) for sheet in sheets),
            account=_account(lab, record, began, task.judges),
        )

    return carry_out


def _shares(ideas: Sequence[Idea], sheets: Sequence[RubricSheet]) -> dict[str, Share]:
    panels = [
        [{mark.item: mark.satisfied for mark in sheet.marks} for sheet in sheets if sheet.idea_id == idea.id]
        for idea in ideas
    ]
    return rubric_shares(panels, list(RUBRIC))


def _account(lab: Lab, record: RunRecord, began: float, judges: Sequence[str]) -> Account:
    """The account with those who judged: nobody else took part."""
    account = account_of(lab, record, time.perf_counter() - began)
    names = [ModelName.parse(name) for name in judges]
    return account.model_copy(
        update={
            "models": {"judges": ", ".join(name.short for name in names)},
            "demonstration": all(name.provider.name == "offline" for name in names),
        }
    )
