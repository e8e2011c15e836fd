"""Evaluate models on next-idea tasks, as a durable run.

    async with Workplace(load_settings()) as workplace:
        evaluation = await start(NEXT_IDEA_EVALUATION, workplace, EvaluationTask(data="tasks", models=…, judges=…))

All models write in the same workflow: the context, a first idea, comments by the same comment model, improved ideas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import JsonValue

from novum.core import RubricSheet, Topic, shorten
from novum.core.concurrency import run_concurrently
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.literature import Filters
from novum.llm import ModelName
from novum.methods.deep_innovator.refining import EpisodeTask, play_episode, version_of
from novum.methods.deep_innovator.sources import context_papers
from novum.reading.research_context.building import context_of_papers
from novum.reading.research_context.encoding import encode_context
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models, seed_of
from novum.runs.judge import Contest, ContestRates, IdeaPair, judge_contest, rubric_sheets, shares_of_sheets
from novum.statistics.win_rates import panel_win_shares
from novum.training.next_idea.data.files import open_next_ideas
from novum.training.next_idea.evaluation.records import (
    ALL,
    Comparison,
    DomainTopic,
    Evaluation,
    EvaluationTask,
    ModelIdea,
    ModelRubric,
    StepGain,
    ideas_of,
)

_BACKGROUND = 1_900
"""Characters of a context that judges see as the topic."""


@dataclass(frozen=True)
class _Context:
    id: str
    category: str
    text: str
    topic: str
    """What the writer is told besides the context; empty for tasks of a data set."""
    background: Topic


async def _prepare(workplace: Workplace, task: EvaluationTask) -> RunHeader[EvaluationTask]:
    if task.data and not open_next_ideas(Path(task.data)).records(task.split):
        raise BadInput(f"{task.data} has no tasks in the split {task.split}: choose another with --split.")
    if not task.data and not task.topics:
        raise BadInput("Name a data set of `novum data build next-idea`, or topics with --out-of-domain or --topic.")
    models, judges = ([ModelName.parse(name) for name in names] for names in (task.models, task.judges))
    await check_models(workplace, [*models, *judges])
    stored = task.model_copy(update={"data": _absolute(task.data) if task.data else ""})
    options: dict[str, JsonValue] = {
        "models": [each.short for each in models],
        "judges": [each.short for each in judges],
        "rounds": task.rounds,
    }
    title = f"next-idea evaluation of {models[0].short}"
    return RunHeader(title, options, settings={"judges": list(task.judges)}, task=stored)


async def _carry_out(lab: Lab, record: RunRecord, task: EvaluationTask) -> SessionResult[Evaluation]:
    lab = lab.going_on()
    contexts = await _contexts(lab, task)
    names = list(dict.fromkeys(ModelName.parse(each).short for each in task.models))
    with lab.run.step("ideas"):
        written = await run_concurrently(
            _idea(lab, context, ModelName.parse(model), task) for model in task.models for context in contexts
        )
    ideas = [each for each in written if each is not None]
    if not ideas_of(ideas, names[0]):
        raise BadInput(f"{names[0]} wrote no usable idea for any context: look at the calls of run {record.id}.")
    backgrounds = {each.id: each.background.text for each in contexts}
    contests = await run_concurrently(
        judge_contest(lab, contest, task.judges) for contest in _contests(ideas, names, backgrounds)
    )
    sheets = await rubric_sheets(lab, [each.final for each in ideas], task.judges)
    evaluation = Evaluation(
        subject=names[0],
        models=tuple(names),
        judges=tuple(ModelName.parse(each).short for each in task.judges),
        ideas=tuple(ideas),
        missing={name: len(contexts) - len(ideas_of(ideas, name)) for name in names},
        rubric=tuple(_rubric(ideas, sheets, names)),
        comparisons=tuple(_comparisons(ideas, contests, names)),
        gains=tuple(_gains(contests)),
        contests=tuple(contests),
        sheets=tuple(sheets),
        failures=sum(each.failures for each in contests) + sum(bool(each.failure) for each in sheets),
        forms=task.forms,
        pairs=task.pairs,
        seed=seed_of(record),
        account=await account_of(lab, record),
    )
    return SessionResult(evaluation, count=len(ideas))


NEXT_IDEA_EVALUATION = RunKind(
    "next-idea-evaluation", "an evaluation on next-idea tasks", EvaluationTask, Evaluation, _prepare, _carry_out
)


async def _contexts(lab: Lab, task: EvaluationTask) -> list[_Context]:
    records = open_next_ideas(Path(task.data)).records(task.split)[: task.most] if task.data else []
    of_data = [
        _Context(each.id, each.category, each.encoded.text, "", _background(each.encoded.text)) for each in records
    ]
    with lab.run.step("contexts"):
        of_topics = await run_concurrently(_topic_context(lab, each, task.papers) for each in task.topics)
    found = [*of_data, *(each for each in of_topics if each)]
    if not found:
        raise BadInput("The library knows nothing about these topics: `novum library add TOPIC` fetches papers.")
    return found


def _background(context: str) -> Topic:
    return Topic(text=shorten(" ".join(context.split()), _BACKGROUND))


async def _topic_context(lab: Lab, given: DomainTopic, papers: int) -> _Context | None:
    topic = Topic(text=given.topic)
    found = await context_papers(lab, topic, papers, max(2, papers // 4), Filters())
    if not found.all:
        return None
    context = await context_of_papers(lab.models, lab.library, found.all)
    return _Context(topic.id, given.category, encode_context(context).text, topic.text, topic)


async def _idea(lab: Lab, context: _Context, model: ModelName, task: EvaluationTask) -> ModelIdea | None:
    """The idea of one model for one context; None where it wrote none."""
    own = replace(lab, models=lab.models.written_by(model))
    episode = await play_episode(
        own, EpisodeTask(context.topic, context.text, task.rounds, small_prompts=task.small_prompts)
    )
    if not episode.ideas:
        return None
    versions = tuple(version_of(each, context.background, "") for each in episode.ideas)
    return ModelIdea(
        model=model.short, context_id=context.id, category=context.category, versions=versions, ended=episode.ended
    )


def _contests(ideas: Sequence[ModelIdea], names: Sequence[str], topics: dict[str, str]) -> list[Contest]:
    """The subject against each other model, then every model's later versions against its first ones."""
    subject = {each.context_id: each for each in ideas_of(ideas, names[0])}
    contests = []
    for other in names[1:]:
        pairs = [
            IdeaPair(topic=topics[each.context_id], subject=subject[each.context_id].final, baseline=each.final)
            for each in ideas_of(ideas, other)
            if each.context_id in subject
        ]
        contests += [Contest(subject=names[0], baseline=other, pairs=tuple(pairs))] if pairs else []
    for name in names:
        own = ideas_of(ideas, name)
        for step in range(1, max((len(each.versions) for each in own), default=0)):
            pairs = [
                IdeaPair(topic=topics[each.context_id], subject=each.versions[step], baseline=each.versions[0])
                for each in own
                if len(each.versions) > step
            ]
            contests.append(Contest(subject=f"{name} step {step + 1}", baseline=f"{name} step 1", pairs=tuple(pairs)))
    return contests


def _rubric(ideas: Sequence[ModelIdea], sheets: Sequence[RubricSheet], names: Sequence[str]) -> list[ModelRubric]:
    categories = [ALL, *dict.fromkeys(each.category for each in ideas)]
    return [
        ModelRubric(
            model=name, category=category,
            shares=shares_of_sheets([each.final for each in ideas_of(ideas, name, category)], sheets),
        )
        for name in names
        for category in categories
        if ideas_of(ideas, name, category)
    ]  # fmt: skip


def _comparisons(
    ideas: Sequence[ModelIdea], contests: Sequence[ContestRates], names: Sequence[str]
) -> list[Comparison]:
    """Shares over all categories, and over each. The judged pairs of a contest are numbered by their contexts."""
    own = {each.context_id for each in ideas_of(ideas, names[0])}
    found = []
    for contest in contests:
        if contest.subject != names[0]:
            continue
        paired = [each for each in ideas_of(ideas, contest.baseline) if each.context_id in own]
        category = {f"{number}.": each.category for number, each in enumerate(paired, 1)}
        for name in (ALL, *dict.fromkeys(category.values())):
            judged = [each for each in contest.bouts if name in (ALL, category[each.topic.split(" ")[0]])]
            shares = panel_win_shares(judged, contest.subject, contest.baseline)
            found.append(Comparison(opponent=contest.baseline, category=name, shares=shares))
    return found


def _gains(contests: Sequence[ContestRates]) -> list[StepGain]:
    found = []
    for contest in contests:
        model, mark, step = contest.subject.rpartition(" step ")
        if mark:
            found.append(StepGain(model=model, step=int(step), shares=contest.shares))
    return found


def _absolute(folder: str) -> str:
    return str(Path(folder).resolve())
