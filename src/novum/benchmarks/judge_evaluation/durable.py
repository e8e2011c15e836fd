"""Evaluations of judges as durable runs: models review papers, and their reviews are compared with real outcomes.

    async with Workplace(load_settings()) as workplace:
        task, remarks = evaluation_task(workplace.settings, Wanted("judge", judges=("openai:gpt-5.5",)))
        run = await start(JUDGE_EVALUATION, workplace, task)

Answers are in the ledger; the papers are read from the data set again, which must still be what it was.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from novum.benchmarks.judge_evaluation.data import EvaluationSet, read_set
from novum.benchmarks.judge_evaluation.expected_ratings import rated_reviewers
from novum.benchmarks.judge_evaluation.notes import notes_of
from novum.benchmarks.judge_evaluation.protocol import Working
from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun
from novum.benchmarks.judge_evaluation.task import AskedReviewer, JudgeEvaluationTask, Split
from novum.benchmarks.judge_evaluation.text_similarity import EMBEDDER
from novum.core import Account
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.llm import ModelName
from novum.llm.offline.trained import find_trained, trained
from novum.runs.engine import (
    NOT_FINISHED,
    RunHeader,
    RunKind,
    SessionResult,
    account_of,
    check_models,
    iso,
    replayed_account,
    stored_outcome,
)
from novum.runs.replay import open_for_replay
from novum.settings import LoadedSettings
from novum.training.weights.libraries import need_libraries


@dataclass(frozen=True)
class Wanted:
    """What a user asks for. `judges`, `decider`, `compare_by`: `provider:model`; `base`: the untuned model that a
    trained judge is held against, where it is not the one that its files name."""

    data: str
    judges: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    base: str = ""
    split: Split = "test"
    papers: int | None = None
    idea_texts: bool = False
    reports: int = 3
    decider: str = ""
    compare_by: str = ""


def evaluation_task(settings: LoadedSettings, wanted: Wanted) -> tuple[JudgeEvaluationTask, tuple[str, ...]]:
    """What is to be done, and what a user should know of it before it begins. Raises BadInput for a set that cannot be
    used, for a name that is none, and without the libraries that --expected needs."""
    if wanted.expected:
        need_libraries()
    folder = Path(wanted.data).resolve()
    given = read_set(folder, wanted.split, wanted.papers, ideas=wanted.idea_texts)
    asked, told = _asked(settings, wanted)
    task = JudgeEvaluationTask(
        data=str(folder),
        digest=given.digest,
        split=wanted.split,
        papers=wanted.papers,
        idea_texts=wanted.idea_texts,
        asked=asked,
        rated=rated_reviewers([_place_of(settings, name) for name in wanted.expected]),
        reports=wanted.reports,
        decider=_model(settings, wanted.decider),
        compare_by=_model(settings, wanted.compare_by),
        seed=settings.values.seed,
    )
    return task, told


async def _prepare(workplace: Workplace, task: JudgeEvaluationTask) -> RunHeader[JudgeEvaluationTask]:
    await check_models(workplace, map(ModelName.parse, task.models))
    names = [ModelName.parse(each.model).short for each in task.asked] + [each.name for each in task.rated]
    return RunHeader(
        f"{', '.join(names[:3]) or 'baselines'} on {Path(task.data).name}",
        {
            "split": task.split, "papers": task.papers, "reports": task.reports, "judges": [*names],
            "decider": task.decider or None, "compared by": task.compare_by or None,
        },
    )  # fmt: skip


async def _carry_out(lab: Lab, record: RunRecord, task: JudgeEvaluationTask) -> SessionResult[JudgeEvaluationRun]:
    given = await asyncio.to_thread(_set_of, task)
    working = Working(task, given, lab.run, lab.models, lab.prompts, lab.settings.models_folder)
    found = await _outcome(working, record)
    offline = bool(task.models) and all(ModelName.parse(name).provider.name == "offline" for name in task.models)
    account = (await account_of(lab, record)).model_copy(update={"models": _roles(task), "demonstration": offline})
    run = found.model_copy(update={"account": account, "ended": iso(time.time())})
    return SessionResult(run, stopped=working.stopped, count=len(found.papers))


async def _replay(workplace: Workplace, record: RunRecord, task: JudgeEvaluationTask) -> JudgeEvaluationRun:
    """The outcome stored with a finished evaluation; else what there is."""
    if record.status == "finished":
        return stored_outcome(JUDGE_EVALUATION, record)
    given = await asyncio.to_thread(_set_of, task)
    run, models = open_for_replay(workplace, record)
    working = Working(task, given, run, models, workplace.prompts, workplace.settings.models_folder, still=True)
    account = replayed_account(workplace.ledger, record).model_copy(update={"models": _roles(task)})
    found = await _outcome(working, record, account)
    stopped = (record.reason or NOT_FINISHED) if working.stopped else ""
    return found.model_copy(update={"stopped": stopped, "ended": iso(record.updated)})


JUDGE_EVALUATION = RunKind(
    "judge-evaluation", "an evaluation of judges", JudgeEvaluationTask, JudgeEvaluationRun,
    _prepare, _carry_out, _replay,
)  # fmt: skip


def _set_of(task: JudgeEvaluationTask) -> EvaluationSet:
    """Raises BadInput where the set is no longer what it was."""
    given = read_set(Path(task.data), task.split, task.papers, ideas=task.idea_texts)
    if given.digest != task.digest:
        raise BadInput(
            f"The set {task.data} has changed since this run began, and its answers are on other papers. Begin a new "
            "run: what was answered is used again."
        )
    return given


async def _outcome(working: Working, record: RunRecord, account: Account | None = None) -> JudgeEvaluationRun:
    """Everything but when it ended."""
    task, given = working.task, working.given
    reviewers, taught = await working.carry_out()
    return JudgeEvaluationRun(
        name=record.id,
        data=given.name,
        cutoff=given.cutoff,
        split=task.split,
        idea_texts=task.idea_texts,
        reports=task.reports,
        decider=ModelName.parse(task.decider).short if task.decider else "",
        compared_by=ModelName.parse(task.compare_by).short if task.compare_by else "",
        papers=tuple(each.outcome for each in given.judged),
        left_out=given.left_out,
        training=taught,
        embedder=EMBEDDER,
        text_papers=working.text_papers,
        reviewers=reviewers,
        seed=task.seed,
        began=iso(record.started),
        stopped=working.stopped,
        notes=tuple(notes_of(task, given, reviewers)),
        account=account,
    )


def _asked(settings: LoadedSettings, wanted: Wanted) -> tuple[tuple[AskedReviewer, ...], tuple[str, ...]]:
    """Models and trained reviewers, each of these followed by its base."""
    found: dict[tuple[str, str], AskedReviewer] = {}
    told: list[str] = []
    for name in wanted.judges:
        model = settings.model_named(name)
        if not model.provider.writes_reports:
            _add(found, AskedReviewer(model=str(model), kind="model"))
            continue
        _add(found, AskedReviewer(model=str(model), kind="trained"))
        base = wanted.base or _base_of(model.model, settings)
        if _can_be_asked(base):
            _add(found, AskedReviewer(model=str(settings.model_named(base)), kind="base", of=(str(model),)))
        else:
            told.append(
                f"{model.short}: its base {base or 'is not known and'} is not asked beside it. Serve it and name it, "
                "--base server:NAME@http://HOST:PORT/v1."
            )
    return tuple(found.values()), tuple(told)


def _add(found: dict[tuple[str, str], AskedReviewer], reviewer: AskedReviewer) -> None:
    """Each once; the base of several for all of them."""
    before = found.get(reviewer.key, reviewer)
    found[reviewer.key] = before.model_copy(update={"of": tuple(dict.fromkeys((*before.of, *reviewer.of)))})


def _place_of(settings: LoadedSettings, name: str) -> str:
    """The folder of `judge:NAME`; a folder or a base stays what it is. Raises BadInput for a name of nobody."""
    kind, _, own = name.partition(":")
    return find_trained(own, settings.models_folder).folder if kind == "judge" else name


def _base_of(name: str, settings: LoadedSettings) -> str:
    """As its training noted it; empty for a model that was trained elsewhere."""
    return next((each.base for each in trained(settings.models_folder) if each.name == name), "")


def _can_be_asked(base: str) -> bool:
    """A base may also be a folder or a name on a hub, which nobody serves."""
    return base.startswith("offline:") or "@http" in base


def _model(settings: LoadedSettings, name: str) -> str:
    """Of who decides or compares. Raises BadInput for one that does neither."""
    if not name:
        return ""
    model = settings.model_named(name)
    if model.provider.writes_reports:
        raise BadInput(
            f"{model.short} was trained to write reports, and does nothing else: name another model for that."
        )
    return str(model)


def _roles(task: JudgeEvaluationTask) -> dict[str, str]:
    """The models that took part, by their roles."""
    parts = {
        "judges": ", ".join(ModelName.parse(each.model).short for each in task.asked),
        "decision": ModelName.parse(task.decider).short if task.decider else "",
        "comparison": ModelName.parse(task.compare_by).short if task.compare_by else "",
    }
    return {role: name for role, name in parts.items() if name}
