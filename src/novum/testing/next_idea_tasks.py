"""Invented next-idea tasks of a few words each, for training a tiny policy: the words of one field are near the truth.

A task of which a policy can learn something for others: the truths share a field, and no task tells its own truth.
"""

from __future__ import annotations

import datetime as dt
import random
from pathlib import Path

from novum.core.account import Account
from novum.core.research_context import (
    EncodedContext,
    NextIdeaRecord,
    NextIdeaSplit,
    PaperIdea,
    ReferenceCounts,
    ResearchContext,
    ResearchSignal,
)
from novum.testing.tiny_policy import write_tiny_policy
from novum.training.next_idea.data.building import context_numbers, split_numbers
from novum.training.next_idea.data.card import NextIdeaCard
from novum.training.next_idea.data.files import write_next_ideas
from novum.training.next_idea.data.settings import NextIdeaSettings

_FIELD = "protein enzyme membrane genome cell receptor antibody tissue mutation bacteria"
_ELSEWHERE = (
    "court contract kitchen oven violin harbor tariff tractor poem carpet novel senate bridge ladder bakery garden "
    "medal wagon pencil tunnel"
)
FIELD, OTHERS = tuple(_FIELD.split()), tuple(_ELSEWHERE.split())


def invented_task(number: int, split: NextIdeaSplit) -> NextIdeaRecord:
    """One task, drawn by its number."""
    draw = random.Random(number)  # noqa: S311  not for secrets
    words = draw.sample(FIELD, 6)
    signals = tuple(
        ResearchSignal(kind="insight", text=" ".join(draw.sample(FIELD, 3)), paper_ids=("a", "b")) for _ in range(2)
    )
    return NextIdeaRecord(
        target_id=f"target-{number}",
        target_title=f"Invented target {number}",
        target_date=dt.date(2025, 1, 1) + dt.timedelta(days=number % 1000),
        category="invented",
        split=split,
        context=ResearchContext(signals=signals),
        encoded=EncodedContext(text=" ".join(draw.sample(FIELD + OTHERS, 8)), tokens=8),
        truth=PaperIdea(
            paper_id=f"target-{number}", title="", problem=" ".join(words), approach=" ".join(words[:3]),
            contribution=words[0],
        ),
        references=ReferenceCounts(cited=0, resolved=0),
    )  # fmt: skip


def write_invented_tasks(folder: Path, training: int = 24, held_out: int = 12, *, first: int = 0) -> Path:
    """A data set of invented tasks in `folder`. `first`: number of the first one; other numbers are other tasks."""
    records = [invented_task(first + number, "train") for number in range(training)]
    records += [invented_task(first + training + number, "validation") for number in range(held_out)]
    card = NextIdeaCard(
        made="", novum="", folder=str(folder), settings=NextIdeaSettings(), tokens_by="words",
        splits=split_numbers(records), contexts=context_numbers(records), relations={}, signals={}, skipped={},
        unresolved=0, resolved=0, leaks={},
        account=Account(run_id="", novum_version="", started="", seconds=0, models={}),
    )  # fmt: skip
    write_next_ideas(records, card, folder, force=True)
    return folder


def write_invented_policy(folder: Path, seed: int = 0) -> Path:
    """A policy whose words are those of the invented tasks, drawn by chance. Needs the extra `train`."""
    return write_tiny_policy(folder, [" ".join(FIELD + OTHERS)], seed=seed)


QUICK = (
    "lora=false", "lengths.response=8", "lengths.prompt=200", "grpo.tasks=4", "grpo.mini_batch=4",
    "grpo.generations=16", "grpo.rows=64", "grpo.learning_rate=0.004", "held_out.tasks=12", "held_out.samples=8",
    "held_out.times=2", "keeping.every=1000",
)  # fmt: skip
"""Changes to the recipe `cpu` with which such a policy learns in a minute or two."""
