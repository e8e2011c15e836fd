"""LiveIdeaBench as durable runs.

    async with Workplace(load_settings()) as workplace:
        run = await start(LIVEIDEA, workplace, LiveIdeaTask(models=…, keywords=…, panel=…, addresses=…))

The calls of a run in the ledger are enough to make all of its records anew: the records are not stored a second time.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from novum.benchmarks.liveidea.client import SessionFailures
from novum.benchmarks.liveidea.context_papers import PaperSearch
from novum.benchmarks.liveidea.panel import models_without_judge
from novum.benchmarks.liveidea.protocol import Measurement
from novum.benchmarks.liveidea.published import published_prompts, published_texts
from novum.benchmarks.liveidea.records import Effort, JudgeAssignment, LiveIdeaProtocol, LiveIdeaRun
from novum.benchmarks.liveidea.task import LiveIdeaTask
from novum.core import Account, Paper
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord, Share
from novum.literature import Filters, Library
from novum.llm import ModelName, Models
from novum.prompts import PromptBook
from novum.prompts.published import sha256_of
from novum.reports.phrases import count
from novum.runs.engine import (
    NOT_FINISHED,
    RunHeader,
    RunKind,
    SessionResult,
    account_of,
    check_models,
    ensure_library,
    iso,
    replayed_account,
    seed_of,
)
from novum.runs.replay import open_for_replay

_NAMED = 3
"""Models at most that the title of a run names."""
_COMPARABLE = 2
"""Ideas that a keyword needs for fluency."""


async def _prepare(workplace: Workplace, task: LiveIdeaTask) -> RunHeader[LiveIdeaTask]:
    _check_panel(task)
    hashes = _prompt_hashes(workplace, task.protocol)
    await check_models(workplace, map(ModelName.parse, (*task.models, *task.judges)))
    if task.protocol.papers:
        ensure_library(workplace)
        await workplace.library.index()  # papers that cannot be embedded are found before anything is spent
    names = [ModelName.parse(name).short for name in task.models]
    models = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} models"
    protocol = task.protocol.model_copy(update={"prompt_hashes": hashes})
    return RunHeader(
        f"{models} on {count(len(task.keywords), 'keyword')}",
        protocol.model_dump(mode="json", exclude={"prompt_hashes"}),
        "liveideabench",
        {"writer": task.models[0], "reader": task.models[0], "judges": [*task.judges]},
        task=task.model_copy(update={"protocol": protocol}),
    )


def _check_panel(task: LiveIdeaTask) -> None:
    """Raises BadInput where no judge of the panel may judge any model."""
    models = [ModelName.parse(name).short for name in task.models]
    if task.panel.judges and len(models_without_judge(task.panel, models)) < len(models):
        return
    raise BadInput(
        f"No idea could be judged: no model judges its own ideas, and the panel has nobody but {', '.join(models)}. "
        "Name another judge: --judge PROVIDER:MODEL."
    )


def _prompt_hashes(workplace: Workplace, protocol: LiveIdeaProtocol) -> dict[str, str]:
    """SHA-256 of each prompt of a run by name. Raises BadInput where published prompts are wanted and not installed."""
    if protocol.prompts == "published":
        texts = published_texts(workplace.settings.protocols_folder, protocol)
        return {name: sha256_of(text) for name, text in texts.items()}
    names = ["liveidea_idea", "liveidea_judge", "liveidea_fluency"]
    names += ["liveidea_judge_informed"] if protocol.papers else []
    return {name: sha256_of(workplace.prompts.get(name).source) for name in names}


def _note_on_prompts(prompts: PromptBook, protocol: LiveIdeaProtocol) -> tuple[str, ...]:
    """A sentence where Novum's prompts are no longer those that the run began with."""
    if protocol.prompts == "published":
        return ()  # their hashes never change
    began = protocol.prompt_hashes.items()
    changed = [name for name, digest in began if sha256_of(prompts.get(name).source) != digest]
    if not changed:
        return ()
    return (f"The prompts {', '.join(changed)} have changed since this run began: its answers may be to other words.",)


def _models(models: Models, folder: Path, protocol: LiveIdeaProtocol) -> Models:
    """The models of a run, at its temperature and with the prompts that it sends."""
    models = models.at_temperature(protocol.temperature)
    if protocol.prompts == "novum":
        return models
    return models.with_prompts(published_prompts(published_texts(folder, protocol), protocol))


async def _carry_out(lab: Lab, record: RunRecord, task: LiveIdeaTask) -> SessionResult[LiveIdeaRun]:
    if task.protocol.papers:
        await lab.library.stored.index()
    models = _models(lab.models, lab.settings.protocols_folder, task.protocol)
    search = _paper_search(lab.library.stored, task)
    measurement = Measurement.of(task, models, lab.run, lab.settings.values.seed, search)
    await measurement.carry_out()
    shares = await lab.run.ledger.shares(record.id)
    account = _account(task, await account_of(lab, record))
    stopped = measurement.client.stopped
    run = _gathered(measurement, record, shares, account, stopped, time.time(), lab.prompts)
    in_ledger = {"ideas": (), "judgements": (), "anchor_judgements": (), "informed": ()}  # call by call
    return SessionResult(run, run.model_copy(update=in_ledger), stopped, len(measurement.ideas))


async def _replay(workplace: Workplace, record: RunRecord, task: LiveIdeaTask) -> LiveIdeaRun:
    run, models = open_for_replay(workplace, record)
    models = _models(models, workplace.settings.protocols_folder, task.protocol)
    measurement = Measurement.of(task, models, run, seed_of(record))
    await measurement.replay(SessionFailures.of_last_session(workplace.ledger.events(record.id)))
    stopped = (record.reason or NOT_FINISHED) if measurement.client.stopped else ""
    account = _account(task, replayed_account(workplace.ledger, record))
    shares = await workplace.ledger.shares(record.id)
    return _gathered(measurement, record, shares, account, stopped, record.updated, workplace.prompts)


LIVEIDEA = RunKind(
    "liveidea", "a measurement of models", LiveIdeaTask, LiveIdeaRun, _prepare, _carry_out, _replay,
    task_key="assignment", continues_finished=True,
)  # fmt: skip
"""Resuming also a finished run asks again for what a model failed to answer."""


def _gathered(
    measurement: Measurement,
    record: RunRecord,
    shares: Sequence[Share],
    account: Account,
    stopped: str,
    ended: float,
    prompts: PromptBook,
) -> LiveIdeaRun:
    task = measurement.task
    panel = task.panel
    return LiveIdeaRun(
        name=record.id,
        protocol=task.protocol,
        panel=tuple(
            JudgeAssignment(model=each.model, organisation=each.organisation, score=each.score) for each in panel.judges
        ),
        passed_over=panel.passed_over,
        panel_wanted=panel.wanted,
        lost=measurement.client.lost_judges(set(measurement.judges)),
        seed=measurement.seed,
        began=iso(record.started),
        ended=iso(ended),
        models=tuple(measurement.models),
        keywords=task.keywords,
        keywords_dated=task.keywords_dated,
        ideas=tuple(measurement.ideas),
        judgements=tuple(measurement.judgements),
        anchors=task.anchors.name if task.anchors else "",
        anchor_judgements=tuple(measurement.anchor_judgements),
        informed=tuple(measurement.informed),
        effort=effort_of(shares),
        stopped=stopped,
        notes=(*notes_of(measurement), *_note_on_prompts(prompts, task.protocol)),
        account=account,
    )


def effort_of(shares: Sequence[Share]) -> tuple[Effort, ...]:
    """What each model took in each role."""
    efforts: dict[tuple[str, str], Effort] = {}
    for share in shares:
        role = "ideas" if share.prompt.startswith("liveidea_idea") else "judging"
        model = ModelName.parse(share.model).short
        known = efforts.get((model, role), Effort(model=model, role=role))
        counted = share.model_dump(exclude={"model", "prompt"})
        added = {name: getattr(known, name) + value for name, value in counted.items()}
        efforts[model, role] = known.model_copy(update=added)
    return tuple(efforts[place] for place in sorted(efforts))


def notes_of(measurement: Measurement) -> tuple[str, ...]:
    """What did not succeed, in sentences."""
    notes = [f"{model} got no more requests: {why}" for model, why in sorted(measurement.client.lost.items())]
    panel = measurement.task.panel
    if panel.short:
        notes.append(
            f"The panel has {count(len(panel.judges), 'judge')} instead of {panel.wanted}: nobody else is eligible."
        )
    if measurement.task.protocol.ideas < _COMPARABLE:
        notes.append("One idea for a keyword leaves nothing to compare: no fluency, so no flexibility and no average.")
    unjudged = sum(not each.judge for each in measurement.judgements)
    if unjudged:
        notes.append(f"{unjudged:,} ideas or pairs have no judge: nobody of the panel may judge them.")
    if measurement.papers is not None and (without := measurement.papers.ideas_without_papers):
        notes.append(f"The library has no paper for {count(without, 'idea')}: judged once only.")
    return tuple(notes)


def _paper_search(library: Library, task: LiveIdeaTask) -> PaperSearch:
    filters = Filters(before=task.papers_before)

    async def search(text: str) -> list[Paper]:
        hits = await library.search(text, task.protocol.papers, filters)
        return [hit.paper for hit in hits]

    return search


def _account(task: LiveIdeaTask, account: Account) -> Account:
    """The account with the measured models and the judges, in place of the models in the settings."""
    names = [ModelName.parse(name) for name in task.models]
    judges = [judge.model for judge in task.panel.judges]
    models = {"ideas": ", ".join(name.short for name in names), "judges": ", ".join(judges)}
    demonstration = all(name.provider.name == "offline" for name in names)
    return account.model_copy(update={"models": models, "demonstration": demonstration})
