"""A data set of ideas from the papers of a library, written as a folder with a data card."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import json
from dataclasses import dataclass
from pathlib import Path

from novum.core.version import installed_version
from novum.files import folder as data_set_folder
from novum.files.folder import CARD
from novum.lab import Workplace
from novum.literature import Filters
from novum.prompts import Prompt
from novum.reports.phrases import count
from novum.training.ideas.building import BuildProgress, BuiltIdeas, build_rows, collect_papers, ignore_progress
from novum.training.ideas.card import SPLITS, IdeaDataCard, IdeaDataSettings
from novum.training.ideas.card_page import render_idea_card
from novum.training.preferences.files import ABOUT, DATA, README
from novum.training.preferences.rows import PROMPT

WHAT = "a set of ideas"
_SPOOL = ".papers.jsonl"


@dataclass(frozen=True)
class IdeaDataTask:
    """What a data set is made from, and where it is written. `force` replaces a data set that is there."""

    folder: Path
    settings: IdeaDataSettings
    force: bool = False


def check_place(folder: Path, *, force: bool) -> None:
    """Raises BadInput when a data set cannot be written to `folder`, before anything is computed."""
    data_set_folder.check_place(folder, IdeaDataCard, WHAT, force=force)


async def make_idea_set(
    workplace: Workplace, task: IdeaDataTask, progress: BuildProgress = ignore_progress
) -> IdeaDataCard:
    """Writes the data set, whole or not at all.

    Raises BadInput where too few papers can be used, or the folder cannot be written.
    """
    check_place(task.folder, force=task.force)
    return await asyncio.to_thread(_make, workplace, task, progress)


def _make(workplace: Workplace, task: IdeaDataTask, progress: BuildProgress) -> IdeaDataCard:
    settings, prompt = task.settings, workplace.prompts.get(PROMPT)
    filters = Filters(
        since=dt.date(settings.since, 1, 1), before=dt.date(settings.before, 1, 1), fields=settings.fields
    )
    with data_set_folder.atomic_folder(task.folder, (DATA, ABOUT)) as place, contextlib.ExitStack() as stack:
        spool = place / _SPOOL
        with spool.open("wb") as out:
            usable = collect_papers(workplace.library.papers(filters, references=False), settings, out, progress)
        files = [
            (stack.enter_context((place / DATA / f"{split}.jsonl").open("wb")),
             stack.enter_context((place / ABOUT / f"{split}.jsonl").open("wb")))
            for split in SPLITS
        ]  # fmt: skip
        built = build_rows(spool, usable, settings, prompt, files, progress)
        spool.unlink()
        size = workplace.library.size().papers
        card = _card(task, built, prompt, f"a library of {count(size, 'paper')}", len(usable.years))
        text = json.dumps(card.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
        (place / CARD).write_text(text, encoding="utf-8", errors="replace")
        (place / README).write_text(render_idea_card(card), encoding="utf-8", errors="replace")
    return card


def _card(task: IdeaDataTask, built: BuiltIdeas, prompt: Prompt, library: str, usable: int) -> IdeaDataCard:
    sampled = built.fitted_on < usable
    notes = (f"Topics were fitted to {built.fitted_on:,} of {usable:,} papers, sampled by title.",) if sampled else ()
    return IdeaDataCard(
        name=f"Research ideas by topic: {task.folder.name}",
        made=dt.datetime.now(dt.UTC).date().isoformat(),
        novum=installed_version(),
        library=library,
        prompt=f"{prompt.name}, version {prompt.version}, {prompt.digest}",
        settings=task.settings,
        fitted_on=built.fitted_on,
        tried=tuple(built.chosen.tried),
        topics=built.topics,
        splits=built.splits,
        left_out=built.left_out,
        notes=notes,
    )
