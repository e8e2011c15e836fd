"""Build training data for a reviewer model: read sources, use each paper once, split by time, make idea texts, write
tables.

Large objects are stored in files inside the new folder; memory holds some hundred bytes for each paper.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from novum.core.version import installed_version
from novum.errors import BadInput
from novum.files.folder import CARD, atomic_folder
from novum.prompts import PromptBook
from novum.training.reviews.annotating import IdeaTextStore, extract_ideas_by_rules
from novum.training.reviews.card import JudgeDataCard, quantiles
from novum.training.reviews.files import FILES, FOLDERS, README, check_data_set_folder, write_card
from novum.training.reviews.gathering import (
    CollectedPapers,
    PaperCollector,
    load_paper,
    skipped_by_reason,
    without_duplicates,
)
from novum.training.reviews.lengths import TokenCounter
from novum.training.reviews.object_file import ObjectFile
from novum.training.reviews.packing import packing_plan
from novum.training.reviews.raw import RawPaper
from novum.training.reviews.readers.reading import ReadResult, check_sources, read_path
from novum.training.reviews.screening import NOTES, PAPERS, REVIEWS
from novum.training.reviews.settings import IDEA_TASKS, JudgeDataSettings
from novum.training.reviews.splitting import Split, split_by_time
from novum.training.reviews.tables import TableWriter, WrittenTables, venue_counts
from novum.training.reviews.tasks import TaskWriter

_AT_ONCE = 100
"""Records between two moments at which Ctrl-C takes effect."""
_MOST_SOURCES = 40
"""Most files that the card names."""

Fetched = AsyncIterator[Sequence[ReadResult]]
"""Raw papers from a network service, page by page."""
NumberedPapers = Iterator[tuple[int, RawPaper]]
MakeIdeas = Callable[[NumberedPapers, IdeaTextStore, Callable[[], None]], Awaitable[None]]
"""Makes the idea texts of papers, stores them, and calls the function after each paper."""
RunStep = Callable[[str], AbstractContextManager[object]]
BuildProgress = Callable[[str, int, int], None]
"""Called with a step (`read`, `ideas`, `write`), the number done, and the total, 0 if unknown."""


@dataclass(frozen=True)
class Sources:
    """Files and folders, and pages that are fetched."""

    paths: tuple[Path, ...] = ()
    fetched: tuple[Fetched, ...] = ()


@dataclass(frozen=True)
class BuildPlan:
    """How a data set is built. `ideas_by`: the origin of idea texts, in words for the card."""

    settings: JudgeDataSettings
    book: PromptBook
    tokens: TokenCounter
    make_ideas: MakeIdeas | None = None
    ideas_by: str = ""
    step: RunStep = nullcontext
    progress: BuildProgress = lambda step, done, total: None


async def build_judge_data(sources: Sources, plan: BuildPlan, folder: Path, *, force: bool = False) -> JudgeDataCard:
    """Writes the data set to `folder`, whole or not at all. Raises BadInput when no paper can be used, or the folder
    cannot be written."""
    check_data_set_folder(folder, force=force)
    check_sources(sources.paths)
    if not plan.settings.available_tasks:
        raise BadInput("Only idea tasks are selected, and idea texts are not made: add --annotate or --strip.")
    with (
        atomic_folder(folder, FOLDERS) as place,
        ObjectFile(place / ".papers") as papers,
        ObjectFile(place / ".ideas") as texts,
    ):
        collector = PaperCollector(plan.settings, papers)
        with plan.step("read"):
            await _gather(sources, collector, plan.progress)
        collected = collector.collected
        split = _split(collected, papers, plan.settings)
        ideas = IdeaTextStore(texts)
        with plan.step("ideas"):
            await _make_ideas(split, papers, ideas, plan)
        with plan.step("write"):
            written = await _write(split, papers, collected, ideas, plan, place)
        card = _card(collected, split, ideas, written, plan, folder)
        write_card(card, place)
        for name in (".papers", ".ideas"):
            (place / name).unlink()
    return card


async def _gather(sources: Sources, collector: PaperCollector, progress: BuildProgress) -> None:
    for reads in map(read_path, sources.paths):
        while some := list(islice(reads, _AT_ONCE)):
            collector.take(some)
            progress("read", collector.collected.records, 0)
            await asyncio.sleep(0)
    for pages in sources.fetched:
        async for page in pages:
            collector.take(page)
            progress("read", collector.collected.records, 0)


def _split(collected: CollectedPapers, papers: ObjectFile, settings: JudgeDataSettings) -> Split:
    usable = without_duplicates(collected, papers)[: settings.most]
    split = split_by_time(usable, settings, collected.tally) if usable else None
    if split is None or not any(split.papers):
        reasons = "; ".join(
            f"{number:,} for {why}" for why, number in skipped_by_reason(collected.tally, PAPERS).items()
        )
        first = f" First reject: {collected.rejects[0]}" if collected.rejects else ""
        raise BadInput(
            f"None of {collected.records:,} papers can be used: {reasons or 'the sources have none'}.{first}"
        )
    return split


async def _make_ideas(split: Split, papers: ObjectFile, ideas: IdeaTextStore, plan: BuildPlan) -> None:
    settings, total, done = plan.settings, sum(map(len, split.papers)), 0
    if not IDEA_TASKS & set(settings.available_tasks):
        return

    def one_more() -> None:
        nonlocal done
        done += 1
        plan.progress("ideas", done, total)

    waiting: NumberedPapers = (
        (stored.place, load_paper(stored, papers)) for stored in chain.from_iterable(split.papers)
    )
    if plan.make_ideas:
        await plan.make_ideas(waiting, ideas, one_more)
    else:
        await extract_ideas_by_rules(waiting, ideas, settings.least_abstract, settings.least_words, one_more)


async def _write(
    split: Split, papers: ObjectFile, collected: CollectedPapers, ideas: IdeaTextStore, plan: BuildPlan, place: Path
) -> WrittenTables:
    settings, total, done = plan.settings, sum(map(len, split.papers)), 0

    def one_more() -> None:
        nonlocal done
        done += 1
        if done % _AT_ONCE == 0 or done == total:
            plan.progress("write", done, total)

    tasks = TaskWriter(plan.book, settings.available_tasks, settings.rating_at, settings.longest_review)
    return await TableWriter(papers, collected, ideas, tasks, plan.tokens, place).write(split.papers, one_more)


def _card(
    collected: CollectedPapers, split: Split, ideas: IdeaTextStore, written: WrittenTables, plan: BuildPlan,
    folder: Path,
) -> JudgeDataCard:  # fmt: skip
    settings = plan.settings
    tasks = TaskWriter(plan.book, settings.available_tasks, settings.rating_at, settings.longest_review)
    return JudgeDataCard(
        name=folder.name,
        made=dt.datetime.now(dt.UTC).date().isoformat(),
        novum=installed_version(),
        folder=str(folder),
        sources=_named(collected.sources.most_common()),
        settings=settings,
        cutoff=split.cutoff.isoformat(),
        prompts=tasks.digests(),
        ideas_by=_ideas_by(plan),
        tokens_by=plan.tokens.name,
        records=collected.records,
        reviews_read=collected.reviews,
        papers=sum(each.papers for each in written.splits),
        reviews=sum(each.reviews for each in written.splits),
        splits=tuple(written.splits),
        venues=venue_counts(written, collected),
        lengths={
            task: quantiles(written.lengths[task]) for task in settings.available_tasks if task in written.lengths
        },
        packing=tuple(packing_plan(written.training, length) for length in settings.max_lengths),
        papers_left_out=skipped_by_reason(collected.tally, PAPERS),
        reviews_left_out=skipped_by_reason(collected.tally, REVIEWS),
        notes=skipped_by_reason(collected.tally, NOTES),
        shortened=written.shortened,
        abstracts=ideas.abstracts.rates(),
        idea_reviews=ideas.reviews.rates(),
        leaks_looked_at=written.leaks_looked_at,
        leaks_by_rules=dict(written.leaks.most_common()),
        rejects=tuple(map(str, collected.rejects)),
        files=(*FILES, README, CARD),
    )


def _named(sources: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Records by source; of a folder with thousands of files, the rest in one entry."""
    listed = list(sources)
    rest = sum(records for _, records in listed[_MOST_SOURCES:])
    return dict(listed[:_MOST_SOURCES]) | ({f"{len(listed) - _MOST_SOURCES:,} more files": rest} if rest else {})


def _ideas_by(plan: BuildPlan) -> str:
    if not IDEA_TASKS & set(plan.settings.available_tasks):
        return "none; the idea tasks are omitted"
    return plan.ideas_by or "sentences with results were dropped by rules; the others are unchanged"
