"""Building data for a reviewer model: sources read, each paper once, split by time, idea texts made, tables written.

What is large waits in files inside the folder that is being made; what is held is some hundred bytes a paper.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from novum.core.peer_review import REVIEW_SPLITS
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
"""Records between two moments at which Ctrl-C is heard."""
_MOST_SOURCES = 40
"""Files that the card names one by one."""

Fetched = AsyncIterator[Sequence[ReadResult]]
"""Raw papers that come over the network, page by page."""
NumberedPapers = Iterator[tuple[int, RawPaper]]
MakeIdeas = Callable[[NumberedPapers, IdeaTextStore, Callable[[], None]], Awaitable[None]]
"""Makes the idea texts of papers and hears of each that is done."""
RunStep = Callable[[str], AbstractContextManager[object]]
BuildProgress = Callable[[str, int, int], None]
"""Hears what is being done, how many of how many; 0: nobody knows of how many."""


@dataclass(frozen=True)
class Sources:
    """Files and folders, and what is fetched."""

    paths: tuple[Path, ...] = ()
    fetched: tuple[Fetched, ...] = ()


@dataclass(frozen=True)
class BuildPlan:
    """How a set is made and by whom. `ideas_by`: in words, who makes idea texts by `make_ideas`."""

    settings: JudgeDataSettings
    book: PromptBook
    tokens: TokenCounter
    make_ideas: MakeIdeas | None = None
    ideas_by: str = ""
    step: RunStep = nullcontext
    told: BuildProgress = lambda what, done, of: None


async def build_judge_data(sources: Sources, making: BuildPlan, folder: Path, *, force: bool = False) -> JudgeDataCard:
    """Writes the set to `folder`, whole or not at all. Raises BadInput where there is nothing to learn from, or where
    it cannot be written."""
    check_data_set_folder(folder, force=force)
    check_sources(sources.paths)
    if not making.settings.wanted:
        raise BadInput("Only idea tasks are wanted, and nobody is to make idea texts: add --annotate, or --strip.")
    with (
        atomic_folder(folder, FOLDERS) as place,
        ObjectFile(place / ".papers") as papers,
        ObjectFile(place / ".ideas") as texts,
    ):
        gathering = PaperCollector(making.settings, papers)
        with making.step("read"):
            await _gather(sources, gathering, making.told)
        found = gathering.found
        split = _split(found, papers, making.settings)
        ideas = IdeaTextStore(texts)
        with making.step("ideas"):
            await _make_ideas(split, papers, ideas, making)
        with making.step("write"):
            written = await _write(split, papers, found, ideas, making, place)
        card = _card(found, split, ideas, written, making, folder)
        write_card(card, place)
        for name in (".papers", ".ideas"):
            (place / name).unlink()
    return card


async def _gather(sources: Sources, gathering: PaperCollector, told: BuildProgress) -> None:
    for reads in map(read_path, sources.paths):
        while some := list(islice(reads, _AT_ONCE)):
            gathering.take(some)
            told("read", gathering.found.records, 0)
            await asyncio.sleep(0)
    for pages in sources.fetched:
        async for page in pages:
            gathering.take(page)
            told("read", gathering.found.records, 0)


def _split(found: CollectedPapers, papers: ObjectFile, settings: JudgeDataSettings) -> Split:
    kept = without_duplicates(found, papers)[: settings.most]
    split = split_by_time(kept, settings, found.tally) if kept else None
    if split is None or not any(split.papers):
        reasons = "; ".join(f"{number:,} for {why}" for why, number in skipped_by_reason(found.tally, PAPERS).items())
        first = f" The first of them: {found.rejects[0]}" if found.rejects else ""
        raise BadInput(
            f"None of {found.records:,} papers can be learnt from: {reasons or 'the sources hold none'}.{first}"
        )
    return split


async def _make_ideas(split: Split, papers: ObjectFile, ideas: IdeaTextStore, making: BuildPlan) -> None:
    settings, total, done = making.settings, sum(map(len, split.papers)), 0
    if not IDEA_TASKS & set(settings.wanted):
        return

    def one_more() -> None:
        nonlocal done
        done += 1
        making.told("ideas", done, total)

    waiting: NumberedPapers = ((held.place, load_paper(held, papers)) for held in chain.from_iterable(split.papers))
    if making.make_ideas:
        await making.make_ideas(waiting, ideas, one_more)
    else:
        await extract_ideas_by_rules(waiting, ideas, settings.least_abstract, settings.least_words, one_more)


async def _write(
    split: Split, papers: ObjectFile, found: CollectedPapers, ideas: IdeaTextStore, making: BuildPlan, place: Path
) -> WrittenTables:
    settings, total, done = making.settings, sum(map(len, split.papers)), 0

    def one_more() -> None:
        nonlocal done
        done += 1
        if done % _AT_ONCE == 0 or done == total:
            making.told("write", done, total)

    tasks = TaskWriter(making.book, settings.wanted, settings.rating_at, settings.longest_review)
    return await TableWriter(papers, found, ideas, tasks, making.tokens, place).write(split.papers, one_more)


def _card(
    found: CollectedPapers, split: Split, ideas: IdeaTextStore, written: WrittenTables, making: BuildPlan, folder: Path
) -> JudgeDataCard:
    settings = making.settings
    tasks = TaskWriter(making.book, settings.wanted, settings.rating_at, settings.longest_review)
    return JudgeDataCard(
        name=folder.name,
        made=dt.datetime.now(dt.UTC).date().isoformat(),
        novum=installed_version(),
        folder=str(folder),
        sources=_named(found.sources.most_common()),
        settings=settings,
        cutoff=split.cutoff.isoformat(),
        prompts=tasks.digests(),
        ideas_by=_ideas_by(making),
        tokens_by=making.tokens.name,
        records=found.records,
        reviews_read=found.reviews,
        papers=sum(each.papers for each in written.splits),
        reviews=sum(each.reviews for each in written.splits),
        splits=tuple(written.splits),
        venues=venue_counts(written, found),
        lengths={task: quantiles(written.lengths[task]) for task in settings.wanted if task in written.lengths},
        packing=tuple(packing_plan(written.training, length) for length in settings.max_lengths),
        papers_left_out=skipped_by_reason(found.tally, PAPERS),
        reviews_left_out=skipped_by_reason(found.tally, REVIEWS),
        notes=skipped_by_reason(found.tally, NOTES),
        shortened=written.shortened,
        abstracts=ideas.abstracts.told(),
        idea_reviews=ideas.reviews.told(),
        leaks_looked_at=written.leaks_looked_at,
        leaks_by_rules=dict(written.leaks.most_common()),
        rejects=tuple(map(str, found.rejects)),
        files=(*FILES, README, CARD),
    )


def _named(sources: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Sources by name; of a folder with thousands of files, the rest together."""
    listed = list(sources)
    rest = sum(records for _, records in listed[_MOST_SOURCES:])
    return dict(listed[:_MOST_SOURCES]) | ({f"{len(listed) - _MOST_SOURCES:,} more files": rest} if rest else {})


def _ideas_by(making: BuildPlan) -> str:
    if not IDEA_TASKS & set(making.settings.wanted):
        return "none were made; the idea tasks are left out"
    return making.ideas_by or "sentences that tell results were dropped by rules; the others stand as they were written"


__all__ = ["REVIEW_SPLITS", "BuildPlan", "Sources", "build_judge_data"]
