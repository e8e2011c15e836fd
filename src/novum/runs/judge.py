"""Ideas judged outside an arena, as durable runs: win rates against a baseline, and a rubric item by item.

async with Workplace(load_settings()) as workplace:
    rates = await start(WIN_RATE, workplace, WinRateTask(contests=…, judges=…))
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from novum.core import TOPIC_LIMIT, Account, Idea, Ideation, Match, RubricSheet, Topic, shorten
from novum.core.comparison import JudgedPair
from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.judges import PairwiseJudge, get_judge
from novum.judges.rubric import RUBRIC, mark_by_rubric
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.llm import ModelName, conduct
from novum.reports.phrases import count
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models
from novum.statistics.win_rates import WinShare, panel_win_shares, rubric_shares

JudgeNames = Annotated[tuple[str, ...], Field(min_length=1)]
JudgingTask = TypeVar("JudgingTask", "WinRateTask", "RubricTask")


class IdeaPair(Value):
    """Two ideas on one topic."""

    topic: str
    subject: Idea
    baseline: Idea


class Contest(Value):
    """The pairs of one side against another. Pairs on the same topic count separately."""

    subject: str
    baseline: str
    pairs: Annotated[tuple[IdeaPair, ...], Field(min_length=1)]


def contest_between(
    subject: str, ideas: Sequence[Idea], baseline: str, others: Sequence[Idea]
) -> tuple[Contest | None, int]:
    """The contest of two sides with these names, and how many ideas have no counterpart.

    Ideas are paired by topic and number: the first idea of a topic with the first of the other side, the second with
    the second. None where the two sides have no topic in common.
    """
    mine, theirs = _by_topic(ideas), _by_topic(others)
    pairs = [
        IdeaPair(topic=topic, subject=one, baseline=other)
        for topic, own in mine.items()
        for one, other in zip(own, theirs.get(topic, ()), strict=False)
    ]
    alone = len(ideas) + len(others) - 2 * len(pairs)
    return (Contest(subject=subject, baseline=baseline, pairs=tuple(pairs)) if pairs else None), alone


def contests_of_drafts(ideation: Ideation) -> list[Contest]:
    """Each later draft of the ideas of a run against the first one: does refinement help? Empty where no idea has an
    earlier draft."""
    drafted = [[*candidate.earlier_drafts, candidate.idea] for candidate in ideation.candidates]
    return [
        Contest(
            subject=f"step {step + 1}",
            baseline="step 1",
            pairs=tuple(
                IdeaPair(topic=ideation.topic, subject=drafts[step], baseline=drafts[0])
                for drafts in drafted
                if len(drafts) > step
            ),
        )
        for step in range(1, max(map(len, drafted), default=0))
    ]


def _by_topic(ideas: Sequence[Idea]) -> dict[str, list[Idea]]:
    topics: dict[str, list[Idea]] = defaultdict(list)
    for idea in ideas:
        topics[" ".join(idea.topic.split())].append(idea)
    return topics


class WinRateTask(Value):
    """What is to be judged, and by which models (`provider:model`). `protocol`: the name of a pairwise judge."""

    contests: Annotated[tuple[Contest, ...], Field(min_length=1)]
    judges: JudgeNames
    protocol: str = "win-rate"


class ContestRates(Value):
    """The outcome of one contest: by criterion, the share of pairs that the panel's majority gives to the subject."""

    subject: str
    baseline: str
    shares: dict[str, WinShare]
    bouts: tuple[JudgedPair, ...]
    """Every judgement. Topics are numbered."""
    failures: int
    """Number of judgements without a usable answer, which count for neither side."""


class WinRates(Value):
    """The outcomes of all contests, in their order."""

    contests: tuple[ContestRates, ...]
    account: Account


class RubricTask(Value):
    """The ideas, and the models that check them (`provider:model`)."""

    ideas: Annotated[tuple[Idea, ...], Field(min_length=1)]
    judges: JudgeNames


class RubricMarks(Value):
    """The outcome: by item the share of ideas that satisfy it by majority, and every sheet."""

    shares: dict[str, WinShare]
    sheets: tuple[RubricSheet, ...]
    failures: int
    account: Account


async def _prepare_win_rate(workplace: Workplace, task: WinRateTask) -> RunHeader[WinRateTask]:
    get_judge(task.protocol)  # an unknown name is refused before a run starts
    title = "; ".join(f"{each.subject} against {each.baseline}" for each in task.contests[:3])
    return await _header(workplace, task, title, "win-rate")


async def _prepare_rubric(workplace: Workplace, task: RubricTask) -> RunHeader[RubricTask]:
    return await _header(workplace, task, f"{count(len(task.ideas), 'idea')} by the rubric", "rubric")


async def _header(workplace: Workplace, task: JudgingTask, title: str, method: str) -> RunHeader[JudgingTask]:
    models = [ModelName.parse(name) for name in task.judges]
    await check_models(workplace, models)
    return RunHeader(title, {"judges": [model.short for model in models]}, method, {"judges": list(task.judges)})


async def _carry_out_win_rate(lab: Lab, record: RunRecord, task: WinRateTask) -> SessionResult[WinRates]:
    lab = lab.going_on()
    contests = await run_concurrently(
        judge_contest(lab, contest, task.judges, task.protocol) for contest in task.contests
    )
    rates = WinRates(contests=tuple(contests), account=await _account(lab, record, task.judges))
    return SessionResult(rates, count=sum(len(contest.pairs) for contest in task.contests))


WIN_RATE = RunKind("judge", "a judging of ideas", WinRateTask, WinRates, _prepare_win_rate, _carry_out_win_rate)


async def judge_contest(lab: Lab, contest: Contest, judges: Sequence[str], protocol: str = "win-rate") -> ContestRates:
    """All pairs of a contest, judged by every judge in both orders."""
    numbered = [(f"{number}. {pair.topic}", pair) for number, pair in enumerate(contest.pairs, 1)]
    with lab.run.step(f"{contest.subject} against {contest.baseline}"):
        judged_in_orders = await run_concurrently(
            _judge_pair(lab, contest, name, pair, get_judge(protocol), ModelName.parse(model))
            for name, pair in numbered
            for model in judges
        )
    judged = tuple(each for both in judged_in_orders for each in both)
    return ContestRates(
        subject=contest.subject,
        baseline=contest.baseline,
        shares=panel_win_shares(judged, contest.subject, contest.baseline),
        bouts=judged,
        failures=sum(bool(each.failure) for each in judged),
    )


async def _judge_pair(
    lab: Lab, contest: Contest, topic: str, pair: IdeaPair, compare: PairwiseJudge, model: ModelName
) -> tuple[JudgedPair, JudgedPair]:
    requests = compare(Topic(text=shorten(pair.topic, TOPIC_LIMIT)), pair.subject, pair.baseline, model)
    forward, reverse = await conduct(lab.models, requests)
    return (
        _judged_pair(topic, contest.subject, contest.baseline, forward),
        _judged_pair(topic, contest.baseline, contest.subject, reverse),
    )


def _judged_pair(topic: str, first: str, second: str, match: Match) -> JudgedPair:
    return JudgedPair(
        topic=topic, first=first, second=second, judge=match.judge, verdicts=match.verdicts, failure=match.failure
    )


async def rubric_sheets(lab: Lab, ideas: Sequence[Idea], judges: Sequence[str]) -> list[RubricSheet]:
    """The sheet of every judge on every idea. The title stands for a topic where a table has none."""
    with lab.run.step("rubric"):
        return await run_concurrently(
            conduct(lab.models, mark_by_rubric(_topic_of(idea), idea, ModelName.parse(judge)))
            for idea in ideas
            for judge in judges
        )


async def _carry_out_rubric(lab: Lab, record: RunRecord, task: RubricTask) -> SessionResult[RubricMarks]:
    lab = lab.going_on()
    sheets = await rubric_sheets(lab, task.ideas, task.judges)
    marks = RubricMarks(
        shares=shares_of_sheets(task.ideas, sheets),
        sheets=tuple(sheets),
        failures=sum(bool(sheet.failure) for sheet in sheets),
        account=await _account(lab, record, task.judges),
    )
    return SessionResult(marks, count=len(task.ideas))


RUBRIC_MARKS = RunKind("judge", "a judging of ideas", RubricTask, RubricMarks, _prepare_rubric, _carry_out_rubric)


def shares_of_sheets(ideas: Sequence[Idea], sheets: Sequence[RubricSheet]) -> dict[str, WinShare]:
    """By item of the rubric, the share of these ideas that satisfy it by majority."""
    panels = [
        [{mark.item: mark.satisfied for mark in sheet.marks} for sheet in sheets if sheet.idea_id == idea.id]
        for idea in ideas
    ]
    return rubric_shares(panels, list(RUBRIC))


async def _account(lab: Lab, record: RunRecord, judges: Sequence[str]) -> Account:
    """The account with the judges as the only models that took part."""
    account = await account_of(lab, record)
    names = [ModelName.parse(name) for name in judges]
    return account.model_copy(
        update={
            "models": {"judges": ", ".join(name.short for name in names)},
            "demonstration": all(name.provider.name == "offline" for name in names),
        }
    )


def _topic_of(idea: Idea) -> Topic:
    return Topic(text=shorten(idea.topic or idea.title, TOPIC_LIMIT))
