"""The library, data sets, trained models, and stored runs."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Unpack

from novum.api.judging import Ideas, ideas_from
from novum.api.running import (
    RUN_ONLY,
    OpenWorkplace,
    RunOptions,
    SettingOptions,
    opened,
    split_options,
    synchronous,
)
from novum.core import Subject
from novum.core.trained import Kind
from novum.idea_metrics.saved_models import DEFAULT, load_model
from novum.integrations.zotero.writing import ZoteroExport, export_ideas
from novum.ledger import Ledger, RunRecord
from novum.literature import Filters, Hit, Library
from novum.literature.fetching.gathering import GatheringResult
from novum.literature.sources import Search
from novum.literature.zotero.place import ZoteroPlace
from novum.literature.zotero.reading import ZoteroReport
from novum.runs.engine import ensure_library, settings_of, settings_to_resume
from novum.runs.engine import replay as replay_run
from novum.runs.engine import resume as resume_run
from novum.runs.kinds import entry_of
from novum.runs.library import FilesResult, add_files, add_from_sources, add_from_zotero
from novum.settings import load_settings
from novum.training.ideas.card import IdeaDataCard, IdeaDataSettings
from novum.training.ideas.data_set import IdeaDataTask, make_idea_set
from novum.training.ideas.data_set import check_place as check_idea_folder
from novum.training.launching.session import TrainingOptions, check_folder, prepare_training
from novum.training.launching.session import train as train_session
from novum.training.preferences.data_set import PreferenceTask, make_preference_set
from novum.training.preferences.files import check_place as check_preference_folder
from novum.training.preferences.records import PreferenceCard, PreferenceSettings
from novum.training.report.records import TrainingReport
from novum.training.reviews.card import JudgeDataCard
from novum.training.reviews.durable import JudgeDataTask, make_judge_data
from novum.training.reviews.settings import JudgeDataSettings


@asynccontextmanager
async def library_async(**settings: Unpack[SettingOptions]) -> AsyncIterator[Library]:
    """The library of the settings, opened: `async with novum.library_async() as library: await library.search("…")`. An
    empty library gets the starter papers."""
    async with opened(settings) as place:
        ensure_library(place.workplace)
        yield place.workplace.library


@contextmanager
def library(**settings: Unpack[SettingOptions]) -> Iterator[Library]:
    """The library of the settings, opened: `with novum.library() as library: library.size()`. Its searches are
    asynchronous: `novum.search` is the synchronous form."""
    context = library_async(**settings)
    with asyncio.Runner() as runner:
        opened_library = runner.run(context.__aenter__())
        try:
            yield opened_library
        finally:
            runner.run(context.__aexit__(None, None, None))


async def search_async(
    text: str,
    k: int = 10,
    *,
    since: dt.date | None = None,
    before: dt.date | None = None,
    **settings: Unpack[SettingOptions],
) -> list[Hit]:
    """The `k` papers of the library that fit a text best, by words and by embeddings. `since`, `before`: days of
    publication."""
    async with library_async(**settings) as papers:
        return await papers.search(text, k, Filters(since=since, before=before))


async def import_papers_async(*files: str | Path, **settings: Unpack[SettingOptions]) -> FilesResult:
    """Imports the papers of files and folders into the library: JSONL, BibTeX, RIS, NBIB, CSL-JSON, DBLP, OpenAlex,
    Semantic Scholar; also gzipped. The result has a report for each file, and the reasons why others were not read."""
    async with opened(settings) as place:
        return await add_files(place.workplace, [Path(file) for file in files])


async def add_papers_async(
    topic: str,
    count: int = 100,
    *,
    since: dt.date | None = None,
    before: dt.date | None = None,
    steps: int = 0,
    **settings: Unpack[SettingOptions],
) -> GatheringResult:
    """Adds `count` papers on a topic to the library from the setting `sources` (by default OpenAlex and arXiv).

    `steps`: how often the citations of the papers found so far are followed. Raises SourceError when all services fail.
    """
    search = Search(text=topic, since=since, before=before, limit=count)
    async with opened(settings) as place:
        return await add_from_sources(place.workplace, search, steps=steps)


async def add_zotero_async(
    place: str = "zotero:", *, full_texts: bool = False, steps: int = 0, **settings: Unpack[SettingOptions]
) -> ZoteroReport:
    """Adds a library or collection of Zotero: `zotero:`, `zotero:COLLECTION`, `zotero:groups/ID`. Later calls add what
    changed. With ZOTERO_API_KEY in the environment it is read at zotero.org, else from Zotero on this computer.
    `full_texts`: also the texts of files that Zotero indexed. `steps`: how often citations are followed, from services.
    Raises BadInput, SourceError."""
    async with opened(settings) as workplace:
        named = ZoteroPlace.read(place)
        return await add_from_zotero(workplace.workplace, named, full_texts=full_texts, steps=steps)


async def build_reviews_async(
    reviews: Sequence[str | Path],
    out: str | Path,
    *,
    annotator: str = "",
    checker: str = "",
    force: bool = False,
    data_settings: JudgeDataSettings | None = None,
    **options: Unpack[RunOptions],
) -> JudgeDataCard:
    """Builds a data set for reviewer models from real reviews. `out`: the folder to write.

    `reviews`: files, folders, and `openreview:VENUE`. `data_settings`: what the set contains; with `ideas="model"` a
    model writes the idea texts (`annotator`) and another checks them (`checker`), as a run that can be resumed.
    `force`: replace an existing set.
    """
    async with opened(options) as place:
        settings = place.workplace.settings
        task = JudgeDataTask(
            sources=tuple(map(str, reviews)), folder=str(out), settings=data_settings or JudgeDataSettings(),
            force=force, annotator=str(settings.model_named(annotator)) if annotator else "",
            checker=str(settings.model_named(checker)) if checker else "",
        )  # fmt: skip
        return await make_judge_data(place.workplace, task, place.listeners, fresh=place.fresh)


async def build_preferences_async(
    out: str | Path,
    *,
    ideas: Ideas = (),
    ideas_only: bool = False,
    metrics: str = DEFAULT,
    since: dt.date | None = None,
    before: dt.date | None = None,
    fields: Sequence[str] = (),
    pair_settings: PreferenceSettings | None = None,
    parquet: bool = False,
    force: bool = False,
    **settings: Unpack[SettingOptions],
) -> PreferenceCard:
    """Builds a data set of preferences: pairs of ideas on one topic of which one scores higher. Calls no model.

    The pairs are of papers of the library (`since`, `before`, `fields`) and of `ideas`. `metrics`: the fitted model
    that scores. `pair_settings`: how pairs are made. `out`: the folder to write; `force`: replace an existing set.
    """
    subjects = [Subject.of_idea(idea) for idea in ideas_from(ideas)] if ideas else []
    filters = Filters(since=since, before=before, fields=tuple(fields))
    check_preference_folder(Path(out), force=force, parquet=parquet)
    async with opened(settings) as place:
        workplace = place.workplace
        ensure_library(workplace)
        model = load_model(metrics, workplace.settings.metrics_folder, workplace.library.embedder)
        how = pair_settings or PreferenceSettings(seed=workplace.settings.values.seed)
        task = PreferenceTask(Path(out), how, filters, subjects, ideas_only, parquet, force)
        return await make_preference_set(workplace, model, task)


async def build_ideas_async(
    out: str | Path,
    *,
    data_settings: IdeaDataSettings | None = None,
    force: bool = False,
    **settings: Unpack[SettingOptions],
) -> IdeaDataCard:
    """Builds a data set for idea models: a request for an idea on a topic, and a paper's title and abstract. Calls no
    model. `data_settings`: years, fields, topics and splits. `out`: the folder to write; `force`: replace an existing
    set."""
    check_idea_folder(Path(out), force=force)
    async with opened(settings) as place:
        workplace = place.workplace
        ensure_library(workplace)
        how = data_settings or IdeaDataSettings(seed=workplace.settings.values.seed)
        return await make_idea_set(workplace, IdeaDataTask(Path(out), how, force))


async def train_async(
    data: str | Path,
    out: str | Path,
    *,
    kind: Kind = "judge",
    recipe: str = "cpu",
    name: str | None = None,
    base: str | None = None,
    overrides: Sequence[str] = (),
    seed: int | None = None,
    max_minutes: float | None = None,
    resume: bool = False,
    home: str | Path = "",
) -> TrainingReport | None:
    """Trains a model in processes of its own, and registers it as `judge:NAME` or `local:NAME`. `kind`: `judge`, on a
    data set of `build_reviews`; `sft`, on one of `build_ideas`; `dpo`, on one of `build_preferences`, with the model of
    phase 1 as `base`. `overrides`: settings of the recipe as `key=value`. The same call resumes a training that
    stopped."""
    models = load_settings({"home": str(home)} if home else {}).models_folder
    options = TrainingOptions(recipe, name, base, overrides, seed, resume=resume, kind=kind)
    session = prepare_training(Path(data), Path(out), models, options, max_minutes=max_minutes)
    check_folder(session.folder, session.job)
    return await asyncio.to_thread(train_session, session)


async def resume_async(run_id: str, *, force: bool = False, **options: Unpack[RunOptions]) -> Any:
    """Continues a stored run of any kind and returns its outcome; `last` is the newest run. Settings given here, such
    as a larger budget, replace those that the run was started with. `force`: also when another process seems to work
    on it."""
    async with _of_run(run_id, options, settings_to_resume) as (place, record):
        return await resume_run(entry_of(record).load(), place.workplace, record.id, place.listeners, force=force)


async def replay_async(run_id: str, **settings: Unpack[SettingOptions]) -> Any:
    """The outcome of a stored run of any kind, as far as it came. Calls no model."""
    async with _of_run(run_id, settings) as (place, record):
        return await replay_run(entry_of(record).load(), place.workplace, record.id)


async def export_to_zotero_async(
    run_id: str, to: str = "zotero:", *, with_papers: bool = False, **settings: Unpack[SettingOptions]
) -> ZoteroExport:
    """Writes the ideas of a stored run of `ideate` to Zotero, a note for each, with ZOTERO_API_KEY of the environment.
    `to`: `zotero:`, `zotero:COLLECTION` or `zotero:groups/ID/COLLECTION`. `with_papers`: also items for the papers that
    Zotero does not have. Repeating it creates nothing twice. Raises BadInput, SourceError."""
    async with _of_run(run_id, settings) as (place, record):
        outcome = await replay_run(entry_of(record).load(), place.workplace, record.id)
        return await export_ideas(place.workplace, outcome, record.id, to, with_papers=with_papers)


@asynccontextmanager
async def _of_run(
    run_id: str, given: Mapping[str, Any], own: Callable[[RunRecord], dict[str, Any]] = settings_of
) -> AsyncIterator[tuple[OpenWorkplace, RunRecord]]:
    """A workplace opened with the settings of a stored run, and its record."""
    overrides, _ = split_options({name: each for name, each in given.items() if name not in RUN_ONLY}, ())
    with Ledger.open(load_settings(overrides).ledger_place) as ledger:
        record = ledger.run(run_id)
    async with opened(own(record) | dict(given)) as place:
        yield place, record


search = synchronous(search_async)
add_papers = synchronous(add_papers_async)
add_zotero = synchronous(add_zotero_async)
export_to_zotero = synchronous(export_to_zotero_async)
import_papers = synchronous(import_papers_async)
build_ideas = synchronous(build_ideas_async)
build_preferences = synchronous(build_preferences_async)
build_reviews = synchronous(build_reviews_async)
train = synchronous(train_async)
resume = synchronous(resume_async)
replay = synchronous(replay_async)

__all__ = [
    "add_papers", "add_papers_async", "add_zotero", "add_zotero_async", "build_ideas", "build_ideas_async",
    "build_preferences", "build_preferences_async",
    "build_reviews", "build_reviews_async", "export_to_zotero", "export_to_zotero_async", "import_papers",
    "import_papers_async", "library", "library_async", "replay", "replay_async", "resume", "resume_async", "search",
    "search_async", "train", "train_async",
]  # fmt: skip
