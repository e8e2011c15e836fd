"""Evaluations of reviewers as durable runs: models review papers, and their reviews are compared with real outcomes.

    async with Workplace(load_settings()) as workplace:
        task, remarks = evaluation_task(workplace.settings, Wanted("judge", judges=("openai:gpt-5.5",)))
        run = await start(JUDGE_EVALUATION, workplace, task)

Responses are in the ledger. The papers are read from the data set again, which must not have changed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from novum.benchmarks.judge_evaluation.data import MAX_TEXT_PAPERS, EvaluationSet, read_set
from novum.benchmarks.judge_evaluation.expected_ratings import expected_rating_reviewers
from novum.benchmarks.judge_evaluation.protocol import EvaluationSession
from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun, Reviewer
from novum.benchmarks.judge_evaluation.task import JudgeEvaluationTask, PromptedReviewer, Split
from novum.benchmarks.judge_evaluation.text_similarity import EMBEDDER
from novum.core import Account
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.llm import ModelName
from novum.llm.offline.trained import find_trained, trained_models
from novum.reports.phrases import count
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
class JudgeEvaluationOptions:
    """The options of an evaluation. `judges`, `decider`, `compare_by`: `provider:model`. `base`: the untuned model that
    a trained reviewer is compared with, where it is not the one named in its files."""

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


def evaluation_task(
    settings: LoadedSettings, options: JudgeEvaluationOptions
) -> tuple[JudgeEvaluationTask, tuple[str, ...]]:
    """The task, and remarks for the user.

    Raises BadInput for a data set that cannot be used, an unknown name, and missing libraries of `expected`.
    """
    if options.expected:
        need_libraries()
    folder = Path(options.data).resolve()
    given = read_set(folder, options.split, options.papers, ideas=options.idea_texts)
    prompted, remarks = _prompted(settings, options)
    task = JudgeEvaluationTask(
        data=str(folder),
        digest=given.digest,
        split=options.split,
        papers=options.papers,
        idea_texts=options.idea_texts,
        asked=prompted,
        rated=expected_rating_reviewers([_place_of(settings, name) for name in options.expected]),
        reports=options.reports,
        decider=_model(settings, options.decider),
        compare_by=_model(settings, options.compare_by),
        seed=settings.values.seed,
    )
    return task, remarks


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
    session = EvaluationSession(task, given, lab.run, lab.models, lab.prompts, lab.settings.models_folder)
    run = await _outcome(session, record)
    offline = bool(task.models) and all(ModelName.parse(name).provider.name == "offline" for name in task.models)
    account = (await account_of(lab, record)).model_copy(update={"models": _roles(task), "demonstration": offline})
    run = run.model_copy(update={"account": account, "ended": iso(time.time())})
    return SessionResult(run, stopped=session.stopped, count=len(run.papers))


async def _replay(workplace: Workplace, record: RunRecord, task: JudgeEvaluationTask) -> JudgeEvaluationRun:
    """The stored outcome of a finished evaluation; else what is recorded so far."""
    if record.status == "finished":
        return stored_outcome(JUDGE_EVALUATION, record)
    given = await asyncio.to_thread(_set_of, task)
    replayed, models = open_for_replay(workplace, record)
    session = EvaluationSession(
        task, given, replayed, models, workplace.prompts, workplace.settings.models_folder, replay=True
    )
    account = replayed_account(workplace.ledger, record).model_copy(update={"models": _roles(task)})
    run = await _outcome(session, record, account)
    stopped = (record.reason or NOT_FINISHED) if session.stopped else ""
    return run.model_copy(update={"stopped": stopped, "ended": iso(record.updated)})


JUDGE_EVALUATION = RunKind(
    "judge-evaluation", "an evaluation of reviewers", JudgeEvaluationTask, JudgeEvaluationRun,
    _prepare, _carry_out, _replay,
)  # fmt: skip


def _set_of(task: JudgeEvaluationTask) -> EvaluationSet:
    """The data set of the task. Raises BadInput where it has changed."""
    given = read_set(Path(task.data), task.split, task.papers, ideas=task.idea_texts)
    if given.digest != task.digest:
        raise BadInput(
            f"The set {task.data} has changed since the run was started, and its reviews are on other papers. "
            "Start a new run: recorded responses are used again."
        )
    return given


async def _outcome(session: EvaluationSession, record: RunRecord, account: Account | None = None) -> JudgeEvaluationRun:
    """The outcome without its end time."""
    task, given = session.task, session.given
    reviewers, training = await session.carry_out()
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
        training=training,
        embedder=EMBEDDER,
        text_papers=session.text_papers,
        reviewers=reviewers,
        seed=task.seed,
        began=iso(record.started),
        stopped=session.stopped,
        notes=tuple(notes_of(task, given, reviewers)),
        account=account,
    )


def _prompted(
    settings: LoadedSettings, options: JudgeEvaluationOptions
) -> tuple[tuple[PromptedReviewer, ...], tuple[str, ...]]:
    """Prompted models, with a base after each trained reviewer; and remarks on bases that cannot be prompted."""
    reviewers: dict[tuple[str, str], PromptedReviewer] = {}
    remarks: list[str] = []
    for name in options.judges:
        model = settings.model_named(name)
        if not model.provider.writes_reports:
            _add(reviewers, PromptedReviewer(model=str(model), kind="model"))
            continue
        _add(reviewers, PromptedReviewer(model=str(model), kind="trained"))
        base = options.base or _base_of(model.model, settings)
        if _can_be_prompted(base):
            _add(reviewers, PromptedReviewer(model=str(settings.model_named(base)), kind="base", of=(str(model),)))
        else:
            remarks.append(
                f"{model.short}: its base {base or 'is not known and'} is not evaluated with it. Serve it and name it: "
                "--base server:NAME@http://HOST:PORT/v1."
            )
    return tuple(reviewers.values()), tuple(remarks)


def _add(reviewers: dict[tuple[str, str], PromptedReviewer], reviewer: PromptedReviewer) -> None:
    """Adds each reviewer once; a base of several reviewers belongs to all of them."""
    before = reviewers.get(reviewer.key, reviewer)
    reviewers[reviewer.key] = before.model_copy(update={"of": tuple(dict.fromkeys((*before.of, *reviewer.of)))})


def _place_of(settings: LoadedSettings, name: str) -> str:
    """The folder of `judge:NAME`; a folder or base unchanged. Raises BadInput for an unknown name."""
    kind, _, own = name.partition(":")
    return find_trained(own, settings.models_folder).folder if kind == "judge" else name


def _base_of(name: str, settings: LoadedSettings) -> str:
    """The base as recorded at training; empty for a model that was trained elsewhere."""
    return next((each.base for each in trained_models(settings.models_folder) if each.name == name), "")


def _can_be_prompted(base: str) -> bool:
    """Whether the base is served: it may also be a folder or a name on a hub."""
    return base.startswith("offline:") or "@http" in base


def _model(settings: LoadedSettings, name: str) -> str:
    """The model that decides or compares. Raises BadInput for a model that can do neither."""
    if not name:
        return ""
    model = settings.model_named(name)
    if model.provider.writes_reports:
        raise BadInput(f"{model.short} was trained to write reports only: name another model for this.")
    return str(model)


def _roles(task: JudgeEvaluationTask) -> dict[str, str]:
    """The models that took part, by role."""
    parts = {
        "judges": ", ".join(ModelName.parse(each.model).short for each in task.asked),
        "decision": ModelName.parse(task.decider).short if task.decider else "",
        "comparison": ModelName.parse(task.compare_by).short if task.compare_by else "",
    }
    return {role: name for role, name in parts.items() if name}


_FEW_PAPERS = 100
"""Papers below which intervals are as wide as most differences between reviewers."""


def notes_of(task: JudgeEvaluationTask, given: EvaluationSet, reviewers: Sequence[Reviewer]) -> Iterator[str]:
    """Remarks on the limits of the numbers."""
    judged = given.judged
    if len(judged) < _FEW_PAPERS:
        yield f"Only {count(len(judged), 'paper')}: intervals are wide, and most differences are not significant."
    groups = sorted({each.outcome.group for each in judged})
    if len(groups) > 1:
        yield f"The papers are of {len(groups)} venues and years; ranks are compared within each."
    decided = [each.outcome.accepted for each in judged if each.outcome.accepted is not None]
    if not decided:
        yield "No decision is known: decisions cannot be evaluated."
    elif len(set(decided)) == 1:
        yield "All papers have the same decision: decisions cannot be evaluated."
    if undecided := len(judged) - len(decided):
        yield f"{count(undecided, 'paper')} neither accepted nor rejected, and left out of all figures on decisions."
    with_words = sum(bool(each.reviews) for each in judged)
    if not with_words:
        yield "The data set has no review texts: texts are not compared."
    elif with_words > MAX_TEXT_PAPERS:
        yield f"Texts are compared on {MAX_TEXT_PAPERS} papers, chosen by hash."
    prompted = [each for each in reviewers if each.kind in {"model", "trained", "base"}]
    if prompted and not task.idea_texts:
        yield (
            "Reviewers see title and abstract; the real reviewers saw the whole paper. A model whose training data "
            f"reach past {given.cutoff} may know the paper or its outcome."
        )
    elif prompted:
        yield "Reviewers see ideas without results; the real reviewers saw the whole paper, results included."
    for each in prompted:
        if each.kind == "model" and task.compare_by and each.name.split("@")[0] in task.compare_by:
            yield f"{each.name} also compares reports, including its own."
