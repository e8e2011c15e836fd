"""Data for a reviewer model, made where models or services may have to be asked; where models are, as a durable run.

    async with Workplace(load_settings()) as place:
        card = await make_judge_data(place, JudgeDataTask(sources=("reviews.jsonl",), folder="judge"))

A run keeps what was asked, not the sources: going on reads them again, and asks only for what had not been answered.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from novum.core.record import Value
from novum.errors import BadInput
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.ledger.run import Listener
from novum.literature.entry import Reject
from novum.literature.importing.record import Unusable
from novum.literature.sources.client import SourceClient
from novum.literature.sources.openreview import OpenReview
from novum.literature.sources.openreview_reviews import ReviewedPage
from novum.llm import ModelName
from novum.runs.durable import Resumable
from novum.runs.engine import JUDGE_DATA, CarryOut, check_models, run_session, settings_to_repeat
from novum.training.reviews.annotating import Ideas, annotate_papers
from novum.training.reviews.annotation import Annotator
from novum.training.reviews.building import Making, Papers, Sources, Step, Told, build_judge_data
from novum.training.reviews.card import JudgeDataCard
from novum.training.reviews.files import check_place
from novum.training.reviews.lengths import counter_for
from novum.training.reviews.raw import RawPaper
from novum.training.reviews.readers.openreview import of_submission
from novum.training.reviews.readers.reading import Read, check_sources
from novum.training.reviews.settings import JudgeDataSettings

FETCHED = "openreview:"
"""How a source begins that is fetched: `openreview:ICLR 2024`."""
_NO_VENUE = (
    "OpenReview lists no submission there. Venues up to 2022 or so answer at https://api.openreview.net alone, by "
    "their whole invitation: set that as the source's address, or name a file of reviews"
)


class JudgeDataTask(Value):
    """What is to be made. `sources`: files, folders, and `openreview:VENUE`."""

    sources: tuple[str, ...]
    folder: str
    settings: JudgeDataSettings = JudgeDataSettings()
    annotator: str = ""
    """Who writes idea texts, `provider:model`; empty: the reader. Asked only with `ideas` by a model."""
    checker: str = ""
    """Who checks them; empty: the first judge."""
    tokenizer: str = ""
    force: bool = False

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(Path(source) for source in self.sources if not source.startswith(FETCHED))

    @property
    def venues(self) -> tuple[str, ...]:
        """That are fetched."""
        return tuple(source.removeprefix(FETCHED).strip() for source in self.sources if source.startswith(FETCHED))


async def make_judge_data(
    workplace: Workplace, task: JudgeDataTask, listeners: Sequence[Listener] = (), *, fresh: bool = False,
    told: Told = lambda what, done, of: None,
) -> JudgeDataCard:  # fmt: skip
    """Makes the set; with an annotator, as a run. Raises as `build_judge_data` and `runs.engine.ideate` do, SourceError
    when OpenReview cannot be asked. The same again goes on where a run stopped: what was answered is used."""
    check_place(Path(task.folder), force=task.force)
    check_sources(task.paths)
    if task.settings.ideas != "model":
        return await _make(workplace, task, _making(workplace, task, told=told))
    await check_models(workplace, _asked(workplace, task))
    names = ", ".join(Path(source).name for source in task.sources[:3])
    record = workplace.ledger.start_run(JUDGE_DATA, f"idea texts of {names}", _params(workplace, task, fresh=fresh))
    return await run_session(workplace, record, listeners, _carrying_out(workplace, task))


async def resume(
    workplace: Workplace, run_id: str, listeners: Sequence[Listener] = (), *, anyway: bool = False
) -> JudgeDataCard:
    """Takes a run up again, its sources being where they were; a finished one is handed back as it was. The workplace
    must be opened with the run's own settings."""
    kind = Resumable(
        JUDGE_DATA, "making of data for reviewers", JudgeDataTask, JudgeDataCard, partial(_carrying_out, workplace)
    )
    return await kind.resume(workplace, run_id, listeners, anyway=anyway)


def _carrying_out(workplace: Workplace, task: JudgeDataTask) -> CarryOut[JudgeDataCard]:
    async def carry_out(lab: Lab, record: RunRecord, began: float) -> JudgeDataCard:
        lab.run.emit("run-began", method=JUDGE_DATA, topic=record.title)
        card = await _make(workplace, task, _making(workplace, task, lab))
        lab.run.emit("run-done", ideas=card.abstracts.kept)
        return card

    return carry_out


def _making(
    workplace: Workplace, task: JudgeDataTask, lab: Lab | None = None, told: Told = lambda what, done, of: None
) -> Making:
    making = Making(
        settings=task.settings,
        book=workplace.prompts,
        tokens=counter_for(Path(task.tokenizer) if task.tokenizer else None),
        told=told,
    )
    if lab is None:
        return making
    writer, checker = _asked(workplace, task)
    who = Annotator(writer, checker, task.settings.tries)

    async def make_ideas(papers: Papers, ideas: Ideas, done: Callable[[], None]) -> None:
        await annotate_papers(lab.models, papers, ideas, who, done)

    words = f"written by {writer.short} without results, looked through by rules and by {checker.short}"
    return Making(making.settings, making.book, making.tokens, make_ideas, words, _steps(lab), told)


def _steps(lab: Lab) -> Step:
    @contextmanager
    def step(name: str) -> Iterator[None]:
        with lab.run.step(name):
            yield

    return step


def _asked(workplace: Workplace, task: JudgeDataTask) -> tuple[ModelName, ModelName]:
    cast = workplace.model_settings.cast
    return (
        ModelName.parse(task.annotator) if task.annotator else cast.reader,
        ModelName.parse(task.checker) if task.checker else cast.judges[0],
    )


def _params(workplace: Workplace, task: JudgeDataTask, *, fresh: bool) -> dict[str, JsonValue]:
    whole = [source if source.startswith(FETCHED) else str(Path(source).resolve()) for source in task.sources]
    kept = task.model_copy(update={"sources": tuple(whole), "folder": str(Path(task.folder).resolve())})
    return {
        "method": JUDGE_DATA,
        "options": task.settings.model_dump(mode="json"),
        "task": kept.model_dump(mode="json"),
        "fresh": fresh,
        "settings": settings_to_repeat(workplace),
    }


async def _make(workplace: Workplace, task: JudgeDataTask, making: Making) -> JudgeDataCard:
    folder = Path(task.folder)
    if not task.venues:
        return await build_judge_data(Sources(task.paths), making, folder, force=task.force)
    source = workplace.source("openreview")
    if not isinstance(source, OpenReview):
        raise BadInput("The source openreview was replaced by one that gives no reviews: name files instead.")
    async with workplace.visitor() as visitor:
        fetched = tuple(_fetched(visitor, source, venue) for venue in task.venues)
        return await build_judge_data(Sources(task.paths, fetched), making, folder, force=task.force)


async def _fetched(visitor: SourceClient, source: OpenReview, venue: str) -> AsyncIterator[Sequence[Read]]:
    anything = False
    async for page in visitor.pages(source, source.reviewed(venue)):
        if isinstance(page, ReviewedPage):
            found = _read_page(page, venue)
            anything = anything or bool(found)
            yield found
    if not anything:
        yield [Reject(file=f"{FETCHED}{venue}", line=0, reason=_NO_VENUE)]


def _read_page(page: ReviewedPage, venue: str) -> list[Read]:
    """Submissions with their reviews. Those that the source of literature turned down are told, unless they can be read
    here: what was withdrawn may have reviews, and screening tells the rest."""
    papers = {entry.paper.ids.openreview: entry.paper for entry in page.entries}
    found: list[Read] = []
    for submission in page.reviews:
        try:
            raw = of_submission(submission, papers.get(submission.forum))
        except Unusable:  # without a title, or deleted, and told among the rejects
            continue
        raw.source = f"{FETCHED}{venue}"
        found.append(raw)
    read = {raw.ids["openreview"] for raw in found if isinstance(raw, RawPaper)}
    told = (reject for reject in page.rejects if reject.reason.partition(":")[0] not in read)
    return found + [reject.model_copy(update={"file": f"{FETCHED}{venue}"}) for reject in told]
