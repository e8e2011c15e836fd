"""Build a data set of next-idea prediction as a durable run.

    async with Workplace(load_settings()) as workplace:
        card = await start(NEXT_IDEA_DATA, workplace, NextIdeaTask(folder="tasks"))

Every answer of a model is in the ledger before it is used: resuming builds the records again and asks only for what is
missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.core.research_context import NextIdeaRecord
from novum.core.version import installed_version
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.reading.live_library import LiveLibrary
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models, ensure_library
from novum.training.next_idea.data.building import (
    TargetOutcome,
    context_numbers,
    records_of_target,
    split_numbers,
)
from novum.training.next_idea.data.card import NextIdeaCard
from novum.training.next_idea.data.files import check_next_idea_folder, write_next_ideas
from novum.training.next_idea.data.settings import NextIdeaSettings
from novum.training.next_idea.data.splitting import with_splits
from novum.training.next_idea.data.targets import choose_targets, distinct_targets
from novum.training.reviews.lengths import TokenCounter, token_counter


class NextIdeaTask(Value):
    """One data set. `tokenizer`: a `tokenizer.json` that counts tokens; empty: characters divided by 4."""

    folder: str
    settings: NextIdeaSettings = NextIdeaSettings()
    tokenizer: str = ""
    force: bool = False


async def _prepare(workplace: Workplace, task: NextIdeaTask) -> RunHeader[NextIdeaTask]:
    check_next_idea_folder(Path(task.folder), force=task.force)
    _counter(task)
    ensure_library(workplace)
    targets = distinct_targets(choose_targets(workplace.library, task.settings))
    await check_models(workplace, [workplace.model_settings.roles.reader])
    # The targets are fixed at the start: papers that live sources add meanwhile must not change them.
    settled = task.settings.model_copy(update={"targets": tuple(paper.id for paper in targets)})
    stored = task.model_copy(update={"folder": _absolute(task.folder), "settings": settled})
    options = task.settings.model_dump(mode="json", exclude={"targets"}) | {"targets": len(targets)}
    return RunHeader(f"next-idea tasks of {len(targets)} papers", options, task=stored)


async def _carry_out(lab: Lab, record: RunRecord, task: NextIdeaTask) -> SessionResult[NextIdeaCard]:
    lab = lab.going_on()
    if lab.live:
        lab = replace(lab, library=LiveLibrary(lab.library.stored, lab.run, lab.live))
    counter = _counter(task)
    targets = lab.library.get_many(task.settings.targets)
    outcomes = await run_concurrently(
        records_of_target(lab, paper, task.settings, _count(counter)) for paper in targets
    )
    records = with_splits([each for outcome in outcomes for each in outcome.records], task.settings)
    card = await _card(lab, record, task, counter, records, outcomes)
    if not records:
        reasons = "; ".join(f"{number} because {why}" for why, number in card.skipped.items())
        raise BadInput(f"No target could be used: {reasons}. Nothing was written.")
    write_next_ideas(records, card, Path(task.folder), force=True)  # checked when the run was prepared
    return SessionResult(card, count=len(records))


NEXT_IDEA_DATA = RunKind(
    "next-idea-data", "a data set of next-idea tasks", NextIdeaTask, NextIdeaCard, _prepare, _carry_out
)


def _absolute(folder: str) -> str:
    return str(Path(folder).resolve())  # the run may be resumed from another folder


def _counter(task: NextIdeaTask) -> TokenCounter:
    return token_counter(Path(task.tokenizer) if task.tokenizer else None)


def _count(counter: TokenCounter) -> Callable[[str], int]:
    return lambda text: counter.count([text])[0]


async def _card(
    lab: Lab, record: RunRecord, task: NextIdeaTask, counter: TokenCounter, records: Sequence[NextIdeaRecord],
    outcomes: Sequence[TargetOutcome],
) -> NextIdeaCard:  # fmt: skip
    first = [outcome.records[0] for outcome in outcomes if outcome.records]
    return NextIdeaCard(
        made=datetime.now(UTC).date().isoformat(),
        novum=installed_version(),
        folder=task.folder,
        settings=task.settings,
        tokens_by=counter.name,
        splits=split_numbers(records),
        contexts=context_numbers(records),
        relations=dict(Counter(each.kind for one in first for each in one.context.relations)),
        signals=dict(Counter(each.kind for one in first for each in one.context.signals)),
        skipped=dict(Counter(outcome.skipped for outcome in outcomes if outcome.skipped).most_common()),
        resolved=sum(one.references.resolved for one in first),
        unresolved=sum(one.references.cited - one.references.resolved for one in first),
        leaks=dict(Counter(each.why for one in first for each in one.leaks).most_common()),
        account=await account_of(lab, record),
    )
