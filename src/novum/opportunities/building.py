"""Builds the concept map of a library (concepts, graph and forecast) and stores it beside its other indexes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from novum.errors import BadInput
from novum.files.inputs import read_plain
from novum.literature import Library
from novum.literature.changes import current_change, last_change
from novum.literature.search.locking import exclusive
from novum.opportunities.concepts import ConceptNames, extract_concepts, reads_gists
from novum.opportunities.evaluation import summarise_trials, testable_years, try_year
from novum.opportunities.evaluation_records import ForecastEvaluation
from novum.opportunities.features.table import PairFeatures
from novum.opportunities.folder import (
    BuildFolder,
    ConceptMapCard,
    map_folder,
    read_card,
    write_errors_as_bad_input,
)
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.near_papers import NearPapers
from novum.opportunities.paper_columns import DatedPapers, PaperColumns, Progress, ignore_progress, read_columns
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.stored_map import read_papers, write_forecast, write_graph, write_papers
from novum.opportunities.synonym_list import FILE, digest, edits, list_text, save
from novum.opportunities.synonyms import Synonym
from novum.opportunities.training import FittedForecast, features_at, fit_forecast

FEWEST_CONCEPTS = 10


@dataclass(frozen=True, eq=False)
class BuildResult:
    """A concept map in memory."""

    papers: PaperColumns
    dated: DatedPapers
    concepts: ConceptNames
    graph: DatedConceptGraph
    forecast: FittedForecast | None
    unlearnt: str
    """Why there is no forecast; empty where there is one."""


class BuildInProgress(BadInput):
    """Another process is building the concept map."""


async def build_concept_map(
    library: Library,
    settings: OpportunitySettings,
    progress: Progress = ignore_progress,
    *,
    fresh: bool = False,
    place: Path | None = None,
) -> ConceptMapCard:
    """Updates the stored concept map: reads the papers written since the last build and computes everything else again.

    `fresh`: read all papers again. `place`: the folder of the map, if it is not the library's own. Where there are too
    few data for a forecast, the map is stored without one, and the card says why. Raises BadInput where there are no
    concepts, or the folder cannot be written.
    """
    place = place or map_folder(library.folder)
    with exclusive(place) as alone:
        if not alone:
            raise BuildInProgress(f"Another process is building {place}: wait until it is done, and run this again.")
        # First, since it changes the library.
        await library.embed(lambda done: progress("embedding papers", done))
        card = None if fresh else read_card(place)
        if card and _is_current(card, library, settings, place):
            return card
        own = edits(place)
        result = await _build(library, settings, own, _papers(place, card), progress)
        progress("writing", 0)
        return await asyncio.to_thread(_store, place, library, settings, result, own)


def _is_current(card: ConceptMapCard, library: Library, settings: OpportunitySettings, place: Path) -> bool:
    """Whether papers, settings, embedder and list of synonyms are those of the build."""
    built = (card.library, card.change, card.settings, card.embedder)
    now = (current_change(library), last_change(library), settings, library.embedder.name)
    return built == now and (place / FILE).is_file() and digest(read_plain(place / FILE)) == card.listed


def _papers(place: Path, card: ConceptMapCard | None) -> PaperColumns | None:
    """The papers of the last build; None where there are none or their columns are damaged, so that all are read
    again."""
    if card is None:
        return None
    try:
        return read_papers(place / card.build, card.library, card.change)
    except (OSError, ValueError):
        return None


async def _build(
    library: Library,
    settings: OpportunitySettings,
    own: tuple[Synonym, ...],
    before: PaperColumns | None,
    progress: Progress,
) -> BuildResult:
    papers = await asyncio.to_thread(read_columns, library, before, progress)
    dated = DatedPapers.of(papers)
    year = last_year(dated)
    progress("concepts", 0)
    concepts = await extract_concepts(papers, dated, year, settings, library.embedder, own)
    if len(concepts.names) < FEWEST_CONCEPTS:
        merged = f", or remove lines of yours from {FILE}" if own else ""
        raise BadInput(
            f"The library's {len(dated):,} papers with a year hold {len(concepts.names)} concepts of {settings.fewest} "
            f"papers or more, and {FEWEST_CONCEPTS} are needed: add papers (`novum library add`), or lower "
            f"`--min-papers`{merged}."
        )
    progress(f"graph of {len(concepts.names):,} concepts", 0)
    graph = await asyncio.to_thread(DatedConceptGraph.of, concepts, dated)
    try:
        forecast = await asyncio.to_thread(fit_forecast, graph, concepts.units, year, settings, progress)
    except BadInput as problem:
        return BuildResult(papers, dated, concepts, graph, None, str(problem))
    return BuildResult(papers, dated, concepts, graph, forecast, "")


def last_year(dated: DatedPapers) -> int:
    """The year of the newest papers. Raises BadInput where no paper has a year."""
    if not len(dated):
        raise BadInput(
            "The library has no paper with a year, which the forecast needs: add papers that have one "
            "(`novum library add`)."
        )
    return int(np.asarray(dated.years)[-1])


def _store(
    place: Path, library: Library, settings: OpportunitySettings, result: BuildResult, own: tuple[Synonym, ...]
) -> ConceptMapCard:
    build = BuildFolder(place)
    try:
        write_papers(build, result.papers)
        write_graph(build, _last_features(result, settings), NearPapers.of(library, result.dated))
        if result.forecast:
            write_forecast(build, result.forecast)
        listed = list_text(result.concepts.synonyms, own)
        with write_errors_as_bad_input(place):
            save(place, listed, own)
        card = _card(build.name, library, settings, result).model_copy(update={"listed": digest(listed.encode())})
        build.finish(card)
    except BaseException:  # Ctrl-C too: no partial build remains
        build.abandon()
        raise
    return card


def _last_features(result: BuildResult, settings: OpportunitySettings) -> PairFeatures:
    """Features at the end of the last year; those of the forecast, where there is one."""
    if result.forecast:
        return result.forecast.now
    return features_at(result.graph, result.concepts.units, last_year(result.dated), settings)


def _card(build: str, library: Library, settings: OpportunitySettings, result: BuildResult) -> ConceptMapCard:
    year = last_year(result.dated)
    return ConceptMapCard(
        build=build,
        library=result.papers.library,
        change=result.papers.change,
        embedder=library.embedder.name,
        settings=settings,
        year=year,
        papers=len(result.dated),
        undated=result.dated.undated,
        concepts=len(result.graph.names),
        edges=len(result.graph.edges),
        entries=len(result.graph.edges.paper),
        titles_only=not reads_gists(result.dated, len(result.dated)),
        variants=result.concepts.variants,
        synonyms=len(result.concepts.synonyms),
        idle=len(result.concepts.idle),
        pairs_learnt=result.forecast.pairs if result.forecast else 0,
        joined_learnt=result.forecast.linked if result.forecast else 0,
        attention=bool(result.forecast and result.forecast.attention),
        unlearnt=result.unlearnt,
    )


async def evaluate_forecast(
    library: Library,
    settings: OpportunitySettings,
    *,
    years: int | Sequence[int],
    most: int,
    draws: int,
    progress: Progress = ignore_progress,
) -> ForecastEvaluation:
    """Evaluates forecasts of past years against the actual links. `years`: the last so many years, or these years.

    `most`: pairs for each year; `draws`: bootstrap samples of the concepts, for the intervals. Writes nothing. Of the
    last years, those with too few data are skipped and reported. Raises BadInput where that is all of them, or a year
    that was named.
    """
    place = map_folder(library.folder)
    papers = await asyncio.to_thread(read_columns, library, _papers(place, read_card(place)), progress)
    dated = DatedPapers.of(papers)
    selected = (
        testable_years(dated, settings, years) if isinstance(years, int) else _years_named(dated, settings, years)
    )
    own = edits(place)
    trials, skipped = [], dict[int, str]()
    for year in selected:
        try:
            trials.append(await try_year(papers, dated, year, settings, library.embedder, most, own, progress))
        except BadInput as problem:
            if isinstance(years, Sequence) or (year == selected[-1] and not trials):
                raise
            skipped[year] = str(problem)
    result = await asyncio.to_thread(summarise_trials, trials, settings, draws=draws, dated=dated, progress=progress)
    return result.model_copy(update={"skipped": skipped})


def _years_named(dated: DatedPapers, settings: OpportunitySettings, years: Sequence[int]) -> list[int]:
    last = last_year(dated)
    for year in years:
        if year + settings.horizon > last:
            raise BadInput(
                f"The links of the {settings.horizon} years after {year} are not known: the library's papers end in "
                f"{last}. Name a year up to {last - settings.horizon}."
            )
    return sorted(set(years))
