"""Validations of judges as durable runs: judges see texts that people rated, and are compared with these people.

async with Workplace(load_settings()) as workplace:
    validation = await start(JUDGE_VALIDATION, workplace, task)
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence

from novum.benchmarks.judge_evaluation.reviewing import rating_of
from novum.benchmarks.judge_validation.measures import agreement_rows
from novum.benchmarks.judge_validation.records import JudgeOpinions, JudgeValidation
from novum.benchmarks.judge_validation.task import REVIEW, RUBRIC, JudgeValidationTask, ValidatedText
from novum.benchmarks.judge_validation.texts import topic_of
from novum.core import Match, Topic
from novum.core.concurrency import run_concurrently
from novum.core.reviewing import ReviewerReport
from novum.errors import BadInput
from novum.judges import get_judge
from novum.judges.agreement import JudgeAgreement, save_agreement
from novum.judges.reporter import ReviewSubject, write_free_review
from novum.judges.reviewer import USUAL_STANCES, review_idea
from novum.judges.rubric import mark_by_rubric
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.llm import ModelName, Models, conduct
from novum.reports.phrases import count
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models

BOOTSTRAP_SAMPLES = 1000
_POINTS = {"first": 1.0, "tie": 0.5, "second": 0.0}


def requests_of(task: JudgeValidationTask) -> int:
    """Requests to models, if each is answered at once."""
    each = {RUBRIC: len(task.texts), REVIEW: len(USUAL_STANCES) * len(task.texts)}
    return len(task.judges) * each.get(task.by, 2 * len(task.pairs))


async def _prepare(workplace: Workplace, task: JudgeValidationTask) -> RunHeader[JudgeValidationTask]:
    if task.is_pairwise:
        get_judge(task.by)
        if not task.pairs:
            raise BadInput("There are no two texts of one group on which people clearly differ: add texts.")
    models = [ModelName.parse(name) for name in task.judges]
    await check_models(workplace, models)
    names = [model.short for model in models]
    title = f"{', '.join(names[:3])} by {task.by} on {count(len(task.texts), 'text')}"
    return RunHeader(title, {"judges": [*names], "by": task.by}, settings={"judges": list(task.judges)})


async def _carry_out(lab: Lab, record: RunRecord, task: JudgeValidationTask) -> SessionResult[JudgeValidation]:
    lab = lab.going_on()
    with lab.run.step("judging"):
        opinions = await run_concurrently(_opinions(lab.models, task, ModelName.parse(name)) for name in task.judges)
    rows, curve = agreement_rows(task, opinions, BOOTSTRAP_SAMPLES)
    names = [ModelName.parse(name) for name in task.judges]
    account = (await account_of(lab, record)).model_copy(
        update={
            "models": {"judges": ", ".join(name.short for name in names)},
            "demonstration": all(name.provider.name == "offline" for name in names),
        }
    )
    validation = JudgeValidation(
        name=record.id,
        by=task.by,
        judges=tuple(name.short for name in names),
        outcome=task.outcome,
        sources=task.sources,
        left_out=task.left_out,
        groups=dict(sorted(Counter(each.group for each in task.texts).items())),
        pairs=len(task.pairs),
        rows=rows,
        curve=curve,
        opinions=tuple(opinions),
        failures=sum(each.failures for each in opinions),
        draws=BOOTSTRAP_SAMPLES,
        account=account,
    )
    if not account.demonstration:
        save_agreement(lab.settings.metrics_folder.parent, agreement_of(validation))
    return SessionResult(validation, count=len(task.texts))


JUDGE_VALIDATION = RunKind(
    "judge-validation", "a validation of judges", JudgeValidationTask, JudgeValidation, _prepare, _carry_out
)


def agreement_of(validation: JudgeValidation) -> JudgeAgreement:
    """What reports say of the panel."""
    panel = validation.panel
    return JudgeAgreement(
        judges=tuple(sorted(validation.judges)),
        by=validation.by,
        texts=panel.texts,
        pairs=panel.pairs,
        right=panel.right,
        spearman=panel.spearman,
        groups=tuple(validation.groups),
        measured=dt.datetime.now(dt.UTC).date().isoformat(),
        curve=validation.curve,
    )


async def _opinions(models: Models, task: JudgeValidationTask, judge: ModelName) -> JudgeOpinions:
    if task.is_pairwise:
        matches = await run_concurrently(_compared(models, task, pair, judge) for pair in task.pairs)
        failures = sum(bool(match.failure) for both in matches for match in both)
        return JudgeOpinions(judge=judge.short, points=tuple(map(_points, matches)), failures=failures)
    ask = _marked if task.by == RUBRIC else _reviewed
    answers = await run_concurrently(ask(models, each, judge) for each in task.texts)
    failures = sum(failed for _, failed in answers)
    return JudgeOpinions(judge=judge.short, scores=tuple(score for score, _ in answers), failures=failures)


async def _compared(
    models: Models, task: JudgeValidationTask, pair: tuple[int, int], judge: ModelName
) -> tuple[Match, Match]:
    first, second = (task.texts[row] for row in pair)
    return await conduct(models, get_judge(task.by)(Topic(text=topic_of(first)), first.idea, second.idea, judge))


def _points(matches: tuple[Match, Match]) -> float | None:
    """Of the text that is first in the first match, over both orders. None unless both were answered: one order alone
    would hold the judge's liking for a position."""
    forward, reverse = ([_POINTS[each.outcome] for each in match.verdicts] for match in matches)
    if not forward or not reverse:
        return None
    return (sum(forward) / len(forward) + 1 - sum(reverse) / len(reverse)) / 2


async def _marked(models: Models, text: ValidatedText, judge: ModelName) -> tuple[float | None, int]:
    """The share of satisfied items, and whether there was no usable answer."""
    sheet = await conduct(models, mark_by_rubric(Topic(text=topic_of(text)), text.idea, judge))
    if not sheet.marks:
        return None, 1
    return sum(mark.satisfied for mark in sheet.marks) / len(sheet.marks), 0


async def _reviewed(models: Models, text: ValidatedText, judge: ModelName) -> tuple[float | None, int]:
    """The mean rating of as many reports as `novum review` has, and how many were not usable."""
    reports = await run_concurrently(_report(models, text, judge, place) for place in range(len(USUAL_STANCES)))
    ratings = [rating for each in reports if (rating := rating_of(each)) is not None]
    return _mean(ratings), len(reports) - len(ratings)


async def _report(models: Models, text: ValidatedText, judge: ModelName, place: int) -> ReviewerReport:
    idea = text.idea
    if judge.provider.writes_reports:
        subject = ReviewSubject(idea.id, idea.title, idea.summary)
        return await conduct(models, write_free_review(subject, judge, place + 1, place, whole=True))
    return await conduct(models, review_idea(idea, judge, USUAL_STANCES[place], place + 1))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
