"""Task, outcome and durable run: start, resume and replay come from the engine."""

from __future__ import annotations

import asyncio
from itertools import combinations
from statistics import mean

from pydantic import Field

from novum.core import Account, Value
from novum.errors import BudgetSpent, NoUsableAnswer
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.llm import ModelName, Models, Question
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models, replayed_account
from novum.runs.replay import open_for_replay


class DistinctTask(Value):
    """What is measured: each model has `count` ideas on each keyword."""

    models: tuple[str, ...] = Field(min_length=1)
    keywords: tuple[str, ...] = Field(min_length=1)
    count: int = Field(3, ge=2)


class DistinctScore(Value):
    """`distinct`: mean share of words that two ideas do not have in common, 0 to 1; None with fewer than two ideas."""

    model: str
    keyword: str
    ideas: int
    distinct: float | None


class DistinctRun(Value):
    """The outcome."""

    name: str
    scores: tuple[DistinctScore, ...]
    stopped: str
    account: Account


def distinct(ideas: list[str]) -> float | None:
    """Mean Jaccard distance between the words of each two ideas."""
    words = [set(idea.lower().split()) for idea in ideas]
    return mean(1 - len(a & b) / len(a | b) for a, b in combinations(words, 2)) if len(words) > 1 else None


async def _scores(models: Models, task: DistinctTask) -> tuple[tuple[DistinctScore, ...], str]:
    """All scores in the order of the task, and why some ideas are missing."""
    stopped: list[str] = []

    async def idea(model: ModelName, keyword: str, sample: int) -> str:
        needs = {"keyword": keyword, "academic": False, "marked": False}
        try:
            return await models.ask(Question("liveidea_idea", needs, str, model, sample))
        except NoUsableAnswer:
            return ""
        except BudgetSpent as stop:
            stopped.append(str(stop))
            return ""

    async def score(model: ModelName, keyword: str) -> DistinctScore:
        ideas = [each for each in await asyncio.gather(*(idea(model, keyword, n) for n in range(task.count))) if each]
        return DistinctScore(model=model.short, keyword=keyword, ideas=len(ideas), distinct=distinct(ideas))

    names = map(ModelName.parse, task.models)
    scores = await asyncio.gather(*(score(model, keyword) for model in names for keyword in task.keywords))
    return tuple(scores), next(iter(stopped), "")


async def _prepare(workplace: Workplace, task: DistinctTask) -> RunHeader[DistinctTask]:
    models = [ModelName.parse(name) for name in task.models]
    await check_models(workplace, models)
    return RunHeader(f"distinct ideas on {', '.join(task.keywords[:3])}", {"models": [each.short for each in models]})


async def _carry_out(lab: Lab, record: RunRecord, task: DistinctTask) -> SessionResult[DistinctRun]:
    with lab.run.step("ideas"):
        scores, stopped = await _scores(lab.models, task)
    run = DistinctRun(name=record.id, scores=scores, stopped=stopped, account=await account_of(lab, record))
    return SessionResult(run, stopped=stopped, count=sum(each.ideas for each in scores))


async def _replay(workplace: Workplace, record: RunRecord, task: DistinctTask) -> DistinctRun:
    _, models = open_for_replay(workplace, record)
    scores, stopped = await _scores(models, task)
    account = replayed_account(workplace.ledger, record)
    return DistinctRun(name=record.id, scores=scores, stopped=stopped, account=account)


DISTINCT_IDEAS = RunKind(
    "distinct-ideas", "a measurement of distinct ideas", DistinctTask, DistinctRun, _prepare, _carry_out, _replay
)
