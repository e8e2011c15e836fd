"""Build training data for a reviewer model. If a model writes its idea texts, this is a durable run.

    async with Workplace(load_settings()) as workplace:
        card = await make_judge_data(workplace, JudgeDataTask(sources=("reviews.jsonl",), folder="judge"))

A run stores responses, not sources: resuming reads the sources again and asks only for what is missing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from novum.core.record import Value
from novum.errors import BadInput
from novum.lab import Lab, Workplace, open_source, source_client
from novum.ledger import RunRecord
from novum.ledger.run import Listener
from novum.literature.entry import Reject
from novum.literature.importing.record import UnusableRecord
from novum.literature.services.client import SourceClient
from novum.literature.sources.openreview import OpenReview
from novum.literature.sources.openreview_reviews import ReviewedPage
from novum.llm import ModelName, ModelRoles
from novum.prompts import PromptBook
from novum.runs.engine import RunHeader, RunKind, SessionResult, check_models, start
from novum.settings import LoadedSettings
from novum.training.reviews.annotating import IdeaTextStore, annotate_papers
from novum.training.reviews.annotation import Annotator
from novum.training.reviews.building import BuildPlan, BuildProgress, NumberedPapers, RunStep, Sources, build_judge_data
from novum.training.reviews.card import JudgeDataCard
from novum.training.reviews.files import check_data_set_folder
from novum.training.reviews.lengths import token_counter
from novum.training.reviews.raw import RawPaper
from novum.training.reviews.readers.openreview import of_submission
from novum.training.reviews.readers.reading import ReadResult, check_sources
from novum.training.reviews.settings import JudgeDataSettings

FETCHED = "openreview:"
"""Prefix of a source that is fetched, as in `openreview:ICLR 2024`."""
_NO_VENUE = (
    "OpenReview lists no submission there. Venues up to 2022 or so answer at https://api.openreview.net alone, by "
    "their whole invitation: set that as the source's address, or name a file of reviews"
)


class JudgeDataTask(Value):
    """One data set. `sources`: files, folders, and `openreview:VENUE`."""

    sources: tuple[str, ...]
    folder: str
    settings: JudgeDataSettings = JudgeDataSettings()
    annotator: str = ""
    """Model that writes idea texts, `provider:model`; empty: the reader. Used only if `settings.ideas` is `model`."""
    checker: str = ""
    """Model that checks them for leaks; empty: the first judge."""
    tokenizer: str = ""
    force: bool = False

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(Path(source) for source in self.sources if not source.startswith(FETCHED))

    @property
    def venues(self) -> tuple[str, ...]:
        """Venues that are fetched."""
        return tuple(source.removeprefix(FETCHED).strip() for source in self.sources if source.startswith(FETCHED))


async def make_judge_data(
    workplace: Workplace, task: JudgeDataTask, listeners: Sequence[Listener] = (), *, fresh: bool = False,
    progress: BuildProgress = lambda step, done, total: None,
) -> JudgeDataCard:  # fmt: skip
    """Builds the data set, as a durable run if a model writes idea texts. The same task again resumes a stopped run.

    Raises as `build_judge_data` and `novum.runs.engine.start` do, and SourceError when OpenReview cannot be reached.
    """
    if task.settings.ideas == "model":
        return await start(JUDGE_DATA, workplace, task, listeners, fresh=fresh)
    _check_files(task)
    return await _make(workplace.settings, task, _plan(workplace.prompts, task, progress=progress))


def _check_files(task: JudgeDataTask) -> None:
    check_data_set_folder(Path(task.folder), force=task.force)
    check_sources(task.paths)


async def _prepare(workplace: Workplace, task: JudgeDataTask) -> RunHeader[JudgeDataTask]:
    _check_files(task)
    await check_models(workplace, _annotators(workplace.model_settings.roles, task))
    names = ", ".join(Path(source).name for source in task.sources[:3])
    return RunHeader(f"idea texts of {names}", task.settings.model_dump(mode="json"), task=_absolute(task))


def _absolute(task: JudgeDataTask) -> JudgeDataTask:
    """With absolute paths: the run may be resumed from another folder."""
    sources = (each if each.startswith(FETCHED) else str(Path(each).resolve()) for each in task.sources)
    return task.model_copy(update={"sources": tuple(sources), "folder": str(Path(task.folder).resolve())})


async def _carry_out(lab: Lab, record: RunRecord, task: JudgeDataTask) -> SessionResult[JudgeDataCard]:
    card = await _make(lab.settings, task, _plan(lab.prompts, task, lab))
    return SessionResult(card, count=card.abstracts.kept)


JUDGE_DATA = RunKind("judge-data", "a data set of reviews", JudgeDataTask, JudgeDataCard, _prepare, _carry_out)


def _plan(
    prompts: PromptBook,
    task: JudgeDataTask,
    lab: Lab | None = None,
    progress: BuildProgress = lambda step, done, total: None,
) -> BuildPlan:
    tokens = token_counter(Path(task.tokenizer) if task.tokenizer else None)
    if lab is None:
        return BuildPlan(task.settings, prompts, tokens, progress=progress)
    writer, checker = _annotators(lab.models.settings.roles, task)
    who = Annotator(writer, checker, task.settings.tries)

    async def make_ideas(papers: NumberedPapers, ideas: IdeaTextStore, done: Callable[[], None]) -> None:
        await annotate_papers(lab.models, papers, ideas, who, done)

    words = f"written by {writer.short} without results, checked by rules and by {checker.short}"
    return BuildPlan(task.settings, prompts, tokens, make_ideas, words, _steps(lab), progress)


def _steps(lab: Lab) -> RunStep:
    @contextmanager
    def step(name: str) -> Iterator[None]:
        with lab.run.step(name):
            yield

    return step


def _annotators(roles: ModelRoles, task: JudgeDataTask) -> tuple[ModelName, ModelName]:
    """The model that writes idea texts, and the one that checks them."""
    return (
        ModelName.parse(task.annotator) if task.annotator else roles.reader,
        ModelName.parse(task.checker) if task.checker else roles.judges[0],
    )


async def _make(settings: LoadedSettings, task: JudgeDataTask, plan: BuildPlan) -> JudgeDataCard:
    folder = Path(task.folder)
    if not task.venues:
        return await build_judge_data(Sources(task.paths), plan, folder, force=task.force)
    source = open_source(settings, "openreview")
    if not isinstance(source, OpenReview):
        raise BadInput("The configured source openreview gives no reviews: name files instead.")
    async with source_client(settings) as client:
        fetched = tuple(_fetch(client, source, venue) for venue in task.venues)
        return await build_judge_data(Sources(task.paths, fetched), plan, folder, force=task.force)


async def _fetch(client: SourceClient, source: OpenReview, venue: str) -> AsyncIterator[Sequence[ReadResult]]:
    anything = False
    async for page in client.pages(source, source.reviewed(venue)):
        if isinstance(page, ReviewedPage):
            results = _read_page(page, venue)
            anything = anything or bool(results)
            yield results
    if not anything:
        yield [Reject(file=f"{FETCHED}{venue}", line=0, reason=_NO_VENUE)]


def _read_page(page: ReviewedPage, venue: str) -> list[ReadResult]:
    """Submissions with their reviews, and rejects. A submission that the literature source rejects, such as a withdrawn
    one, may be readable here and is then no reject."""
    papers = {entry.paper.ids.openreview: entry.paper for entry in page.entries}
    results: list[ReadResult] = []
    for submission in page.reviews:
        try:
            raw = of_submission(submission, papers.get(submission.forum))
        except UnusableRecord:  # without a title, or deleted; it is among the rejects
            continue
        raw.source = f"{FETCHED}{venue}"
        results.append(raw)
    read = {raw.ids["openreview"] for raw in results if isinstance(raw, RawPaper)}
    unread = (reject for reject in page.rejects if reject.reason.partition(":")[0] not in read)
    return results + [reject.model_copy(update={"file": f"{FETCHED}{venue}"}) for reject in unread]
